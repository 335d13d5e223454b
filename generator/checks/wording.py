"""Wording: French text is plain text or Markdown, never HTML."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from generator import problems, syntax
from generator.problems import Problem
from generator.records import Chapter, Project

name = "wording"

TAG = re.compile(r"<[a-zA-Z/!?][^<>\n]*>?")
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")
# In a chapter, what a Markdown reader takes for attributes.
ATTRIBUTES = re.compile(r"\{[^{}=\n]*+=[^{}\n]*+\}")
LINK = re.compile(r"\]\(\s*<?\s*(?P<target>[^)\s>]*)|^ {0,3}\[[^\]\n]+\]:\s*<?(?P<defined>[^\s>]*)", re.MULTILINE)
SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
SCHEMES = frozenset({"http", "https", "mailto", "ref", "calc", "page"})
CODE = re.compile(r"(?<![\\`])(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")
FENCE = re.compile(r"(~{3,}|`{3,}) *[\w#.+-]* *")
# In a formula, < compares.
FORMULAS = frozenset({"when", "of", "each", "facts", "count", "min", "max", "roll"})
# What a step says besides the formulas.
SAID = ("label", "unit", "note", "told", "choices")


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the HTML tags, entities and attributes found in the data and in the chapters, and links that are no addresses."""
    for game in project.games.values():
        for file, document in game.documents.items():
            if "<" in document.source or "&" in document.source:
                value = document.value
                if file.startswith("questions/") and isinstance(value, dict):
                    value = {name: _said(question) for name, question in value.items() if isinstance(question, dict)}
                for path, tag in _tags(value, ()):
                    yield problems.make(document, path, "html", tag=problems.shortened(tag))
        for chapter in game.chapters.values():
            yield from _chapter(chapter, project)


def _chapter(chapter: Chapter, project: Project) -> Iterator[Problem]:
    text = _without_code(chapter.text)
    for pattern in (TAG, ATTRIBUTES, ENTITY):
        for found in pattern.finditer(text):
            yield _problem(chapter, found.start(), "html", tag=problems.shortened(found[0]))
    for found in LINK.finditer(text):
        part = "target" if found["target"] is not None else "defined"
        scheme = SCHEME.match(found[part])
        if scheme and scheme[1].lower() not in SCHEMES:
            yield _problem(chapter, found.start(part), "link-scheme", scheme=scheme[1])
        elif not scheme and found[part]:
            yield from _file(chapter, project, found[part], found.start(part))


def _file(chapter: Chapter, project: Project, target: str, index: int) -> Iterator[Problem]:
    """Find a link that leads to no file, or to a chapter in another way than ours, which alone is checked to its anchor."""
    address, _, anchor = target.partition("#")
    folder, _, own = chapter.path.rpartition("/")
    if not address or address.endswith(".md"):
        page = (address or own).removesuffix(".md")
        meant = f"page:{page}#{anchor}" if anchor else f"page:{page}"
        yield _problem(chapter, index, "chapter-link", found=problems.shortened(target), meant=problems.shortened(meant))
    elif not (project.root / folder / unquote(address)).is_file():
        yield _problem(chapter, index, "file-link", found=problems.shortened(target), folder=folder)


def _problem(chapter: Chapter, index: int, code: str, **facts: str) -> Problem:
    return problems.at(chapter.path, *syntax.place(chapter.text, index), code, **facts)


def _without_code(text: str) -> str:
    """Hide code, keeping lengths so that places stay true; what a Markdown reader may not take for code is left."""
    blocks = re.split(r"(\n[ \t]*\n)", _without_fences(text))
    for place, block in enumerate(blocks):
        hidden = CODE.sub(_hidden, block)
        # With a backtick on its own, nobody knows where code starts and ends in this paragraph.
        if "`" not in hidden:
            blocks[place] = hidden
    return "".join(blocks)


def _without_fences(text: str) -> str:
    """Hide what stands between two fences of the same signs; a fence that is never closed hides nothing."""
    lines = text.split("\n")
    closing: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        closing.setdefault(line.rstrip(" "), []).append(number)
    start = 0
    while start < len(lines):
        fence = FENCE.fullmatch(lines[start])
        ends = closing.get(fence[1], []) if fence else []
        place = bisect_right(ends, start)
        if place < len(ends):
            for number in range(start, ends[place] + 1):
                lines[number] = "·" * len(lines[number])
            start = ends[place]
        start += 1
    return "\n".join(lines)


def _hidden(code: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "·", code[0])


def _said(question: dict[str, Any]) -> dict[str, Any]:
    """Keep of a question what a reader reads: no formula."""
    steps = question.get("steps")
    kept = {key: _without_formulas(value) for key, value in question.items() if key != "steps"}
    if isinstance(steps, dict):
        kept["steps"] = {name: {key: step[key] for key in SAID if key in step} for name, step in steps.items() if isinstance(step, dict)}
    return kept


def _without_formulas(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_formulas(item) for key, item in value.items() if key not in FORMULAS}
    return [_without_formulas(item) for item in value] if isinstance(value, list) else value


def _tags(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        found = TAG.search(value) or ENTITY.search(value)
        if found:
            yield path, found[0]
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _tags(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _tags(key, (*path, key))
            yield from _tags(item, (*path, key))
