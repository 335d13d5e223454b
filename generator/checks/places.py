"""Places: what a chapter shows or links to exists, and every entry of the inventory is told once."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

from generator import files, problems, syntax
from generator.addresses import row_id, table_id
from generator.chapters import BLOCKS, Place, headings, places
from generator.compendium import EMBLEMS, INDEX, SITE
from generator.problems import Problem
from generator.records import Chapter, Game, Project

name = "places"

LINKS = ("ref", "calc", "page")
INLINE = ("anchor", "mark", *LINKS)
# Places that name nothing are whole.
ALONE = ("calculators", "games")
# What makes a drawing act, or fetch something.
ACTIVE = re.compile(r"<script|<foreignObject|<!(?:DOCTYPE|ENTITY)|\bon\w+\s*=|\bhref\s*=|javascript:|@import", re.IGNORECASE)
# What wants to be a place or a link of ours; chapters.py reads only those that are whole.
BLOCK_LIKE = re.compile(r":::|^\s*::?\s*(?:" + "|".join(BLOCKS) + r")\b")
LINK_LIKE = re.compile(r"\[[^\[\]]*\]\s*\(\s*(?:ref|calc|page)\s*:[^()]*\)?", re.IGNORECASE)
MARK_LIKE = re.compile(r"\[[#?](?:\s+[\w-]+\s*|[\w-]+\s+)\](?!\()")
CODE = re.compile(r"`+[^`]*`+")
ANCHOR = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the missing chapters, the places and links that lead nowhere, the entries told never or twice."""
    readers = {game.id: _Reader(project, game) for game in project.games.values()}
    for reader in readers.values():
        yield from reader.files()
        yield from reader.addresses()
        for chapter in reader.game.chapters:
            yield from reader.chapter(chapter, readers)
        yield from reader.entries()


