"""Signatures: what questions, examples and calculators say of inputs, steps and outputs agrees."""

import re
from collections.abc import Iterator
from typing import Any

from calculators.inputs import CODES
from calculators.mechanisms.point_buy import CODES as BUYING_CODES
from generator import problems
from generator.problems import Problem
from generator.records import Game, Project

name = "signatures"

PLACE = re.compile(r"\{(\w+)\}")
# What the rules code adds by itself to the facts of a refusal's sentence.
GIVEN_FACTS = {"label", "item"}
# The facts of the refusals of an input, then of what is bought with points.
FACTS = ("label", "field", "given", "min", "max", "choices", "found", "expected", "known")
FACTS += ("name", "option", "drawback", "taken", "required", "with", "spent", "budget")


def check(project: Project, texts: dict[str, Any]) -> Iterator[Problem]:
    """Yield names that are used and not declared, declared twice, or declared in two ways."""
    for game in project.games.values():
        for question, described in game.questions.items():
            yield from _names(game, question, described)
            yield from _sentences(game, question, described)
            yield from _braces(game, question, described)
            yield from _examples(game, question, described)
        for calculator, described in game.calculators.items():
            yield from _calculator(game, calculator, described)


def _problem(game: Game, place: tuple[str | int, ...], code: str, *, key: bool = False, **facts: Any) -> Problem:
    document, path = game.home(*place)
    return problems.make(document, path, code, key=key, **facts)


def _names(game: Game, question: str, described: dict[str, Any]) -> Iterator[Problem]:
    for step in described.get("steps", {}).keys() & described.get("inputs", {}).keys():
        yield _problem(game, ("questions", question, "steps", step), "name-twice", key=True, name=step)


def _sentences(game: Game, question: str, described: dict[str, Any]) -> Iterator[Problem]:
    values = [*described.get("inputs", {}), *described.get("steps", {})]
    for place, refusal in enumerate(described.get("refusals", ())):
        known = {*refusal.get("facts", {}), *GIVEN_FACTS}
        path = ("questions", question, "refusals", place)
        for word in PLACE.findall(refusal.get("message", "")):
            if word not in known:
                hint = problems.sentence("hint-fact", name=word) if word in values else problems.suggestion(word, refusal.get("facts", {}))
                yield _problem(game, (*path, "message"), "unknown-place-in-sentence", name=word, hint=hint)
        field = refusal.get("field")
        if field is not None and field not in values:
            yield _problem(game, (*path, "field"), "unknown-input", name=field, hint=problems.suggestion(field, described.get("inputs", {})))
    for step, spec in described.get("steps", {}).items():
        for word in PLACE.findall(spec.get("told", "")):
            if word not in values:
                path = ("questions", question, "steps", step, "told")
                yield _problem(game, path, "unknown-place-in-sentence", name=word, hint=problems.suggestion(word, values))
    yield from _messages(game, question, described)
    for place, note in enumerate(described.get("notes", ())):
        for word in PLACE.findall(note["text"]):
            if word not in values:
                path = ("questions", question, "notes", place, "text")
                yield _problem(game, path, "unknown-place-in-sentence", name=word, hint=problems.suggestion(word, values))


def _braces(game: Game, question: str, described: dict[str, Any]) -> Iterator[Problem]:
    """Find the braces that hold no name: they would be shown as they are written."""
    said = [(("refusals", place, "message"), refusal.get("message", "")) for place, refusal in enumerate(described.get("refusals", ()))]
    said += [(("steps", step, "told"), spec.get("told", "")) for step, spec in described.get("steps", {}).items()]
    said += [(("notes", place, "text"), note["text"]) for place, note in enumerate(described.get("notes", ()))]
    said += [(("messages", code), sentence) for code, sentence in described.get("messages", {}).items()]
    for path, sentence in said:
        lost = re.search(r"[{}][^{}]*", PLACE.sub("", sentence))
        if lost:
            yield _problem(game, ("questions", question, *path), "lost-brace", found=problems.shortened(lost[0]))


