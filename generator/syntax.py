"""Syntax mistakes of YAML: what the parser says in its own words, as a code, a place and facts.

The parser stops where it is lost, which is often after the mistake; this looks around that place
for what authors really do (a tab, a missing space, a quote left open) and points there.
"""

import re
from typing import Any

type Place = tuple[int, int]
type Explained = tuple[int, int, str, dict[str, Any]]

KEY_WITHOUT_SPACE = re.compile(r"\s*(?:- )?([\w-]+):(?=[^\s:/])")
KEY_BEFORE_BLOCK = re.compile(r"\s*(?:- )?([\w-]+):(?=[\[{\"'])")
# An unbreakable space where YAML counts spaces, or waits for one after a colon.
HARD_SPACE = re.compile(r"^ *(?:- )?(?:[\w-]+:)?[\u00a0\u202f]", re.MULTILINE)
# What may stand just before a value: a quote or a bracket anywhere else is a character like another.
BEFORE_VALUE = frozenset(":,[{-")
EXCERPT = 40
FOLDS = frozenset("|>+-0123456789")


def place(text: str, index: int) -> Place:
    """Give the line and column, from 1, of the character *index* of *text*."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def follow(source: str, line: int, column: int, text: str, offset: int) -> Place:
    """Find in *source* the character *offset* of *text*, a scalar written from *line* and *column* (from 0)."""
    start = (line + 1, column + 1)
    lines = source.split("\n")
    if line >= len(lines):
        return start
    row, at = line, column
    head = lines[row][at : at + 1]
    if head in ("|", ">"):
        row, at = row + 1, 0
    elif head in ("'", '"'):
        at += 1
    for index, character in enumerate(text):
        if index > offset:
            break
        if character.isspace():
            continue
        while row < len(lines) and not lines[row][at:].strip():
            row, at = row + 1, 0
        if row >= len(lines):
            return start
        while lines[row][at].isspace():
            at += 1
        if lines[row][at] != character:
            return start
        if index == offset:
            return row + 1, at + 1
        at += 1
    return row + 1, at + 1


def explain(text: str, context_at: Place | None, problem_at: Place | None, context: str, problem: str) -> Explained:
    """Say what is wrong where the parser gave up: line and column from 1, code, facts.

    Places come from 0; *context* and *problem* are the words of libyaml or of ruamel's own parser.
    """
    lines = text.split("\n")
    line, column = problem_at or context_at or (0, 0)
    here = lines[line] if line < len(lines) else ""
    character = here[column : column + 1]
    facts = {"found": _excerpt(here), "line": line + 1}

    def answer(code: str, at: Place = (line, column), **more: Any) -> Explained:
        return at[0] + 1, at[1] + 1, code, facts | more

    hard = HARD_SPACE.search("\n".join(lines[: line + 1]))
    if hard:
        return answer("yaml-hard-space", _from_zero(text, hard.end() - 1))
    if character == "\t" or (here[:column].endswith("\t") and "token" in context):
        return answer("yaml-tab", (line, here.index("\t")))
    if "cannot start any token" in problem:
        return answer("yaml-reserved-character", character=character)
    if "unexpected end of stream" in problem and context_at:
        opened = lines[context_at[0]]
        return answer("yaml-unclosed-quote", context_at, found=_excerpt(opened), quote=opened[context_at[1]])
    if "unexpected ':'" in problem:
        return answer("yaml-missing-space" if character == ":" else "yaml-unexpected", character=character)
    if "could not find expected ':'" in problem and context_at:
        return answer("yaml-missing-colon", context_at, found=_excerpt(lines[context_at[0]]))
    if "mapping values are not allowed" in problem:
        return _lost_colon(lines, line, column, answer)
    if "sequence entries are not allowed" in problem:
        return answer("yaml-dash")
    if "',' or" in problem and context_at:
        if character == ":" and context_at[0] == line:
            return answer("yaml-colon-in-brackets")
        return answer("yaml-unclosed-bracket", context_at, bracket=lines[context_at[0]][context_at[1]])
    if "escape" in problem:
        return answer("yaml-escape")
    if "block scalar" in context:
        return answer("yaml-block-text")
    if "anchor" in context or "alias" in context:
        return answer("yaml-reserved-character", context_at, character=lines[context_at[0]][context_at[1]])
    if "directive" in context:
        return answer("yaml-reserved-character", (line, 0), character="%")
    if "expected key" in problem or "<block end>" in problem or "indicator" in problem or "document start" in problem:
        return _lost_indent(lines, line, column, answer)
    if "node content" in problem and character:
        return answer("yaml-unexpected", character=character)
    brackets, _ = _opened(lines, line, column)
    if brackets:
        opened = lines[brackets[-1][0]]
        return answer("yaml-unclosed-bracket", brackets[-1], found=_excerpt(opened), bracket=opened[brackets[-1][1]])
    return answer("yaml-syntax")


def _from_zero(text: str, index: int) -> Place:
    line, column = place(text, index)
    return line - 1, column - 1


def _lost_colon(lines: list[str], line: int, column: int, answer: Any) -> Explained:
    here = lines[line]
    glued = KEY_BEFORE_BLOCK.match(here)
    if glued:
        return answer("yaml-missing-space", (line, glued.end() - 1))
    above = _line_above(lines, line)
    if above is not None:
        glued = KEY_WITHOUT_SPACE.match(lines[above])
        if glued and ": " not in lines[above]:
            return answer("yaml-missing-space", (above, glued.end() - 1), found=_excerpt(lines[above]))
    if re.search(r":\s", here[:column]):
        return answer("yaml-colon-in-text")
    return answer("yaml-indent", (line, len(here) - len(here.lstrip())))


def _lost_indent(lines: list[str], line: int, column: int, answer: Any) -> Explained:
    here = lines[line] if line < len(lines) else ""
    before = here[:column].rstrip()
    quote = before[-1:]
    if quote in ("'", '"'):
        # A quote left open above closes on the next one: the parser is lost some lines late.
        _, start = _opened(lines, line, len(before) - 1)
        if start and start[0] < line:
            return answer("yaml-unclosed-quote", start, found=_excerpt(lines[start[0]]), quote=quote)
        return answer("yaml-after-quote", quote=quote)
    if here[column : column + 1] in ("]", "}"):
        return answer("yaml-unexpected", character=here[column])
    if not here.strip():
        return answer("yaml-syntax")
    above = _line_above(lines, line)
    glued = KEY_WITHOUT_SPACE.match(here)
    if glued and ": " not in here:
        return answer("yaml-missing-space", (line, glued.end() - 1))
    if above is not None and here.lstrip().startswith("- ") != lines[above].lstrip().startswith("- ") and (_indent(here) == _indent(lines[above])):
        return answer("yaml-list-mixed")
    return answer("yaml-indent", (line, _indent(here)))


def _opened(lines: list[str], line: int, column: int) -> tuple[list[Place], Place | None]:
    """Follow the text up to a place: the brackets still open there, the last one last, and where the quote open there starts."""
    brackets: list[Place] = []
    quote, start = "", None
    for row, text in enumerate(lines[: line + 1]):
        at, end, before = 0, column if row == line else len(text), ":"
        while at < end:
            character = text[at]
            if quote:
                if character == "\\" and quote == '"':
                    at += 1
                elif character == quote:
                    if quote == "'" and text[at + 1 : at + 2] == "'":
                        at += 1
                    else:
                        quote, start, before = "", None, "x"
            elif character == "#" and (at == 0 or text[at - 1].isspace()):
                break
            elif character in "'\"" and before in BEFORE_VALUE:
                quote, start = character, (row, at)
            elif character in "[{" and before in BEFORE_VALUE:
                brackets.append((row, at))
                before = character
            elif character in "]}" and brackets:
                brackets.pop()
                before = "x"
            elif not character.isspace():
                before = character
            at += 1
    return brackets, start


def _line_above(lines: list[str], line: int) -> int | None:
    for above in range(line - 1, -1, -1):
        if lines[above].strip() and not lines[above].lstrip().startswith("#"):
            return above
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _excerpt(line: str) -> str:
    line = line.strip()
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"
