"""The compendium: all the games of a project, read and put together, with every problem met on the way."""

import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from generator import files, load, problems, schema, typography
from generator.load import Document
from generator.problems import Problem
from generator.records import COLLECTIONS, Chapter, Game, Project, Table

DATA = "data"
SITE = "site_src"
EMBLEMS = "assets/emblems"
INDEX = "index"
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TABLE_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
# A kind that several files may share: entries.yaml, entries-2.yaml.
SHARED = re.compile(r"(interpretations|entries|calculators|handouts)(-[a-z0-9]+)*")
# A longer line of a chapter is a slip, and long to read.
LONGEST_LINE = 5000
# Sections of the texts that only the generator reads; the rest goes with the rules, to the browser too.
GENERATOR_TEXTS = frozenset({"problems", "cli", "site", "browser", "offline"})

# What a reader sees of the rules: keys of sentences and names, kinds of columns.
WORDS = frozenset({"title", "label", "help", "unit", "group", "message", "messages", "text", "note", "told", "choices"})
WORDED = frozenset({"text", "prose"})


def open_project(root: Path) -> Project:
    """Read all the games of the folder *root*; bad data is never an exception, it is in `problems`."""
    found: list[Problem] = []
    games = {}
    folder = root / DATA
    if not folder.is_dir() or folder.is_symlink():
        return Project(root, {}, [problems.at(DATA, 1, 1, "no-data")])
    paths, faults = files.listed(folder)
    found += [problems.at(DATA, fault.line, fault.column, fault.code, **fault.facts) for fault in faults]
    for path in paths:
        name = path.relative_to(root).as_posix()
        if path.is_symlink() and not _ignored(path):
            found.append(problems.at(name, 1, 1, "symlink", file=path.name))
        elif path.is_dir() and SLUG.fullmatch(path.name):
            reader = _GameReader(root, path)
            games[path.name] = reader.read()
            found += reader.problems
        elif path.is_dir():
            found.append(problems.at(name, 1, 1, "game-folder", file=path.name))
        elif not _ignored(path):
            found.append(problems.at(name, 1, 1, "unknown-file", file=path.name, hint=""))
    if not games and not found:
        found.append(problems.at(DATA, 1, 1, "no-data"))
    emblems = root / SITE / EMBLEMS
    drawings = frozenset(path.name for path in files.listed(emblems)[0] if not path.is_symlink())
    return Project(root, games, sorted(set(found)), drawings)


def rules(project: Project, texts: dict[str, Any]) -> dict[str, Any]:
    """Return what the rules code needs of *project*, as JSON can hold it: exact numbers are integers or text "a/b"."""
    games = {}
    for game in project.games.values():
        games[game.id] = {
            "title": typography.french(game.info.get("title", game.id)),
            "tables": {name: _table_rules(table) for name, table in game.tables.items()},
            "questions": _plain(game.questions),
            "calculators": _plain(game.calculators),
            "interpretations": {label: _reading(entry) for label, entry in game.interpretations.items()},
        }
    return {"texts": {section: text for section, text in texts.items() if section not in GENERATOR_TEXTS}, "games": games}


def _table_rules(table: Table) -> dict[str, Any]:
    kinds = {"name": "text"} | {key: column["kind"] for key, column in table.columns.items()}
    return {
        "title": typography.french(table.title),
        "kind": table.kind,
        "continuous": table.continuous,
        "name_label": table.name_label and typography.french(table.name_label),
        "chapter": table.chapter,
        "columns": _plain(table.columns),
        "records": {slug: {key: _plain(record[key], kind in WORDED) for key, kind in kinds.items() if key in record} for slug, record in table.records.items()},
    }


def _reading(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: _plain(entry[key], key != "adopted") for key in ("title", "open", "readings", "adopted")}


def _plain(value: Any, worded: bool = False) -> Any:
    """Return *value* as JSON can hold it; what is *worded* for a reader takes the spaces of printed French."""
    if isinstance(value, dict):
        return {key: _plain(item, worded or key in WORDS) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, worded) for item in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return typography.french(value) if worded and isinstance(value, str) else value


def _ignored(path: Path) -> bool:
    """Leave alone what a desktop or an editor puts in a folder, but not a data file hidden by its name."""
    if path.name.startswith((".#", "#")) or path.name.endswith("~"):
        return True
    return path.name.startswith(".") and path.suffix not in (".yaml", ".yml")


