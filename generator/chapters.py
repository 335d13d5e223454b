"""Chapters: the few places a chapter's Markdown may hold for the generator, read and filled.

A place is a line of its own (``::: table tiers``) or a mark in a sentence (``[#entry]``, ``[?ILE-A06]``,
``[Brûlé](ref:effects/brule)``). Code is left alone, and everything here is pure text to text.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

BLOCKS = ("table", "records", "calculator", "calculators", "games")


class Place(NamedTuple):
    """Something to fill in a chapter.

    *kind* is one of BLOCKS, or ``anchor``, ``mark``, ``ref``, ``calc``, ``page``; *target* is what it names;
    *text* is the text of a link, or the punctuation after a mark, which must not be parted from it;
    *line* and *column* are 1-based; *level* is the depth of the heading it stands under.
    """

    kind: str
    target: str
    text: str
    line: int
    column: int
    level: int


class PlaceError(Exception):
    """A place names nothing: *code* is a key of the texts `site.errors`; *path* is the file, *place* the place in it."""

    def __init__(self, code: str, path: str, place: Place) -> None:
        super().__init__(f"{path}:{place.line}:{place.column}: {code}: {place.kind} {place.target}")
        self.code, self.path, self.place = code, path, place


class Heading(NamedTuple):
    """A heading of a chapter: its depth, its words, its anchor (or none) and its line."""

    level: int
    title: str
    anchor: str | None
    line: int


# Nothing here looks past the sign that would open it again: a line of any length is read once.
_FENCE = re.compile(r"^ *(```|~~~)")
_BLOCK = re.compile(r"^:::[ \t]*(?P<kind>[\w-]+)(?:[ \t]+(?P<target>[\w./-]+))?[ \t]*$")
_INLINE = re.compile(
    r"(?P<code>`+[^`]*`+)"
    r"|\[\#(?P<anchor>[^\[\]\s]+)\]"
    r"|(?<![ \u00a0\u202f])(?P<before>[ \u00a0\u202f]*+)\[\?(?P<mark>[^\[\]\s]+)\](?P<after>[ \u00a0\u202f]?[.,;:!?)»…]+)?"
    r"|\[(?P<text>[^\[\]]*)\]\((?P<kind>ref|calc|page):(?P<target>(?:[^()\s]|\([^()\s]*\))*)\)"
)
_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>.*?)[ \t]*(?:\{:?(?P<attributes>[^{}]*)\})?[ \t]*#*$")
_TITLED = re.compile(r"^ *(?:!!!|\?\?\?\+?) ")
_ONLY_ANCHORS = re.compile(r"^(?:\[\#[^\]\s]+\][ \t]*)+$")
_ANCHOR = re.compile(r"\#([^\s}]+)")


def places(text: str) -> list[Place]:
    """List every place of a chapter, in reading order; unknown kinds are listed too, for a check to refuse."""
    found: list[Place] = []
    fill(text, lambda place: found.append(place) or "")
    return found


def headings(text: str) -> list[Heading]:
    """List the headings of a chapter.

    >>> headings("# Le combat\\n\\n## Frapper {: #frapper }")
    [Heading(level=1, title='Le combat', anchor=None, line=1), Heading(level=2, title='Frapper', anchor='frapper', line=3)]
    """
    found = []
    for number, line, fenced in _lines(text):
        heading = None if fenced else _HEADING.match(line)
        if heading:
            anchor = _ANCHOR.search(heading["attributes"] or "")
            title = _INLINE.sub(lambda match: match["text"] or match["code"] or "", heading["title"]).strip()
            found.append(Heading(len(heading["marks"]), title, anchor and anchor[1], number))
    return found


def fill(text: str, answer: Callable[[Place], str], prose: Callable[[str], str] = str, section: Callable[[], object] = bool) -> str:
    """Replace every place of a chapter by what *answer* says of it.

    The answer of a block stands as a paragraph of its own. *prose* rewrites what stands between the places of a line,
    titles and code left out; *section* is called at each heading. All are called in reading order.

    >>> fill("Lire la table.\\n::: table tiers", lambda place: f"<table id={place.target}>")
    'Lire la table.\\n\\n<table id=tiers>\\n'
    """
    out = []
    level = 0
    for number, line, fenced in _lines(text):
        if fenced:
            out.append(line)
            continue
        if heading := _HEADING.match(line):
            level = len(heading["marks"])
            section()
        if block := _BLOCK.match(line):
            place = Place(block["kind"], block["target"] or "", "", number, 1, level)
            out.append(f"\n{answer(place)}\n")
        elif _ONLY_ANCHORS.match(line):
            # Anchors on a line of their own belong to the block below: they must not make a paragraph.
            anchors = [_inline(match, number, level, answer) for match in _INLINE.finditer(line)]
            out.append(f"\n<div>{''.join(anchors)}</div>\n")
        else:
            rewrite = str if heading or _TITLED.match(line) else prose
            end, parts = 0, []
            for match in _INLINE.finditer(line):
                parts += rewrite(line[end : match.start()]), _inline(match, number, level, answer)
                end = match.end()
            out.append("".join([*parts, rewrite(line[end:])]))
    return "\n".join(out)


def _inline(match: re.Match[str], line: int, level: int, answer: Callable[[Place], str]) -> str:
    if match["code"]:
        return match[0]
    kind = next((name for name in ("anchor", "mark") if match[name]), match["kind"])
    target = match["anchor"] or match["mark"] or match["target"]
    column = match.start() + len(match["before"] or "") + 1
    return answer(Place(kind, target, match["text"] or match["after"] or "", line, column, level))


def _lines(text: str):
    """Yield (number, line, is code) for each line; indented code is not told apart, chapters hold none."""
    fence = None
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if fence:
            yield number, line, True
            if mark and mark[1] == fence:
                fence = None
        else:
            fence = mark and mark[1]
            yield number, line, bool(mark)
