"""Formulas: the rules code can read every question, and finds every name it uses."""

from collections.abc import Iterator
from typing import Any

from generator import answers, problems
from generator.load import Document
from generator.problems import Problem
from generator.records import Project

name = "formulas"

# How a list of facts is written, when not with commas.
JOINTS = {"trail": " → "}


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the faults of every question, at the character of the formula where the reader is lost."""
    faults = answers.faults(project)
    for game in project.games.values():
        for question, described in game.questions.items():
            if answers.touched(game, described):
                continue
            document, _ = game.home("questions", question)
            for fault in faults[f"{game.id}/{question}"]:
                yield _problem(document, (question, *fault.path), fault, texts["problems"])


def _problem(document: Document, path: tuple[str | int, ...], fault: Any, sentences: dict[str, str]) -> Problem:
    line, column = document.at(*path)
    if fault.offset is not None and fault.offset >= 0:
        line, column = document.inside(path, fault.offset)
    facts = {key: JOINTS.get(key, ", ").join(map(str, fact)) if isinstance(fact, (list, tuple)) else str(fact) for key, fact in fault.facts.items()}
    wanted = fault.facts.get("found", fault.facts.get("name"))
    facts["hint"] = problems.suggestion(wanted, fault.facts["known"]) if "known" in fault.facts else ""
    if fault.code in sentences:
        return problems.at(document.path, line, column, fault.code, **facts)
    # A fault the texts do not know yet is still told, in the words of the rules code.
    told = ", ".join(f"{key} = {fact}" for key, fact in facts.items() if key not in ("hint", "known"))
    sentence = problems.sentence("formula-fault", fault=fault.code, told=told)
    return Problem(document.path, line, column, fault.code, sentence)