def _prune(document: Document, wrong: frozenset[tuple[str | int, ...]], depth: int) -> None:
    """Take out of *document* what is wrong in it, from *depth* down: the last first, so that places in lists stay true."""
    for path in sorted(wrong, key=lambda path: [f"{step:09d}" if isinstance(step, int) else step for step in path], reverse=True):
        if len(path) >= depth:
            document.remove(path)


class _GameReader:
    """Reads one game folder; notes problems and what had to be left out."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.problems: list[Problem] = []
        self.documents: dict[str, Document] = {}
        self.collections: dict[str, dict[str, Any]] = {name: {} for name in COLLECTIONS}
        self.homes: dict[tuple[str, str], Document] = {}
        self.tables: dict[str, Table] = {}
        self.broken: set[tuple[str, str | None]] = set()
        self.partial: dict[str, dict[str, Any]] = {name: {} for name in COLLECTIONS}
        self.info: dict[str, Any] = {}

    def read(self) -> Game:
        for path, kind in sorted(self._files()):
            self._read_file(path, kind)
        name = (self.folder / "game.yaml").relative_to(self.root).as_posix()
        if "game.yaml" not in self.documents:
            if (COLLECTIONS[0], None) not in self.broken:
                self.problems.append(problems.at(name, 1, 1, "no-game-file", game=self.folder.name))
            self.broken |= {("game", "chapters"), ("game", "documents")}
        elif self.info.get("id", self.folder.name) != self.folder.name:
            self.problems.append(problems.make(self.documents["game.yaml"], ("id",), "game-id", id=self.info["id"], folder=self.folder.name))
        chapters = self._chapters()
        return Game(
            id=self.folder.name,
            info=self.info,
            tables=self.tables,
            **self.collections,
            documents=self.documents,
            chapters=chapters,
            homes=self.homes,
            broken=frozenset(self.broken),
            partial=self.partial,
        )

    def _files(self) -> Iterator[tuple[Path, str]]:
        """Yield (file, kind of file); what has no place in a game's folder is a problem."""
        for path in self._listed(self.folder):
            stem = path.stem
            if _ignored(path):
                continue
            if path.is_symlink():
                self._lose(path, "symlink", stem)
            elif path.name == "questions" and path.is_dir():
                for inner in self._listed(path):
                    if _ignored(inner):
                        continue
                    if inner.is_symlink():
                        self._lose(inner, "symlink", "questions")
                    elif not inner.is_dir() and inner.suffix == ".yaml" and TABLE_NAME.fullmatch(inner.stem):
                        yield inner, "questions"
                    else:
                        self._lose(inner, "unknown-file", "questions")
            elif path.is_dir() or path.suffix != ".yaml" or stem == "questions" or not TABLE_NAME.fullmatch(stem):
                self._lose(path, "unknown-file", stem)
            elif stem == "game":
                yield path, "game"
            elif shared := SHARED.fullmatch(stem):
                yield path, shared[1]
            else:
                yield path, "table"

    def _listed(self, folder: Path) -> list[Path]:
        """List a folder; when it cannot be read, nothing sure can be said of what the game holds."""
        paths, faults = files.listed(folder)
        shown = folder.relative_to(self.root).as_posix()
        self.problems += [problems.at(shown, fault.line, fault.column, fault.code, **fault.facts) for fault in faults]
        if faults:
            self.broken |= {(collection, None) for collection in ("chapters", *COLLECTIONS)}
        return paths

    def _lose(self, path: Path, code: str, stem: str) -> None:
        """Tell that a file is not read; what it would have held under its right name is not also missing."""
        right = stem.lower().replace("_", "-").replace(" ", "-")
        shared = SHARED.fullmatch(right)
        self.broken.add((shared[1] if shared else right, None))
        hint = ""
        if path.suffix.lower() in (".yaml", ".yml") and TABLE_NAME.fullmatch(path.stem.lower()):
            hint = problems.sentence("word-rename", name=f"{path.stem.lower()}.yaml")
        self.problems.append(problems.at(path.relative_to(self.root).as_posix(), 1, 1, code, file=path.name, hint=hint))

    def _read_file(self, file: Path, kind: str) -> None:
        document, stem = load.read(file, self.root), file.stem
        self.documents[file.relative_to(self.folder).as_posix()] = document
        self.problems += problems.of_document(document)
        if document.value is None:
            if not document.faults:
                self.problems.append(problems.make(document, (), "empty-file"))
            self._break(kind, stem, (), None)
            return
        wrong = document.refused | document.doubled
        for finding in schema.check(kind, document):
            # What the reader refused is told already: the schema has nothing to add there.
            if not any(finding.path[: len(path)] == path for path in document.refused):
                self.problems.append(finding.problem)
            if not finding.is_mended:
                wrong |= {finding.path}
                if finding.meant:
                    # What names it as it should be written leads somewhere too.
                    self._break(kind, stem, (*finding.path[:-1], finding.meant), document.value)
        for path in wrong:
            self._break(kind, stem, path, document.value)
        if not isinstance(document.value, dict):
            return
        if kind == "game":
            self.info = {key: value for key, value in document.value.items() if ("game", key) not in self.broken}
        elif kind == "table":
            self._add_table(stem, document, wrong)
        else:
            self._merge(kind, document, wrong)

    def _break(self, kind: str, stem: str, path: tuple[str | int, ...], value: Any) -> None:
        """Note what the mistake at *path* makes unusable: an id of a collection, a record, or the whole file."""
        if kind == "game":
            known = value if isinstance(value, dict) else {}
            self.broken |= {("game", str(path[0]))} if path else {("game", key) for key in ("chapters", "documents") if key not in known}
        elif kind == "table":
            self.broken.add((stem, str(path[1]) if path[:1] == ("records",) and len(path) > 1 else None))
        else:
            self.broken.add((kind, str(path[0]) if path else None))

    def _add_table(self, name: str, document: Document, wrong: frozenset[tuple[str | int, ...]]) -> None:
        if (name, None) in self.broken:
            return
        _prune(document, wrong, 3)
        value = document.value
        details = {key: value[key] for key in ("continuous", "domain", "note", "name_label", "interpretations") if key in value}
        self.tables[name] = Table(
            name=name,
            **{key: value[key] for key in ("title", "kind", "columns", "source", "chapter")},
            records={slug: record for slug, record in value["records"].items() if (name, slug) not in self.broken},
            document=document,
            partial={slug: record for slug, record in value["records"].items() if (name, slug) in self.broken and isinstance(record, dict)},
            **details,
        )

    def _merge(self, kind: str, document: Document, wrong: frozenset[tuple[str | int, ...]]) -> None:
        if () in wrong:
            return
        collection = self.collections[kind]
        if wrong:
            _prune(document, wrong, 2)
            left = {finding.path[0] for finding in schema.check(kind, document) if finding.path}
            self.partial[kind] |= {name: value for name, value in document.value.items() if (kind, name) in self.broken and name not in left}
        for name, value in document.value.items():
            home = self.homes.setdefault((kind, name), document)
            if home is not document:
                line = home.key_at(name)[0]
                self.problems.append(problems.make(document, (name,), "duplicate-id", key=True, id=name, other=home.path, line=line))
            elif (kind, name) not in self.broken:
                collection[name] = value

    def _chapters(self) -> dict[str, Chapter]:
        chapters = {}
        folder = self.root / SITE / self.folder.name
        held = {path.name for path in self._listed(folder)}
        for name in dict.fromkeys((INDEX, *(chapter["id"] for chapter in self.info.get("chapters", ())))):
            path = folder / f"{name}.md"
            if path.name not in held:
                continue
            text, faults = files.read_text(path, self.root)
            shown = path.relative_to(self.root).as_posix()
            self.problems += [problems.at(shown, fault.line, fault.column, fault.code, **fault.facts) for fault in faults]
            long = next((number for number, line in enumerate(text.split("\n"), 1) if len(line) > LONGEST_LINE), None)
            if long is not None:
                self.problems.append(problems.at(shown, long, 1, "long-line", most=LONGEST_LINE))
            if not faults and not text.strip():
                self.problems.append(problems.at(shown, 1, 1, "empty-file"))
            if long is not None or not text.strip():
                text = ""
                self.broken.add(("chapters", name))
            chapters[name] = Chapter(shown, text)
        if ("game", "chapters") not in self.broken:
            strays = sorted(name for name in held if name.endswith(".md") and name.removesuffix(".md") not in chapters)
            self.problems += [problems.at(f"{SITE}/{self.folder.name}/{name}", 1, 1, "unlisted-chapter", file=name.removesuffix(".md")) for name in strays]
        return chapters
