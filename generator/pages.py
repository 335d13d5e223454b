"""Pages: every page of the site as Markdown, from the games, their prose and the calculators' HTML.

The only file that knows jinja2. Nothing is read or written here but the templates: values in, {path: text} out.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup, escape

from generator import chapters, typography
from generator.addresses import Spot, plan, web_link
from generator.chapters import Place, PlaceError
from generator.citations import citations
from generator.game_pages import GamePages
from generator.records import Game

TEMPLATES = Path(__file__).parent / "templates"
STYLES = "assets/css/games.css"

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!])")
_MORE_MARKDOWN = re.compile(r"[|~^:=]")  # what only an extension of Markdown would read
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~\u00a0\u202f]")  # Markdown makes a plain space of any other in a title
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_DRAWING = re.compile(r"[a-z0-9][a-z0-9-]*\.svg")
_IN_HEAD = ("title", "description")  # what the theme writes as it is, in tags and in attributes
_SPACES = re.compile(r"[ \t\r\n]+")
_BLANK_LINES = re.compile(r"\n\s*\n+")


class PageError(Exception):
    """Pages cannot be made: *code* is a key of the texts `site.errors`, *facts* fill it."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(f"{code} {facts}")
        self.code, self.facts = code, facts


def render(games: Mapping[str, Game], words: Mapping[str, Any], calculator: Callable[[str], str], prose: Mapping[str, str]) -> dict[str, str]:
    """Make every page: {path under the site's source folder: text}.

    *words* is the section `site` of the texts, *calculator* gives the HTML of "game/calculator",
    *prose* maps the path of each page that belongs to no game to its Markdown.
    Raises PlaceError where a place names nothing, PageError when two pages want one address.
    """
    press = _Press(games, words, calculator)
    pages: dict[str, str] = {}
    for path, text in press.pages(prose):
        if path in pages:
            raise PageError("twice", path=path)
        pages[path] = text
    return pages


class _Press:
    """What all pages share: the templates, and where everything is told."""

    def __init__(self, games: Mapping[str, Game], words: Mapping[str, Any], calculator: Callable[[str], str]) -> None:
        self.games, self.words, self.calculator, self.plan = games, words, calculator, plan(games)
        self.env = SandboxedEnvironment(
            loader=FileSystemLoader(TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.env.filters |= {"french": typography.french, "md": as_markdown, "inert": _inert, "paragraphs": _paragraphs}
        self.env.filters |= {"panel": self._panel, "front": _front}
        self.env.globals |= {"words": words, "spot": Spot, "plan": self.plan, "explained": escape}

    def pages(self, prose: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        for path, text in sorted(prose.items()):
            yield path, self._filled(path, text)
        cited = citations(self.games, self.plan)
        for game in self.games.values():
            yield from GamePages(self.games, game, self.plan, self.words, cited, self.calculator, self._templates(game), self.tools).pages()
        yield STYLES, self._styles()

    def tools(self, page: str, games: Any, **options: bool) -> str:
        """List the calculators of *games* in the template tools.html.j2; *options* are what it shows."""
        groups = [{"game": game, "tools": [self._tool(game, name) for name in game.calculators]} for game in games]
        shown = {"short": False, "titled": False, "filtered": False} | options
        return _render(self.env, "tools.html.j2", page, groups=[group for group in groups if group["tools"]], **shown)

    def _filled(self, path: str, text: str) -> str:
        """Fill the places of a page that belongs to no game."""
        page = path.removesuffix(".md")

        def answer(place: Place) -> str:
            if place.kind == "games":
                return _render(self.env, "games.html.j2", page, games=list(self.games.values()))
            if place.kind == "calculators":
                return self.tools(page, self.games.values(), titled=True, short=place.target == "short", filtered=not place.target)
            raise PlaceError("place-kind", path, place)

        return chapters.fill(typography.prose(text), answer)

    def _templates(self, game: Game) -> Callable[..., str]:
        """Give the function that fills a template for a page of *game*."""
        env = self.env.overlay()
        env.globals = self.env.globals | {"game": game}
        return lambda name, page, **values: _render(env, name, page, **values)

    def _tool(self, game: Game, name: str) -> dict[str, Any]:
        calculator = game.calculators[name]
        return {**calculator, "spot": self.plan.calculators[game.id, name], "does": calculator.get("does") or ()}

    def _panel(self, labels: tuple[str, ...]) -> str:
        """Name the panel in which these readings are told."""
        return "-".join([self.words["panel"], *labels]).lower()

    def _styles(self) -> str:
        for game in self.games.values():
            # The schema asks for the same: what goes into a style sheet is worth checking twice.
            if not _COLOUR.fullmatch(game.info["colour"]):
                raise PageError("colour", colour=game.info["colour"], game=game.id)
            if not _DRAWING.fullmatch(game.info["emblem"]):
                raise PageError("emblem", emblem=game.info["emblem"], game=game.id)
        return _render(self.env, "games.css.j2", "assets/css/games", games=list(self.games.values()))


def as_markdown(text: str) -> Markup:
    """Write text of the data in Markdown so that it reads as itself.

    >>> print(as_markdown("Force * 2 <b>"))
    Force \\\\* 2 &lt;b&gt;
    """
    safe = str(escape(_one_line(str(text))))
    safe = safe.replace("&#39;", "’").replace("&#34;", '"')
    safe = _MARKDOWN.sub(r"\\\1", safe)
    return Markup(_MORE_MARKDOWN.sub(lambda match: f"&#{ord(match[0])};", safe))


def _one_line(text: str) -> str:
    """Set a text of the data on one line; its no-break spaces stay."""
    return _SPACES.sub(" ", typography.french(text)).strip()


def _inert(text: str) -> Markup:
    """Write text for an attribute of a tag that stands in a Markdown sentence: no sign Markdown could read is left."""
    return Markup(_PUNCTUATION.sub(lambda match: f"&#{ord(match[0])};", str(text)))


def _paragraphs(text: str) -> list[str]:
    return [part for part in _BLANK_LINES.split(text.strip()) if part]


def _front(meta: Mapping[str, Any]) -> Markup:
    """Write what a page says of itself; JSON values are YAML values, and quoted ones hold no surprise."""
    told = {key: str(escape(value)) if key in _IN_HEAD else value for key, value in meta.items() if value}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items()]
    return Markup("---\n" + "".join(f"{line}\n" for line in lines) + "---\n\n")


def _render(env: SandboxedEnvironment, name: str, page: str, **values: Any) -> str:
    """Fill a template for *page*; runs of blank lines, which only come from the template's own layout, become one."""
    text = env.get_template(name).render(link=lambda spot: web_link(page, spot), **values)
    return _BLANK_LINES.sub("\n\n", text).strip() + "\n"