class _Reader:
    """Reads the chapters of one game."""

    def __init__(self, project: Project, game: Game) -> None:
        self.project, self.game = project, game
        self.sure = ("game", "chapters") not in game.broken
        self.ids = [chapter["id"] for chapter in game.info["chapters"]] if self.sure else []
        self.places = {name: places(chapter.text) for name, chapter in game.chapters.items()}
        self.headings = {name: headings(chapter.text) for name, chapter in game.chapters.items()}
        self.anchors = {name: self._anchors(name) for name in game.chapters}

    def _anchors(self, chapter: str) -> set[str]:
        """Gather all that can be reached in a page: headings, entries, tables and their rows, calculators."""
        found = {heading.anchor for heading in self.headings[chapter] if heading.anchor}
        found |= {place.target for place in self.places[chapter] if place.kind == "anchor"}
        shown = {place.target for place in self.places[chapter] if place.kind in BLOCKS}
        for table in self.game.tables.values():
            if table.name in shown or table.chapter.partition("#")[0] == chapter:
                found |= {table_id(table.name), *(row_id(table.name, slug) for slug in table.records)}
        for calculator, described in self.game.calculators.items():
            if calculator in shown or described["chapter"].partition("#")[0] == chapter:
                found.add(calculator)
        return found

    def files(self) -> Iterator[Problem]:
        game = self.game
        if "game.yaml" not in game.documents or ("chapters", None) in game.broken:
            return
        document = game.documents["game.yaml"]
        folder = f"{SITE}/{game.id}"
        if INDEX not in game.chapters:
            yield problems.make(document, (), "no-index-file", file=f"{folder}/{INDEX}.md")
        for place, chapter in enumerate(self.ids):
            if chapter not in game.chapters:
                yield problems.make(document, ("chapters", place, "id"), "no-chapter-file", file=f"{folder}/{chapter}.md")
        emblem = game.info.get("emblem")
        if emblem:
            yield from self._emblem(document, f"{SITE}/{EMBLEMS}/{emblem}", emblem)

    def _emblem(self, document: Any, shown: str, emblem: str) -> Iterator[Problem]:
        if emblem not in self.project.emblems:
            yield problems.make(document, ("emblem",), "no-emblem", file=shown)
            return
        drawing, faults = files.read_text(self.project.root / shown, self.project.root)
        yield from (problems.at(shown, fault.line, fault.column, fault.code, **fault.facts) for fault in faults)
        found = ACTIVE.search(drawing)
        if found:
            yield problems.at(shown, *syntax.place(drawing, found.start()), "active-drawing", found=found[0])

    def addresses(self) -> Iterator[Problem]:
        """Check the anchors that the data gives with a chapter."""
        for table in self.game.tables.values():
            yield from self._address(table.chapter, table.document, ("chapter",))
        for kind in ("questions", "calculators", "handouts"):
            for key, described in getattr(self.game, kind).items():
                document, path = self.game.home(kind, key, "chapter")
                yield from self._address(described["chapter"], document, path)

    def _address(self, address: str, document: Any, path: tuple[str | int, ...]) -> Iterator[Problem]:
        chapter, _, anchor = address.partition("#")
        if anchor and self._lacks(chapter, anchor):
            hint = problems.suggestion(anchor, self._heading_anchors(chapter))
            yield problems.make(document, path, "unknown-anchor", anchor=anchor, chapter=self.game.chapters[chapter].path, hint=hint)

    def _lacks(self, chapter: str, anchor: str) -> bool:
        """Say whether a chapter surely lacks *anchor*: while it cannot be read, or one of its headings has no good one, nobody knows."""
        if (
            chapter not in self.anchors
            or ("chapters", chapter) in self.game.broken
            or any(not ANCHOR.fullmatch(heading.anchor or "") and heading.level > 1 for heading in self.headings[chapter])
        ):
            return False
        return anchor not in self.anchors[chapter]

    def _heading_anchors(self, chapter: str) -> list[str]:
        return [heading.anchor for heading in self.headings[chapter] if heading.anchor]

    def chapter(self, chapter: str, readers: dict[str, "_Reader"]) -> Iterator[Problem]:
        if ("chapters", chapter) in self.game.broken:
            return
        page = self.game.chapters[chapter]
        yield from self._headings(chapter, page)
        yield from self._unread(chapter, page)
        shown: dict[tuple[str, str], int] = {}
        for place in self.places[chapter]:
            for code, facts in self._place(place, chapter, readers):
                yield problems.at(page.path, place.line, place.column, code, **facts)
            if place.kind in BLOCKS:
                first = shown.setdefault((place.kind, place.target), place.line)
                if first != place.line:
                    found = f"::: {place.kind} {place.target}".strip()
                    yield problems.at(page.path, place.line, place.column, "place-twice", found=found, line=first)

    def _unread(self, chapter: str, page: Chapter) -> Iterator[Problem]:
        """Find what wants to be a place or a link, and is not read as one: it would be shown as it is written."""
        blocks = {place.line for place in self.places[chapter] if place.kind not in INLINE and (place.target or place.kind in ALONE)}
        links = {(place.line, place.column) for place in self.places[chapter] if place.kind in LINKS}
        fenced = False
        for number, line in enumerate(page.text.split("\n"), 1):
            fenced ^= line.lstrip().startswith(("```", "~~~"))
            if fenced:
                continue
            line = CODE.sub(lambda code: " " * len(code[0]), line)
            block = BLOCK_LIKE.search(line)
            if block and number not in blocks:
                column = block.start() + len(block[0]) - len(block[0].lstrip()) + 1
                yield problems.at(page.path, number, column, "bad-place", found=problems.shortened(line[column - 1 :]))
            for mark in MARK_LIKE.finditer(line):
                yield problems.at(page.path, number, mark.start() + 1, "bad-mark", found=mark[0], meant="".join(mark[0].split()))
            for link in LINK_LIKE.finditer(line):
                if (number, link.start() + 1) not in links:
                    yield problems.at(page.path, number, link.start() + 1, "bad-link", found=problems.shortened(link[0]))

    def _headings(self, chapter: str, page: Chapter) -> Iterator[Problem]:
        titles = [heading for heading in self.headings[chapter] if heading.level == 1]
        if len(titles) != 1:
            yield problems.at(page.path, titles[1].line if titles else 1, 1, "one-title" if titles else "no-title")
        seen: dict[str, int] = {}
        for heading in self.headings[chapter]:
            if heading.anchor is None and heading.level > 1:
                yield problems.at(page.path, heading.line, 1, "no-anchor", title=heading.title)
            elif heading.anchor and not ANCHOR.fullmatch(heading.anchor):
                yield problems.at(page.path, heading.line, 1, "bad-anchor", anchor=heading.anchor)
            elif heading.anchor and seen.setdefault(heading.anchor, heading.line) != heading.line:
                yield problems.at(page.path, heading.line, 1, "anchor-twice", anchor=heading.anchor, line=seen[heading.anchor])

    def _place(self, place: Place, chapter: str, readers: dict[str, "_Reader"]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield (code, facts) of what is wrong with one place."""
        game, target = self.game, place.target
        match place.kind:
            case "table" | "records":
                if target and target not in game.tables and (target, None) not in game.broken:
                    yield "unknown-table", {"found": target, "hint": problems.suggestion(target, game.tables)}
            case "calculator":
                if target and not game.knows("calculators", target):
                    yield "unknown-calculator", {"found": target, "hint": problems.suggestion(target, game.calculators)}
            case "anchor":
                if not game.knows("entries", target):
                    yield "unknown-entry", {"found": target, "hint": problems.suggestion(target, game.entries) if game.entries else ""}
                elif target in game.entries and game.entries[target]["at"] != chapter:
                    yield "entry-elsewhere", {"entry": target, "at": game.entries[target]["at"]}
            case "mark":
                if not game.knows("interpretations", target):
                    hint = problems.suggestion(target, game.interpretations) if game.interpretations else ""
                    yield "unknown-interpretation", {"found": target, "hint": hint}
            case "ref":
                yield from self._ref(target)
            case "calc":
                yield from self._calc(target)
            case "page":
                yield from self._page(target, chapter, readers)
            case kind if kind not in BLOCKS:
                yield "unknown-place", {"found": kind, "hint": problems.suggestion(kind, BLOCKS)}

    def _ref(self, target: str) -> Iterator[tuple[str, dict[str, Any]]]:
        *other, table, slug = target.split("/") if target.count("/") in (1, 2) else ("", "")
        game = self.project.games.get(other[0]) if other else self.game
        if not slug or game is None:
            yield "bad-link", {"found": f"ref:{target}"}
        elif table not in game.tables and (table, None) not in game.broken:
            yield "unknown-table", {"found": table, "hint": problems.suggestion(table, game.tables)}
        elif not game.knows(table, slug):
            yield "unknown-record", {"found": slug, "table": table, "hint": problems.suggestion(slug, game.tables[table].records)}

    def _calc(self, target: str) -> Iterator[tuple[str, dict[str, Any]]]:
        calculator, _, query = target.partition("?")
        if not self.game.knows("calculators", calculator):
            yield "unknown-calculator", {"found": calculator, "hint": problems.suggestion(calculator, self.game.calculators)}
            return
        questions = self.game.calculators.get(calculator, {}).get("questions", ())
        if not all(question in self.game.questions for question in questions):
            return
        inputs = {key for question in questions for key in self.game.questions[question].get("inputs", {})}
        for key, _ in parse_qsl(query, keep_blank_values=True):
            if inputs and key not in inputs:
                yield "unknown-input", {"name": key, "hint": problems.suggestion(key, inputs)}

    def _page(self, target: str, chapter: str, readers: dict[str, "_Reader"]) -> Iterator[tuple[str, dict[str, Any]]]:
        address, _, anchor = target.partition("#")
        other, _, name = address.rpartition("/")
        reader = readers.get(other) if other else self
        name = name or chapter
        if reader is None:
            yield "bad-link", {"found": f"page:{target}"}
        elif name not in (*reader.ids, INDEX) and not reader.game.knows("handouts", name):
            if reader.sure:
                yield "unknown-chapter", {"found": name, "hint": problems.suggestion(name, reader.ids)}
        elif anchor and reader._lacks(name, anchor):
            hint = problems.suggestion(anchor, reader._heading_anchors(name))
            yield "unknown-anchor", {"anchor": anchor, "chapter": reader.game.chapters[name].path, "hint": hint}

    def entries(self) -> Iterator[Problem]:
        """Check that each entry of the inventory has one mark, in its chapter."""
        marks: dict[str, list[tuple[str, Place]]] = {}
        for chapter, found in self.places.items():
            for place in found:
                if place.kind == "anchor":
                    marks.setdefault(place.target, []).append((chapter, place))
        for entry, described in self.game.entries.items():
            told = marks.get(entry, [])
            if not told and described["at"] in self.game.chapters and ("chapters", described["at"]) not in self.game.broken:
                document, path = self.game.home("entries", entry)
                file = self.game.chapters[described["at"]].path
                yield problems.make(document, path, "entry-not-told", key=True, entry=entry, file=file)
            for chapter, place in told[1:]:
                page = self.game.chapters[told[0][0]].path
                yield problems.at(self.game.chapters[chapter].path, place.line, place.column, "entry-twice", entry=entry, file=page, line=told[0][1].line)
