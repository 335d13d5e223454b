"""Starts: a calculator opens on an answer, and a link to it gives what its form can hold."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

from calculators.numbers import loads
from generator import answers, problems
from generator.chapters import places
from generator.checks.examples import why
from generator.problems import Problem
from generator.records import Chapter, Game, Project

name = "starts"

# How the sentence of a refusal is named when an input, and no rule of the game, refuses.
OF_AN_INPUT = "@"
CANNOT = "cannot-answer"


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield the calculators that open on a refusal, at the value that is refused, and the links that give what no input takes."""
    from calculators.calculator import Calculator

    rulebook, faults = answers.rulebook(project), answers.faults(project)
    for game in project.games.values():
        tools: dict[str, Any] = {}
        for calculator, described in game.calculators.items():
            if not _can_answer(game, described, faults):
                continue
            tool = tools[calculator] = Calculator(rulebook, f"{game.id}/{calculator}")
            # The first refusal alone: the questions after it may have nothing to be fed with.
            question, result = next((pair for pair in tool.answer(tool.start()) if pair[1].refusal is not None), (None, None))
            if result is not None and not _fails(rulebook, question, result):
                error = rulebook.error(question, result.refusal)
                yield _problem(game, calculator, described, question.id.partition("/")[2], error, result.refusal.facts)
                del tools[calculator]
        for chapter in game.chapters.values():
            yield from _links(rulebook, chapter, tools)


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


def _links(rulebook: Any, chapter: Chapter, tools: dict[str, Any]) -> Iterator[Problem]:
    """Yield the links of *chapter* that give an input what it refuses; what a rule refuses may well be what is to be shown."""
    for place in places(chapter.text):
        name, _, query = place.target.partition("?")
        tool = tools.get(name) if place.kind == "calc" else None
        if tool is None:
            continue
        given = {key: _given(tool.fields[key], text) for key, text in parse_qsl(query) if key in tool.fields}
        refused = ((question, result.refusal) for question, result in tool.answer(tool.start() | given) if result.refusal is not None)
        question, refusal = next(refused, (None, None))
        if refusal is not None and refusal.field in given and (refusal.template or "").startswith(OF_AN_INPUT):
            error = rulebook.error(question, refusal)
            yield problems.at(chapter.path, place.line, place.column, "link-refused", calculator=name, found=error["code"], reason=error["message"])


def _given(part: Any, text: str) -> Any:
    """Return what the page reads in the address for the input *part*."""
    if part.kind in ("text", "choice", "dice"):
        return text
    try:
        return loads(text)
    except ValueError:
        return text


def _problem(game: Game, calculator: str, described: dict[str, Any], question: str, error: dict[str, Any], facts: dict[str, Any]) -> Problem:
    field = error.get("field")
    if field in described.get("start", {}):
        place: tuple[str, ...] = ("calculators", calculator, "start", field)
    elif "default" in game.questions[question]["inputs"].get(field, {}):
        place = ("questions", question, "inputs", field, "default")
    else:
        place = ("calculators", calculator)
    document, path = game.home(*place)
    key = len(path) == 1
    if error["code"] == CANNOT:
        return problems.make(document, path, "start-cannot", key=key, calculator=calculator, why=why(facts))
    return problems.make(document, path, "start-refused", key=key, calculator=calculator, found=error["code"], reason=error["message"])