def _messages(game: Game, question: str, described: dict[str, Any]) -> Iterator[Problem]:
    """Check the sentences given to the ordinary refusals: their codes, and the facts they cite."""
    codes, facts = {*CODES.values(), *BUYING_CODES.values(), "unknown-input", "cannot-answer"}, set(FACTS)
    for part in _parts(described.get("inputs", {})):
        codes |= set(part.get("codes", {}).values())
        facts |= {part["as"]} if "as" in part else set()
    for refusal in described.get("refusals", ()):
        codes.add(refusal["code"])
        facts |= refusal.get("facts", {}).keys()
    for step in described.get("steps", {}).values():
        codes |= set(step.get("point-buy", {}).get("codes", {}).values())
        facts |= set(step.get("point-buy", {}).get("names", {}).values())
    for code, sentence in described.get("messages", {}).items():
        path = ("questions", question, "messages", code)
        if code not in codes:
            yield _problem(game, path, "unknown-code", key=True, name=code, hint=problems.suggestion(code, sorted(codes)))
        for word in PLACE.findall(sentence):
            if word not in facts:
                yield _problem(game, path, "unknown-place-in-sentence", name=word, hint=problems.suggestion(word, sorted(facts)))


def _parts(inputs: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield each input and each part of it."""
    for part in inputs.values():
        yield part
        yield from _parts({key: part[key] for key in ("items", "keys", "values") if isinstance(part.get(key), dict)})
        yield from _parts(part.get("fields", {}))


def _examples(game: Game, question: str, described: dict[str, Any]) -> Iterator[Problem]:
    inputs, seen = described.get("inputs", {}), {}
    for place, example in enumerate(described.get("examples", ())):
        path = ("questions", question, "examples", place)
        for given in example["inputs"].keys() - inputs.keys():
            yield _problem(game, (*path, "inputs", given), "unknown-input", key=True, name=given, hint=problems.suggestion(given, inputs))
        outputs = described["outputs"]
        if "error" not in example["expected"] and not any(output.get("kind") == "spread" for output in outputs.values()):
            for name in example["expected"].keys() - outputs.keys():
                yield _problem(game, (*path, "expected", name), "unknown-output", key=True, name=name, hint=problems.suggestion(name, outputs))
        if "id" in example and seen.setdefault(example["id"], place) != place:
            line = game.where("questions", question, "examples", seen[example["id"]])[1]
            yield _problem(game, (*path, "id"), "example-id-twice", id=example["id"], line=line)


def _calculator(game: Game, calculator: str, described: dict[str, Any]) -> Iterator[Problem]:
    here = ("calculators", calculator)
    questions = {name: game.questions[name] for name in described["questions"] if name in game.questions}
    if len(questions) < len(described["questions"]):
        return  # a question is missing or wrong: nothing sure can be said of the names
    inputs = {key for asked in questions.values() for key in asked.get("inputs", {})}
    shared: dict[str, tuple[str, Any]] = {}
    fed = described.get("feeds", {})
    for question, asked in questions.items():
        for key, spec in asked.get("inputs", {}).items():
            if f"{question}.{key}" in fed:
                continue  # filled by another answer, it is not shared with the reader's input of that name
            other, kind = shared.setdefault(key, (question, spec["kind"]))
            if kind != spec["kind"]:
                path = ("questions", question, "inputs", key, "kind")
                yield _problem(game, path, "input-kinds-differ", name=key, kind=spec["kind"], other=other, other_kind=kind, calculator=calculator)
    for key in described.get("start", {}):
        if key not in inputs:
            yield _problem(game, (*here, "start", key), "unknown-input", key=True, name=key, hint=problems.suggestion(key, sorted(inputs)))
    for into, source in fed.items():
        path = (*here, "feeds", into)
        yield from _port(game, path, into, "inputs", questions, key=True)
        yield from _port(game, path, source, "outputs", questions, key=False)
        asked, giving = into.partition(".")[0], source.partition(".")[0]
        order = list(questions)
        if asked in questions and giving in questions and order.index(giving) > order.index(asked):
            yield _problem(game, path, "feed-order", target=asked, source=giving)


def _port(game: Game, path: tuple[str | int, ...], port: str, side: str, questions: dict[str, Any], *, key: bool) -> Iterator[Problem]:
    """Check that *port*, "question.value", names a question of the calculator and one of its inputs or outputs."""
    question, _, value = port.partition(".")
    if question not in questions:
        yield _problem(game, path, "unknown-question", key=key, found=question, hint=problems.suggestion(question, questions))
        return
    known = questions[question].get(side, {})
    spreads = side == "outputs" and any(output.get("kind") == "spread" for output in known.values())
    if value not in known and not spreads:
        code = "unknown-input" if side == "inputs" else "unknown-output"
        yield _problem(game, path, code, key=key, name=value, hint=problems.suggestion(value, known))
