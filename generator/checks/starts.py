"""Starts: what a calculator shows first is an answer, not a refusal of the values it starts with."""

from collections.abc import Iterator
from typing import Any

from generator import answers, problems
from generator.problems import Problem
from generator.records import Game, Project

name = "starts"

CANNOT = "cannot-answer"


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the calculators that open on a refusal, at the value that is refused."""
    from calculators.calculator import Calculator

    rulebook, faults = answers.rulebook(project), answers.faults(project)
    for game in project.games.values():
        for calculator, described in game.calculators.items():
            if not _can_answer(game, described, faults):
                continue
            tool = Calculator(rulebook, f"{game.id}/{calculator}")
            # The first refusal alone: the questions after it may have nothing to be fed with.
            question, result = next((pair for pair in tool.answer(tool.start()) if pair[1].refusal is not None), (None, None))
            if result is not None and not _fails(rulebook, question, result):
                error = rulebook.error(question, result.refusal)
                yield _problem(game, calculator, described, question.id.partition("/")[2], error)


def _can_answer(game: Game, described: dict[str, Any], faults: dict[str, list[Any]]) -> bool:
    """Say whether nothing is wrong in what a calculator asks: other checks tell what is."""
    kinds: dict[str, set[str]] = {}
    for name in described["questions"]:
        question = game.questions.get(name)
        if question is None or answers.touched(game, question) or faults[f"{game.id}/{name}"]:
            return False
        for key, part in question["inputs"].items():
            kinds.setdefault(key, set()).update(() if f"{name}.{key}" in described.get("feeds", {}) else (part["kind"],))
    return described.get("start", {}).keys() <= kinds.keys() and all(len(kind) < 2 for kind in kinds.values())


def _fails(rulebook: Any, question: Any, result: Any) -> bool:
    """Say whether the rules fail on an example too, and not on these values only: another check tells it."""
    if result.refusal.code != CANNOT:
        return False
    asked = (rulebook.ask(question.id, example["inputs"], explain=False) for example in question.spec.get("examples", ()))
    return any(answer.get("error", {}).get("code") == CANNOT for answer in asked)


def _problem(game: Game, calculator: str, described: dict[str, Any], question: str, error: dict[str, Any]) -> Problem:
    field = error.get("field")
    if field in described.get("start", {}):
        place: tuple[str, ...] = ("calculators", calculator, "start", field)
    elif "default" in game.questions[question]["inputs"].get(field, {}):
        place = ("questions", question, "inputs", field, "default")
    else:
        place = ("calculators", calculator)
    document, path = game.home(*place)
    key = len(path) == 1
    return problems.make(document, path, "start-refused", key=key, calculator=calculator, found=error["code"], reason=error["message"])
