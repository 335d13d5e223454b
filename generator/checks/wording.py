"""Wording: French text is plain text or Markdown, never HTML."""

import re
from collections.abc import Iterator
from typing import Any

from generator import problems
from generator.problems import Problem
from generator.records import Project

name = "wording"

TAG = re.compile(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*|/)?>|<!--")
ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]+);")
CODE = re.compile(r"`+[^`]*`+")
FENCE = re.compile(r"^ *(```|~~~)")
# In a formula, < compares.
FORMULAS = frozenset({"formula", "when", "of", "each", "facts", "count", "min", "max", "steps"})


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the HTML tags and entities found in the data and in the chapters."""
    for game in project.games.values():
        for file, document in game.documents.items():
            if "<" in document.source or "&" in document.source:
                skipped = FORMULAS if file.startswith("questions/") else frozenset()
                for path, tag in _tags(document.value, (), skipped):
                    yield problems.make(document, path, "html", tag=tag)
        for chapter in game.chapters.values():
            fence = ""
            for number, line in enumerate(chapter.text.split("\n"), 1):
                mark = FENCE.match(line)
                if mark and fence in ("", mark[1]):
                    fence = "" if fence else mark[1]
                elif not fence:
                    # Code keeps its length, so that columns stay true.
                    line = CODE.sub(lambda code: "·" * len(code[0]), line)
                    for tag in (*TAG.finditer(line), *ENTITY.finditer(line)):
                        yield problems.at(chapter.path, number, tag.start() + 1, "html", tag=tag[0])


def _tags(value: Any, path: tuple[str | int, ...], skipped: frozenset[str]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        found = TAG.search(value) or ENTITY.search(value)
        if found:
            yield path, found[0]
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _tags(item, (*path, index), skipped)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in skipped:
                yield from _tags(item, (*path, key), skipped)
