"""Formulas: the rules code can read every question, and finds every name it uses."""

from collections.abc import Iterator
from typing import Any

from generator import answers, problems, slips
from generator.load import Document
from generator.problems import Problem
from generator.records import Project

name = "formulas"

# What may be false while a table, or the question itself, is not whole.
UNSURE_TABLES = frozenset({"unknown-table", "unknown-record", "unknown-column"})
UNSURE = UNSURE_TABLES | {"unknown-name", "question-shape"}
# What tells that the language has no such formula: another spelling of it may be meant.
UNREAD = frozenset({"formula-syntax", "formula-not-allowed"})
# How a list of facts is written, when not with commas.
JOINTS = {"trail": " → "}


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the faults of every question, at the character of the formula where the reader is lost."""
    faults = answers.faults(project)
    for game in project.games.values():
        for question, described in (game.questions | game.partial.get("questions", {})).items():
            unsure = UNSURE_TABLES if answers.touched(game, described) else ()
            unsure = UNSURE if question not in game.questions else unsure
            for fault in faults[f"{game.id}/{question}"]:
                if fault.code not in unsure:
                    home = game.home(fault.table, *fault.path) if fault.table else game.home("questions", question, *fault.path)
                    yield _problem(*home, fault, texts)


def _problem(document: Document, path: tuple[str | int, ...], fault: Any, texts: dict[str, Any]) -> Problem:
    line, column = document.at(*path) if fault.offset is None else document.inside(path, fault.offset)
    facts = {
        key: JOINTS.get(key, ", ").join(map(str, fact)) if isinstance(fact, (list, tuple)) else str(fact) for key, fact in fault.facts.items() if key != "known"
    }
    wanted = fault.facts.get("found", fault.facts.get("name"))
    known = fault.facts.get("known", ())
    # A function may be called by its French name.
    wanted = texts["slips"].get(wanted, wanted) if texts["slips"].get(wanted) in known else wanted
    facts["hint"] = problems.suggestion(wanted, known)
    if fault.code in UNREAD:
        # A text that lost its end on the way says little of what was meant.
        whole = all(other.line != line for other in document.faults)
        facts["hint"] = _meant(document.value_at(path), texts["slips"]) if whole else ""
    if "least" in fault.facts:
        least, most = fault.facts["least"], fault.facts["most"]
        facts["count"] = str(least) if least == most else problems.sentence("word-range", low=least, high=most)
    if fault.code in texts["problems"]:
        return problems.at(document.path, line, column, fault.code, **facts)
    # A fault the texts do not know yet is still told, in the words of the rules code.
    told = ", ".join(f"{key} = {fact}" for key, fact in facts.items() if key not in ("hint", "known"))
    sentence = problems.sentence("formula-fault", fault=fault.code, told=told)
    return Problem(document.path, line, column, fault.code, sentence)


def _meant(formula: Any, words: dict[str, str]) -> str:
    """Say how the language would write *formula*, or nothing."""
    meant = slips.mended(formula, words) if isinstance(formula, str) else None
    return problems.sentence("word-suggestion", name=_changed(formula, meant)) if meant else ""


def _changed(before: str, after: str) -> str:
    """Return *after*, or its part that differs from *before* when it is long."""
    if len(after) <= problems.LONGEST_FOUND:
        return after
    start = next(place for place in range(len(after)) if before[place : place + 1] != after[place])
    start = after.rfind(" ", 0, start) + 1
    return ("… " if start else "") + problems.shortened(after[start:])
