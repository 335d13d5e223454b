"""Problems: what an author has to put right, at its place, in one complete French sentence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from generator import texts
from generator.load import Document

LONGEST_FOUND = 60
LONGEST_LIST = 12
LIKENESS = 0.65
MOST_COMPARED = 150
_HIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]+")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing to put right: *path* from the project's folder, *line* and *column* from 1, a stable *code*, a sentence."""

    path: str
    line: int
    column: int
    code: str
    message: str

    def __str__(self) -> str:
        return f"{_clean(self.path)}:{self.line}:{self.column}: {self.message} [{self.code}]"


def at(path: str, line: int, column: int, code: str, /, **facts: Any) -> Problem:
    """Make the problem *code* at a place; *facts* fill its sentence."""
    return Problem(path, line, column, code, sentence(code, **facts))


def make(document: Document, path: Iterable[str | int], code: str, /, *, key: bool = False, **facts: Any) -> Problem:
    """Make the problem *code* at the value (or the *key*) that *path* leads to in *document*."""
    place = document.key_at(*path) if key else document.at(*path)
    return at(document.path, *place, code, **facts)


def of_document(document: Document) -> list[Problem]:
    """Turn the faults met while reading *document* into problems."""
    return [at(document.path, fault.line, fault.column, fault.code, **fault.facts) for fault in document.faults]


def sentence(code: str, /, **facts: Any) -> str:
    """Fill the sentence *code* of the texts; nothing in a fact is ever interpreted."""
    words = texts.read()["problems"]
    if "reason" in facts:
        # The system gives its reasons by name.
        facts["reason"] = words.get(f"word-system-{str(facts['reason']).lower()}", facts["reason"])
    return words[code].format(**{name: _clean(fact) for name, fact in facts.items()})


def shown(value: Any) -> str:
    """Say *value* as an author would recognise it: quoted text, decimal point as written, or what kind of block it is."""
    match value:
        case None:
            return sentence("word-nothing")
        case bool():
            return "true" if value else "false"
        case Fraction():
            return str(value) if value.denominator == 1 else _decimal(value)
        case int():
            return str(value)
        case dict():
            return sentence("word-mapping")
        case list():
            return sentence("word-list")
        case _:
            return sentence("word-quoted", text=shortened(str(value)))


def quoted(values: Iterable[Any], last: str = "word-or") -> str:
    """Say *values* as a French list of words: « a », « b » ou « c »."""
    return listed([sentence("word-quoted", text=shortened(str(value))) for value in values], last)


def listed(words: list[str], last: str = "word-and") -> str:
    """Put *words* one after the other, as a sentence does."""
    return sentence(last, most=", ".join(words[:-1]), last=words[-1]) if len(words) > 1 else "".join(words)


def suggestion(name: Any, known: Iterable[Any]) -> str:
    """Say which of the *known* names the author probably meant by *name*, else list them, or nothing when there are none."""
    known = list(dict.fromkeys(map(str, known)))
    close = nearest(name, known)
    if close:
        return sentence("word-suggestion", name=close)
    if len(known) > LONGEST_LIST:
        return sentence("word-choices-among", names=", ".join(sentence("word-quoted", text=shortened(word)) for word in known[:LONGEST_LIST]))
    return sentence("word-choices", names=quoted(known)) if known else ""


def nearest(name: Any, known: Iterable[str]) -> str | None:
    """Return which of the *known* names looks most like *name*, the first of them when several do, or None."""
    name = str(name)[:LONGEST_FOUND]
    compare = difflib.SequenceMatcher(b=name)
    best, likeness = None, LIKENESS
    known = list(known)
    if len(known) > MOST_COMPARED:
        # Comparing costs: among very many names, only those that start or end alike are looked at.
        known = [other for other in known if other[:2] == name[:2] or other[-2:] == name[-2:]][:MOST_COMPARED]
    for other in known:
        compare.set_seq1(other)
        # The quick bounds spare most of the comparing.
        if compare.real_quick_ratio() > likeness and compare.quick_ratio() > likeness and (ratio := compare.ratio()) > likeness:
            best, likeness = other, ratio
    return best


def shortened(text: str) -> str:
    """Give the beginning of *text*, on one line."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST_FOUND else text[: LONGEST_FOUND - 1] + "…"


def _decimal(value: Fraction) -> str:
    """Write an exact decimal as the author did, 37.5; a fraction that has no end stays a fraction."""
    for places in range(1, LONGEST_FOUND // 2):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return str(value)


def _clean(fact: Any) -> Any:
    return _HIDDEN.sub(" ", fact) if isinstance(fact, str) else fact
