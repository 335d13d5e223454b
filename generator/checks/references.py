"""References: whatever one place of the data names in another exists there."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator import problems
from generator.problems import Problem
from generator.records import Game, Project

name = "references"


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield every name of a table, record, chapter, interpretation, question or value that leads nowhere."""
    for game in project.games.values():
        finder = _Finder(project, game)
        yield from finder.tables()
        yield from finder.interpretations()
        yield from finder.questions()
        yield from finder.calculators()
        for entry, described in finder.every("entries"):
            yield from finder.chapter(described["at"], ("entries", entry, "at"))
        for handout, described in game.handouts.items():
            yield from finder.chapter(described["chapter"], ("handouts", handout, "chapter"))


class _Finder:
    """Follows the names written in the data of one game."""

    def __init__(self, project: Project, game: Game) -> None:
        self.project, self.game = project, game

    def every(self, collection: str) -> Iterable[tuple[str, Any]]:
        """Give all of *collection*, what is partly wrong included: what remains of it must lead somewhere too."""
        return [*getattr(self.game, collection).items(), *self.game.partial.get(collection, {}).items()]

    def problem(self, place: tuple[str | int, ...], code: str, known: Iterable[str] = (), **facts: Any) -> Problem:
        document, path = self.game.home(*place)
        return problems.make(document, path, code, hint=problems.suggestion(facts["found"], known), **facts)

    def target(self, table: str) -> tuple[Game, str] | None:
        """Give the game and the name of a table written "table" or "game/table", None when there is no such table."""
        other, _, name = table.rpartition("/")
        game = self.project.games.get(other) if other else self.game
        return (game, name) if game and (name in game.tables or (name, None) in game.broken) else None

    def tables(self) -> Iterator[Problem]:
        for table in self.game.tables.values():
            document = table.document
            yield from self.chapter(table.chapter, (table.name,), document, ("chapter",))
            yield from self.labels(table.interpretations, (table.name,), document, ("interpretations",))
            for column, described in table.columns.items():
                yield from self.column(table, column, described)
            for slug, record in (table.records | table.partial).items():
                if "interpretations" in record:
                    yield from self.labels(record["interpretations"], (table.name, slug, "interpretations"))

    def column(self, table: Any, column: str, described: dict[str, Any]) -> Iterator[Problem]:
        inner, path = described, ("columns", column)
        while inner["kind"] in ("list", "mapping") and "items" in inner:
            inner, path = inner["items"], (*path, "items")
        if inner["kind"] != "reference":
            return
        target = self.target(inner["table"])
        if target is None:
            hint = problems.suggestion(inner["table"], self.game.tables)
            yield problems.make(table.document, (*path, "table"), "unknown-table", found=inner["table"], hint=hint)
            return
        game, name = target
        for slug, record in (table.records | table.partial).items():
            for place, value in _leaves(record.get(column), (table.name, slug, column)):
                if not game.knows(name, value):
                    yield self.problem(place, "unknown-record", game.tables[name].records, found=value, table=inner["table"])

    def interpretations(self) -> Iterator[Problem]:
        for label, entry in self.every("interpretations"):
            here = ("interpretations", label)
            if entry["adopted"] not in entry["readings"]:
                yield self.problem((*here, "adopted"), "unknown-reading", entry["readings"], found=entry["adopted"])
            for place, record in enumerate(entry.get("records", ())):
                table, _, slug = record.partition("/")
                yield from self.record(table, slug, (*here, "records", place))
            for place, question in enumerate(entry.get("questions", ())):
                yield from self.question(question, (*here, "questions", place))

    def questions(self) -> Iterator[Problem]:
        asked = {question for _, calculator in self.every("calculators") for question in calculator["questions"]}
        all_calculators = not any(collection == "calculators" for collection, _ in self.game.broken)
        for question, described in self.every("questions"):
            here = ("questions", question)
            if question not in asked and all_calculators:
                document, path = self.game.home(*here)
                yield problems.make(document, path, "question-unused", key=True, question=question)
            yield from self.chapter(described["chapter"], (*here, "chapter"))
            yield from self.labels(described.get("interpretations", ()), (*here, "interpretations"))
            for part in ("inputs", "steps", "outputs"):
                for key, spec in described.get(part, {}).items():
                    yield from self.spec(spec, (*here, part, key))

    def spec(self, spec: dict[str, Any], here: tuple[str | int, ...]) -> Iterator[Problem]:
        """Follow what an input, a step or an output names, and the parts of an input."""
        if "reading" in spec:
            yield from self.labels([spec["reading"]], here, where=("reading",))
        if isinstance(spec.get("table"), str):
            target = self.target(spec["table"])
            if target is None:
                yield self.problem((*here, "table"), "unknown-table", self.game.tables, found=spec["table"])
            else:
                game, table = target
                for place, slug in enumerate(spec.get("only", ())):
                    if not game.knows(table, slug):
                        records = game.tables[table].records
                        yield self.problem((*here, "only", place), "unknown-record", records, found=slug, table=spec["table"])
        for part in ("items", "keys", "values"):
            if isinstance(spec.get(part), dict):
                yield from self.spec(spec[part], (*here, part))
        for key, field in spec["fields"].items() if isinstance(spec.get("fields"), dict) else ():
            yield from self.spec(field, (*here, "fields", key))

    def calculators(self) -> Iterator[Problem]:
        for calculator, described in self.every("calculators"):
            here = ("calculators", calculator)
            yield from self.chapter(described["chapter"], (*here, "chapter"))
            for place, question in enumerate(described["questions"]):
                yield from self.question(question, (*here, "questions", place))

    def chapter(self, anchor: str, place: tuple[str | int, ...], document: Any = None, path: Any = ()) -> Iterator[Problem]:
        if ("game", "chapters") in self.game.broken:
            return
        chapters = [chapter["id"] for chapter in self.game.info["chapters"]]
        chapter = anchor.partition("#")[0]
        if chapter not in chapters:
            document, path = (document, path) if document else self.game.home(*place)
            hint = problems.suggestion(chapter, chapters)
            yield problems.make(document, path, "unknown-chapter", found=chapter, hint=hint)

    def labels(self, labels: Iterable[str], place: tuple[str | int, ...], document: Any = None, path: Any = (), where: Any = None) -> Iterator[Problem]:
        for index, label in enumerate(labels):
            if not self.game.knows("interpretations", label):
                home, inside = (document, path) if document else self.game.home(*place)
                hint = problems.suggestion(label, self.game.interpretations) if self.game.interpretations else ""
                yield problems.make(home, (*inside, *(where or (index,))), "unknown-interpretation", found=label, hint=hint)

    def record(self, table: str, slug: str, place: tuple[str | int, ...]) -> Iterator[Problem]:
        if table not in self.game.tables and (table, None) not in self.game.broken:
            yield self.problem(place, "unknown-table", self.game.tables, found=table)
        elif not self.game.knows(table, slug):
            yield self.problem(place, "unknown-record", self.game.tables[table].records, found=slug, table=table)

    def question(self, question: str, place: tuple[str | int, ...]) -> Iterator[Problem]:
        if not self.game.knows("questions", question):
            yield self.problem(place, "unknown-question", self.game.questions, found=question)


def _leaves(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield each reference in a cell, with its place: the cell itself, or what its lists and mappings hold."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(item, (*place, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, (*place, key))
    elif value is not None:
        yield place, value
