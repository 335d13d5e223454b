"""What the command line says: counts, a question described, an answer told as text."""

import difflib
import errno
import re
from typing import Any

from calculators.calculator import output_words
from calculators.expression import ExpressionError, Scope
from calculators.numbers import dumps
from calculators.question import Question, Result
from calculators.refusal import fill
from calculators.rulebook import Rulebook
from generator.records import Project

SEPARATOR = "\u202f; "
# What a terminal would obey instead of showing it.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return *text*, which may cite what was typed, with nothing in it that a terminal would obey."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def counted(forms: dict[str, str], count: int) -> str:
    """Return the singular or the plural sentence of *forms* with its count."""
    return forms["one" if count < 2 else "many"].format(count=count)


def proved(project: Project, words: dict[str, Any]) -> str:
    """Say how many files, tables, records, questions and examples were proved."""
    games = project.games.values()
    counts = {
        "games": len(games),
        "files": sum(len(game.documents) for game in games),
        "tables": sum(len(game.tables) for game in games),
        "records": sum(len(table.records) for game in games for table in game.tables.values()),
        "questions": sum(len(game.questions) for game in games),
        "examples": sum(len(question.get("examples", [])) for game in games for question in game.questions.values()),
        "entries": sum(len(game.entries) for game in games),
    }
    return words["proved"].format(**counts)


def questions(rulebook: Rulebook, words: dict[str, Any]) -> str:
    """List every question, one a line with its title, game by game."""
    lines = []
    for game, held in rulebook.games().items():
        lines.append(f"{held['title']}")
        lines += [f"  {game}/{name}  —  {question.get('title', '')}" for name, question in held["questions"].items()]
    return "\n".join([*lines, "", words["ask-hint"]])


def unknown(rulebook: Rulebook, name: str, words: dict[str, Any]) -> str:
    """Say that no question has this *name*, and which ones are near."""
    near = difflib.get_close_matches(name, rulebook.questions(), n=3, cutoff=0.4)
    return words["unknown-question"].format(name=visible(name), near=", ".join(near) or "—")


def described(rulebook: Rulebook, question: Question, words: dict[str, Any]) -> str:
    """Describe a question: its inputs with kinds, bounds, choices and defaults, and an example to type."""
    lines = [f"{question.title} ({question.id})", question.spec.get("summary", ""), "", words["inputs"]]
    for name, part in question.inputs.items():
        lines += _input_lines(name, part, words, "  ")
    lines += ["", words["outputs"]]
    lines += [f"  {name}  —  {output.label}" for name, output in question.outputs.items()]
    example = _example(question)
    if example is not None:
        lines += ["", words["for-example"], f"  rolotheque ask {question.id} --json '{dumps(example)}'"]
    return "\n".join(lines)


def listing(rulebook: Rulebook) -> dict[str, Any]:
    """List every question for a program."""
    found = {f"{game}/{name}": question for game, held in rulebook.games().items() for name, question in held["questions"].items()}
    return {"questions": [{"question": name, "title": question.get("title", ""), "summary": question.get("summary", "")} for name, question in found.items()]}


def signature(question: Question) -> dict[str, Any]:
    """Describe a question for a program: what it takes and gives, as its data says it, and an example of its inputs."""
    spec, example = question.spec, _example(question)
    described = {"question": question.id, "title": question.title, "summary": spec.get("summary", ""), "inputs": spec["inputs"], "outputs": spec["outputs"]}
    return described | ({"example": example} if example is not None else {})


def _example(question: Question) -> Any:
    """Return the inputs of the first worked example that is answered, or None."""
    return next((item["inputs"] for item in question.spec.get("examples", []) if "error" not in item["expected"]), None)


def _input_lines(name: str, part: Any, words: dict[str, Any], indent: str) -> list[str]:
    """Describe an input, then what it is made of, each part under it."""
    lines = [indent + _input_line(name, part, words)]
    for key, inner in (("items", part.items), ("values", part.values)):
        if inner is not None:
            lines += _input_lines(words[f"input-{key}"], inner, words, indent + "    ")
    for key, inner in part.fields.items():
        lines += _input_lines(key, inner, words, indent + "    ")
    return lines


def _input_line(name: str, part: Any, words: dict[str, Any]) -> str:
    facts = [words["kinds"].get(part.kind, part.kind)]
    for key in ("min", "max", "count"):
        if key in part.spec:
            facts.append(words[f"input-{key}"].format(value=_bound(part, key)))
    choices = part.choices()
    if choices:
        facts.append(", ".join(list(choices)[:30]))
    has_default, value = part.default()
    if has_default:
        facts.append(words["input-default"].format(value=dumps(value)) if value is not None else words["input-optional"])
    label = f"  —  {part.spec['label']}" if "label" in part.spec else ""
    return f"{name}{label} ({SEPARATOR.join(facts)})"


def _bound(part: Any, key: str) -> Any:
    """Return a bound of an input, worked out when the tables are enough, else as its formula says it."""
    try:
        return part.bound(key, Scope({}, tables=part.tables))
    except ExpressionError:
        return part.spec[key]


def answer(rulebook: Rulebook, question: Question, result: Result, told: dict[str, Any], words: dict[str, Any]) -> str:
    """Tell an answer to a person: outputs, notes, readings, then the steps; or the refusal."""
    if result.refusal is not None:
        error = told["error"]
        return visible(f"{words['refused']} [{error['code']}] {error['message']}")
    lines = [question.title, ""]
    lines += [f"  {label}\u00a0: {said}" for label, said in output_words(rulebook, question, result)]
    lines += [f"  * {note}" for note in told.get("notes", [])]
    for used in told.get("readings", []):
        lines.append(f"  ({used['id']}) " + fill(rulebook.texts["answer"]["reading"], used, {}))
    if told["steps"]:
        lines += ["", rulebook.texts["answer"]["steps"]]
        lines += [f"  {place}. {step['text']}" for place, step in enumerate(told["steps"], 1)]
    if question.spec.get("chapter"):
        lines += ["", words["rule-at"].format(chapter=question.spec["chapter"])]
    return visible("\n".join(lines))


def failure(error: Any, words: dict[str, Any]) -> str:
    """Tell an error of the builder: its sentence of the texts `site.errors`, filled with its facts."""
    template = words.get("errors", {}).get(getattr(error, "code", ""), "")
    return fill(template, {key: str(fact) for key, fact in getattr(error, "facts", {}).items()}, {}) or str(error)


def system(error: OSError, words: dict[str, Any]) -> str:
    """Tell what the system does not let us write or read, and why."""
    return fill(words["cli"]["system"], {"path": str(error.filename or ""), "reason": reason(error, words)}, {})


def reason(error: OSError, words: dict[str, Any]) -> str:
    """Say why the system refuses."""
    name = errno.errorcode.get(error.errno or 0, "")
    return words["problems"].get(f"word-system-{name.lower()}", name or str(error))
