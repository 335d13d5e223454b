"""Checks: one rule about the data per file, each with a `name` and `check(project, texts)` that yields problems."""

import traceback
from itertools import islice
from pathlib import Path
from typing import Any

from generator import problems
from generator.checks import (
    colours,
    examples,
    formulas,
    handouts,
    identifiers,
    percentages,
    places,
    ranges,
    references,
    signatures,
    sources,
    starts,
    terms,
    wording,
)
from generator.problems import Problem
from generator.records import Project

CHECKS = (identifiers, references, sources, ranges, percentages, signatures, formulas, examples, starts, places, handouts, terms, wording, colours)

# What one check finds beyond this is told another time.
MOST_TOLD = 500


def run(project: Project, texts: dict[str, Any]) -> list[Problem]:
    """Return all the problems of *project*, those met while reading it included, in the order of files and lines."""
    found = set(project.problems)
    for one in CHECKS:
        try:
            told = list(islice(one.check(project, texts), MOST_TOLD))
            found.update(told)
            if len(told) == MOST_TOLD:
                found.add(problems.at(told[-1].path, told[-1].line, told[-1].column, "too-many", most=MOST_TOLD))
        except Exception as error:  # a bug in one check must not hide what the others find
            found.add(_crash(one, error))
    return sorted(found)


def _crash(one: Any, error: Exception) -> Problem:
    """Tell that a check broke, at the line of the check where it did."""
    file = Path(one.__file__ or one.name)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == file]
    reason = f"{type(error).__name__}: {error}"
    return problems.at(f"generator/checks/{file.name}", lines[-1] if lines and lines[-1] else 1, 1, "check-crash", name=one.name, reason=reason)
