"""The pages of one game: its presentation, its chapters, its tables, its interpretations, its sheets to print, its records."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from calculators.tables import CONSTANTS
from generator import typography
from generator.addresses import ChapterPlan, Plan, Spot, web_link
from generator.cells import Reader
from generator.citations import Citation
from generator.filling import Filling
from generator.handouts import sheet
from generator.records import Game, Table
from generator.terms import Lexicon
from generator.views import Row, row_view, table_view

Template = Callable[..., str]
# Who looks for a word wants the rule first, then the thing, then what is doubtful about it.
CHAPTER_BOOST, READING_BOOST, LOOSE_BOOST = 2, 0.5, 0.2
_DIGITS = re.compile(r"(\d+)")


class GamePages:
    """Makes the pages of *game*, which may speak of the other *games*.

    *template* fills a template for a page (name, page, values), *calculator* gives the HTML of "game/calculator",
    *tools* lists calculators for a page.
    """

    def __init__(
        self,
        games: Mapping[str, Game],
        game: Game,
        plan: Plan,
        words: Mapping[str, Any],
        cited: Mapping[tuple[str, str, str], list[Citation]],
        calculator: Callable[[str], str],
        template: Template,
        tools: Callable[..., str],
    ) -> None:
        self.games = games
        self.game, self.plan, self.words, self.cited, self.template, self.tools = game, plan, words, cited, template, tools
        self.reader = Reader(game, plan, words)
        self.views = {name: table_view(self.reader, table) for name, table in game.tables.items()}
        self.calculator = calculator
        self.lexicon = Lexicon(game)

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield (path, text) of every page."""
        yield f"{self.game.id}/index.md", self._index()
        for chapter in self.plan.chapters[self.game.id]:
            yield f"{self.game.id}/{chapter.id}.md", self._chapter(chapter)
        yield f"{self.game.id}/tables.md", self._tables()
        yield f"{self.game.id}/interpretations.md", self._interpretations()
        for name, handout in self.game.handouts.items():
            yield f"{self.game.id}/{name}.md", self._handout(name, handout)
        for table in self.game.tables.values():
            yield from self._records(table)

    def _filling(self, page: str) -> Filling:
        return Filling(page, self.games, self.game, self.plan, self.words, self.views, self.calculator, self.template, self.lexicon)

    def _page(self, name: str, page: str, meta: Mapping[str, Any], **values: Any) -> str:
        return self.template(name, page, meta={"game": self.game.id, **meta}, **values)

    def _index(self) -> str:
        page = f"{self.game.id}/index"
        prose = self.game.chapters.get("index")
        return self._page(
            "game.md.j2",
            page,
            {"description": self.game.info["summary"]},
            body=self._filling(page).fill(prose.path, prose.text) if prose else None,
            chapters=self.plan.chapters[self.game.id],
            tools=self.tools(page, [self.game]) if self.game.calculators else None,
            handouts=list(self.game.handouts.items()),
        )

    def _chapter(self, chapter: ChapterPlan) -> str:
        page = f"{self.game.id}/{chapter.id}"
        filling = self._filling(page)
        body = None if chapter.prose is None else filling.fill(chapter.path, chapter.prose)
        level = 1 if body is None else 2
        extra = [filling.table(name) for name in chapter.left_tables]
        extra += [filling.calculator(name, level) for name in chapter.left_calculators]
        return self._page(
            "chapter.md.j2",
            page,
            {"description": chapter.info.get("summary"), "search": {"boost": CHAPTER_BOOST}},
            body=body,
            extra=extra,
            panels=filling.panels,
            chapter=chapter.info,
            document=next(iter(self.game.info["documents"].values())),
            sections=list(self._sections(chapter)),
            handouts=[(name, handout) for name, handout in self.game.handouts.items() if handout["chapter"].partition("#")[0] == chapter.id],
        )

    def _sections(self, chapter: ChapterPlan) -> Iterator[tuple[str, str]]:
        """List the tables of a chapter that come from another section of the source: (title, section)."""
        told = {p.target for p in chapter.places if p.kind in ("table", "records")} | set(chapter.left_tables)
        for name, table in self.game.tables.items():
            section = table.source.get("section")
            if name in told and section and section != chapter.info.get("section"):
                yield table.title, section

    def _tables(self) -> str:
        page = f"{self.game.id}/tables"
        filling = self._filling(page)
        titles = {f"{self.game.id}/{c.id}": c.info["title"] for c in self.plan.chapters[self.game.id]}
        entries = []
        for name, table in self.game.tables.items():
            spot = self.plan.tables[self.game.id, name]
            entries.append({"table": table, "spot": spot, "chapter": titles.get(spot.page, "")})
        entries.sort(key=lambda entry: typography.fold(entry["table"].title))
        told_here = [filling.table(name) for name in self.game.tables if self.plan.tables[self.game.id, name].page == page]
        told_here += [filling.calculator(name, 1) for name in self.game.calculators if self.plan.calculators[self.game.id, name].page == page]
        return self._page("tables.md.j2", page, {"search": {"exclude": True}}, entries=entries, told_here=told_here, panels=filling.panels)

    def _handout(self, name: str, handout: Mapping[str, Any]) -> str:
        chapter, _, anchor = handout["chapter"].partition("#")
        titles = {c.id: c.info["title"] for c in self.plan.chapters[self.game.id]}
        return self._page(
            "handout.md.j2",
            f"{self.game.id}/{name}",
            {"description": handout["summary"], "hide": ["navigation", "toc"]},
            handout=handout,
            sheet=sheet(self.reader, self.views, handout),
            home=Spot(f"{self.game.id}/{chapter}", anchor or None),
            chapter=titles[chapter],
        )

    def _interpretations(self) -> str:
        groups: dict[str, list[Any]] = {}
        for label, entry in sorted(self.game.interpretations.items(), key=lambda item: _natural(item[0])):
            section = entry.get("section") or self.words["readings"]
            touched = list(dict.fromkeys(self._touched(label, entry)))
            groups.setdefault(section, []).append((label, entry, touched))
        return self._page("interpretations.md.j2", f"{self.game.id}/interpretations", {"search": {"boost": READING_BOOST}}, groups=list(groups.items()))

    def _touched(self, label: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, Spot | None]]:
        """List what an interpretation touches: the chapters that mark it, records, calculators."""
        for chapter in self.plan.chapters[self.game.id]:
            if any(p.kind == "mark" and p.target == label for p in chapter.places):
                yield chapter.info["title"], Spot(f"{self.game.id}/{chapter.id}")
        for target in entry.get("records") or ():
            name, _, slug = target.partition("/")
            if name in self.game.tables and slug in self.game.tables[name].records:
                yield str(self.game.tables[name].records[slug]["name"]), self.plan.record(self.game.id, target)
        for question in entry.get("questions") or ():
            for name, calculator in self.game.calculators.items():
                if question in calculator["questions"]:
                    yield calculator["title"], self.plan.calculators[self.game.id, name]
                    break

    def _records(self, table: Table) -> Iterator[tuple[str, str]]:
        """Give each record its address: a page, or a redirection to its row; and one to each name it had."""
        rows = [row_view(self.reader, table, slug) for slug in table.records]
        paged = (self.game.id, table.name) in self.plan.paged
        for index, row in enumerate(rows):
            folder = f"{self.game.id}/{table.name}"
            spot = self.plan.records[self.game.id, table.name, row.slug]
            if paged:
                neighbours = rows[index - 1] if index else None, rows[index + 1] if index + 1 < len(rows) else None
                yield f"{folder}/{row.slug}.md", self._record(f"{folder}/{row.slug}", table, row, *neighbours)
            former = table.records[row.slug].get("formerly") or ()
            for slug in former if paged else (row.slug, *former):
                page = f"{folder}/{slug}"
                yield f"{page}/index.html", self.template("redirect.html.j2", page, title=row.name, target=web_link(page, spot))

    def _record(self, page: str, table: Table, row: Row, before: Row | None, after: Row | None) -> str:
        kinds: dict[str, list[Citation]] = {kind: [] for kind in self.words["citation"]}
        for citation in self.cited.get((self.game.id, table.name, row.slug), ()):
            kinds[citation.kind].append(citation)
        home = self.plan.rows[self.game.id, table.name, row.slug]
        above = [(self.game.info["short"], Spot(f"{self.game.id}/index")), (table.title, home)]
        crumbs = [[typography.french(text), web_link(page, spot)] for text, spot in above]
        prose = next((cell.text for column, cell in row.cells if cell.pieces and column.kind == "prose"), "")
        return self._page(
            "record.md.j2",
            page,
            {"title": row.name, "description": prose or table.title, "crumbs": crumbs, **_weight(table)},
            table=table,
            row=row,
            explained=self._filling(page).explainer.html,
            home=home,
            # Its interpretations are told in full on the page already.
            cited=[(kind, items) for kind, items in kinds.items() if items and kind != "interpretation"],
            before=before,
            after=after,
        )


def _weight(table: Table) -> dict[str, Any]:
    """Let loose figures come after the things of the game that share their words."""
    return {"search": {"boost": LOOSE_BOOST}} if table.name == CONSTANTS else {}


def _natural(label: str) -> list[tuple[int, str]]:
    """Sort labels as they are counted: A2 before A10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in _DIGITS.split(label)]
