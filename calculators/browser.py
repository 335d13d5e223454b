"""What the worker calls: one JSON request in, one JSON answer out, the rulebook loaded once."""

from . import render
from .calculator import Calculator, summary
from .dice import DiceError, parse, roll, roller
from .numbers import dumps, loads
from .refusal import fill
from .rulebook import Rulebook, UnknownQuestion
from .step import StepError

_held = {}


def load(text):
    """Keep the rulebook of *text*, the contents of rules.json; return how many questions it has."""
    _held["rulebook"] = Rulebook(loads(text))
    _held["calculators"] = {}
    return len(_held["rulebook"].questions())


def handle(text):
    """Answer one request, JSON text both ways; a request that is not understood is answered with an error code."""
    try:
        request = loads(text)
        operate = _OPERATIONS[request["op"]]
    except (ValueError, TypeError, KeyError):
        return dumps({"error": {"code": "bad-request", "facts": {}}})
    try:
        return dumps(operate(_held["rulebook"], request))
    except (UnknownQuestion, KeyError, StepError) as error:
        return dumps({"error": {"code": "unknown-question", "facts": {"found": str(error)}}})
    except DiceError as error:
        facts = {"given": str(error), "label": request.get("dice", "")}
        return dumps({"error": {"code": "bad-dice", "facts": facts, "message": fill(_held["rulebook"].texts["refusals"]["dice"], facts, {})}})


def _calculator(rulebook, identifier):
    if identifier not in _held["calculators"]:
        _held["calculators"][identifier] = Calculator(rulebook, identifier)
    return _held["calculators"][identifier]


def _answers(rulebook, tool, inputs):
    pairs = tool.answer(inputs)
    answers = [
        {"question": question.id, "html": html, "error": _error(rulebook, question, result.refusal)}
        for (question, result), html in zip(pairs, render.answers(rulebook, pairs), strict=True)
    ]
    text = "\n".join(summary(rulebook, *pair) for pair in pairs)
    return {"answers": answers, "counts": tool.counts(inputs), "said": render.spoken(rulebook, pairs), "text": text}


def _error(rulebook, question, refusal):
    """Return a refusal as the page needs it, *place* leading to the very part of the field, or None."""
    if refusal is None:
        return None
    error = rulebook.error(question, refusal)
    return {**error, "place": ".".join((refusal.field, *refusal.place))} if refusal.field is not None else error


def _answer(rulebook, request):
    tool = _calculator(rulebook, request["calculator"])
    return _answers(rulebook, tool, _inputs(request))


def _roll_inputs(rulebook, request):
    tool = _calculator(rulebook, request["calculator"])
    inputs = tool.rolled(_inputs(request), request.get("seed"))
    told = _answers(rulebook, tool, inputs)
    return {**told, "inputs": inputs, "line": _log_line(rulebook, tool, inputs)}


def _inputs(request):
    inputs = request.get("inputs")
    return inputs if isinstance(inputs, dict) else {}


def _log_line(rulebook, tool, inputs):
    """Return the line a chat can hold: the dice, then what the first question says of them."""
    dice = []
    for name, part in tool.fields.items():
        values = inputs.get(name)
        if "roll" in part.spec and values is not None:
            dice += values if isinstance(values, list) else [values]
    words = rulebook.texts["notation"]
    rolled = fill(rulebook.texts["answer"]["rolled"], {"dice": dice}, words) + " — " if dice else ""
    question, result = tool.answer(inputs)[0]
    return rolled + summary(rulebook, question, result, question.main_outputs(result))


def _ask(rulebook, request):
    return rulebook.ask(request["question"], request.get("inputs", {}))


def _roll(rulebook, request):
    dice = parse(request.get("dice", ""))
    faces = roll(roller(request.get("seed")), dice.count, dice.sides)
    total = sum(faces) + dice.bonus
    told = [{"sides": dice.sides, "value": face} for face in faces]
    text = f"{dice.french()} = {total} ({', '.join(map(str, faces))})"
    return {"total": total, "dice": told, "html": render.dice_roll(dice, faces, total), "text": text}


_OPERATIONS = {"answer": _answer, "roll-inputs": _roll_inputs, "ask": _ask, "roll": _roll}
