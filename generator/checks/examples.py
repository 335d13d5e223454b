"""Examples: every question has worked examples, and the rules code finds what they expect."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from generator import answers, problems
from generator.load import Document
from generator.problems import Problem
from generator.records import Project

name = "examples"

LONGEST = 160

type Path = tuple[str | int, ...]

# Why the rules cannot answer, when more can be said of it than its name.
WHY = "word-why-"
MORE = "word-why-more"
MISFIT = "word-misfit"
FAILED = "word-failed-"
FAILURES = frozenset({"ZeroDivisionError", "TypeError", "ValueError", "KeyError", "IndexError", "OverflowError", "TableError"})
# Python tells these in its own words, which say nothing to an author.
MISFITS = {"AttributeError": "TypeError"}
FRENCH_DECIMAL = re.compile(r"-?\d+,\d+")
PLAIN_WORD = re.compile(r"[\w+-]+")
# What a mechanism or a function cannot do, by the word it says so with.
WORDS = ("race", "chain", "matching", "packs", "pairing", "mixes", "power", "range", "expand")
BEYOND = {word: f"word-beyond-{word}" for word in WORDS}
VALUE = "word-value-"
VALUES = frozenset({"int", "Fraction", "str", "list", "dict", "bool", "NoneType", "Distribution", "Event", "Dice"})
REASONS = frozenset({"failed", "wrong-kind", "too-long", "too-deep", "cycle", "impossible-dice", "not-a-draw"})


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the examples that the rules contradict, and the questions that have none."""
    from calculators import examples

    rulebook = answers.rulebook(project)
    for game in project.games.values():
        for question in game.questions:
            document, _ = game.home("questions", question)
            if not game.questions[question].get("examples"):
                yield problems.make(document, (question,), "no-example", key=True, question=question)
                continue
            identifier = f"{game.id}/{question}"
            # A question the rules cannot read, or which reads a table that is wrong, is told by other checks.
            if answers.touched(game, game.questions[question]) or answers.faults(project)[identifier]:
                continue
            # The rules' own copy: its numbers are written as those of the answer.
            described = rulebook.data["games"][game.id]["questions"][question]
            failed: dict[tuple[Any, Any], list[tuple[Path, dict[str, Any]]]] = {}
            for place, example in enumerate(described["examples"]):
                path = (question, "examples", place)
                if not _is_sound(example, described):
                    continue
                try:
                    facts = examples.check(rulebook, identifier, example)
                except Exception as error:  # one example that breaks the rules code must not hide the others
                    yield problems.make(document, path, "example-crash", reason=f"{type(error).__name__}: {error}")
                    continue
                if facts is not None and facts["found"] == "cannot-answer":
                    cause = (facts["facts"].get("reason"), facts["facts"].get("formula"))
                    failed.setdefault(cause, []).append(((*path, "expected"), facts["facts"]))
                elif facts is not None:
                    yield _problem(document, (*path, "expected"), facts)
            for (path, facts), *others in failed.values():
                # One wrong formula fails everywhere: it is told once.
                more = problems.sentence(MORE, count=len(others)) if others else ""
                yield problems.make(document, path, "example-cannot", why=why(facts), more=more)


def _is_sound(example: dict[str, Any], described: dict[str, Any]) -> bool:
    """Say whether an example names only what the question has: another check tells what it has not."""
    outputs, expected = described["outputs"], example["expected"]
    spread = "error" in expected or any(output.get("kind") == "spread" for output in outputs.values())
    return example["inputs"].keys() <= described["inputs"].keys() and (spread or expected.keys() <= outputs.keys())


def _problem(document: Document, path: Path, facts: dict[str, Any]) -> Problem:
    """Tell that an example is answered otherwise, is refused and should not be, is not and should be, or is in another way."""
    if facts["key"] != "error":
        shown = {key: _told(facts[key]) for key in ("expected", "found")}
        comma = isinstance(facts["expected"], str) and FRENCH_DECIMAL.fullmatch(facts["expected"])
        hint = problems.sentence("hint-decimal", number=facts["expected"].replace(",", ".")) if comma else ""
        return problems.make(document, (*path, facts["key"]), "wrong-example", name=facts["key"], hint=hint, **shown)
    if "facts" not in facts:
        return problems.make(document, (*path, "error"), "example-answered", expected=facts["expected"], found=_told(facts["found"]))
    if facts["expected"] is None:
        return problems.make(document, path, "example-refused", found=facts["found"], reason=facts["message"])
    return problems.make(document, (*path, "error"), "wrong-example", name="error", hint="", expected=facts["expected"], found=facts["found"])


def why(facts: dict[str, Any]) -> str:
    """Say why the rules could not answer."""
    reason = facts.get("reason", "")
    details = {"reason": reason, "formula": "", "found": "", "name": "", **facts}
    if reason == "failed":
        kind, _, found = str(details["found"]).partition(": ")
        kind = MISFITS.get(kind, kind)
        if kind == "ValueError" and found in BEYOND:
            return problems.sentence(WHY + reason, **details | {"found": problems.sentence(BEYOND[found])})
        if kind == "ValueError" and not PLAIN_WORD.fullmatch(found):
            kind = "TypeError"
        if kind == "TypeError":
            found = problems.sentence(MISFIT, detail=_value(found)) if PLAIN_WORD.fullmatch(found) else ""
        details["found"] = problems.sentence(FAILED + (kind.lower() if kind in FAILURES else "other"), detail=found.strip("'"))
    if reason in ("wrong-kind", "not-a-draw"):
        details["found"] = _value(details["found"])
    return problems.sentence(WHY + (reason if reason in REASONS else "other"), **details)


def _value(kind: str) -> str:
    """Say what a value is, by the name of its kind in the rules code."""
    return problems.sentence(VALUE + kind.lower()) if kind in VALUES else kind


def _told(value: Any) -> str:
    text = _written(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _written(value: Any) -> str:
    """Write a value as an author would in the data."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_written(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(item) for item in value) + "]"
    if value is None or isinstance(value, (bool, int, Fraction)):
        return "null" if value is None else problems.shown(value)
    return str(value)
