"""Filling: what stands at each place of a chapter."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from generator import chapters, typography
from generator.addresses import GAME_PAGES, Plan, Spot, source_link, table_id, tool_id
from generator.cells import hint
from generator.chapters import Place, PlaceError
from generator.records import Game
from generator.terms import Explainer, Lexicon
from generator.views import TableView

_ID = re.compile(r'\bid="[^"]*"')
DEEPEST = 4  # a heading below this says nothing in a table of contents


class Filling:
    """Fills the places of one page; *panels* gathers the sets of interpretations its marks open."""

    def __init__(
        self,
        page: str,
        games: Mapping[str, Game],
        game: Game,
        plan: Plan,
        words: Mapping[str, Any],
        views: Mapping[str, TableView],
        calculator: Callable[[str], str],
        template: Callable[..., str],
        lexicon: Lexicon,
    ) -> None:
        self.games = games
        self.page, self.game, self.plan, self.words, self.views = page, game, plan, words, views
        self.html, self.template = calculator, template
        self.explainer = Explainer(lexicon, page, game.id, plan, self._term)
        self.panels: list[tuple[str, ...]] = []
        self.ids: set[str] = set()
        self.fillers: dict[str, Callable[[Place], str | None]] = {
            "table": lambda place: self.table(place.target),
            "records": lambda place: self._table("records.html.j2", place.target),
            "calculator": lambda place: self.calculator(place.target, place.level),
            "anchor": lambda place: self._anchor(place.target),
            "mark": self._mark,
            "ref": self._reference,
            "calc": self._calculation,
            "page": self._page,
        }

    def fill(self, path: str, text: str) -> str:
        """Fill the places of *text*, the prose of the file *path*; raises PlaceError where one names nothing."""

        def answer(place: Place) -> str:
            if place.kind not in self.fillers:
                raise PlaceError("place-kind", path, place)
            try:
                return self.fillers[place.kind](place)
            except KeyError:
                raise PlaceError("place-target", path, place) from None

        self.ids |= {heading.anchor for heading in chapters.headings(text) if heading.anchor}
        for place in chapters.places(text):
            if place.kind in ("table", "records") and place.target in self.views:
                self.ids |= {table_id(place.target), *(row.id for row in self.views[place.target].rows)}
        return chapters.fill(typography.prose(text), answer, self.explainer.markdown, self.explainer.section)

    def table(self, name: str) -> str:
        """Lay out a table; when its records have pages, they are what a search finds."""
        return self._table("table.html.j2", name)

    def calculator(self, name: str, level: int) -> str:
        """Lay out a calculator under a heading of its own, one step below the heading of depth *level*."""
        calculator = self.game.calculators[name]
        return self.template(
            "tool.md.j2",
            self.page,
            tool=calculator,
            level=min(level + 1, DEEPEST),
            anchor=self._free(name) or f"titre-{name}",
            html=_with_id(self.html(f"{self.game.id}/{name}"), tool_id(name)),
            labels=self._labels(calculator["questions"]),
        )

    def _anchor(self, name: str) -> str:
        """Mark the place of an entry; where its name leads to a heading or a row of the page already, that will do."""
        return f'<span class="rl-anchor" id="{name}"></span>' if self._free(name) else ""

    def _free(self, name: str) -> str:
        """Take *name* as an id of the page; nothing when it is taken."""
        if name in self.ids:
            return ""
        self.ids.add(name)
        return name

    def _table(self, template: str, name: str) -> str:
        view = self.views[name]
        indexed = (self.game.id, name) not in self.plan.paged
        return self.template(template, self.page, view=view, marks=self._marks, indexed=indexed, explained=self.explainer.html)

    def _labels(self, questions: list[str]) -> list[str]:
        """List the interpretations that questions follow, whichever of the two names the other."""
        labels: dict[str, None] = {}
        for question in questions:
            asked = self.game.questions.get(question) or {}
            labels |= dict.fromkeys(asked.get("interpretations") or ())
            labels |= {label: None for label, entry in self.game.interpretations.items() if question in (entry.get("questions") or ())}
        return [label for label in labels if label in self.game.interpretations]

    def _marks(self, labels: tuple[str, ...]) -> list[str]:
        """Register the panel of a set of interpretations, and say what its mark announces."""
        if labels not in self.panels:
            self.panels.append(labels)
        titles = (self.game.interpretations[label]["title"] for label in labels)
        return [typography.french(self.words["mark"].format(title=title)) for title in titles]

    def _mark(self, place: Place) -> str:
        labels = (place.target,)
        return self.template("mark.html.j2", self.page, labels=labels, titles=self._marks(labels), after=place.text).strip()

    def _link(self, text: str, spot: Spot, query: str = "", title: str = "") -> str:
        told = self.template("title.j2", self.page, title=title).strip() if title else ""
        return f"[{text}]({source_link(self.page, spot, query)}{told and ' ' + told})"

    def _term(self, text: str, spot: Spot, title: str) -> str:
        return self._link(text, spot, title=title) + "{: .rl-term }"

    def _reference(self, place: Place) -> str:
        spot = self.plan.record(self.game.id, place.target)
        if spot is None:
            raise KeyError(place.target)
        parts = place.target.split("/")
        game = self.games.get(parts[0], self.game) if len(parts) == 3 else self.game
        if game is self.game:
            self.explainer.told(*parts[-2:])
        return self._link(place.text, spot, title=hint(game, *parts[-2:]))

    def _calculation(self, place: Place) -> str:
        """Link to a calculator with its inputs filled, in the address the browser side reads and writes."""
        name, _, inputs = place.target.partition("?")
        query = f"c={self.game.id}/{name}" + (f"&{inputs}" if inputs else "")
        return self._link(place.text, self.plan.calculators[self.game.id, name], quote(query, safe="=&,:+/%"))

    def _page(self, place: Place) -> str:
        """Link to a chapter: ``combat#frapper``, ``#frapper`` in this page, ``jeu/repos`` in another game."""
        address, _, anchor = place.target.partition("#")
        if not address:
            return self._link(place.text, Spot(self.page, anchor))
        game, _, name = address.rpartition("/")
        game = game or self.game.id
        if (game, name) not in self.plan.handouts and name not in {*GAME_PAGES, *(chapter.id for chapter in self.plan.chapters[game])}:
            raise KeyError(place.target)
        return self._link(place.text, Spot(f"{game}/{name}", anchor or None))


def _with_id(html: str, name: str) -> str:
    """Give the element that *html* starts with the id *name*."""
    return _ID.sub(f'id="{name}"', html, count=1)
