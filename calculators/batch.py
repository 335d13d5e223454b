"""Batches: lines of JSON questions in, lines of JSON answers out, in order."""

from fractions import Fraction

from .numbers import dumps, loads
from .refusal import fill, shortened
from .rulebook import UnknownQuestion

# A longer line is no question.
LONGEST_LINE = 1_000_000
LONGEST_NAME = 200
BYTE_ORDER_MARK = "\ufeff"


def answer_lines(rulebook, lines):
    """Yield one line of JSON for each non-empty line {"id", "question", "inputs"}, given as text or as UTF-8 bytes.

    An answer is {"id", "question", "outputs", "steps"…}, a refusal {"id", "question", "error"}; a line that is not
    such a mapping, or names no question, is answered by an error too.
    """
    for given in lines:
        line = given.decode("utf-8", "surrogateescape") if isinstance(given, bytes) else given
        line = line.removeprefix(BYTE_ORDER_MARK)
        if line.strip():
            yield dumps(_answered(rulebook, line))


def _answered(rulebook, line):
    texts = rulebook.texts.get("refusals", {})
    try:
        # Bytes that are no text were kept apart: they cannot be encoded again.
        line.encode()
        request = loads(line) if len(line) <= LONGEST_LINE else None
        if not isinstance(request, dict):
            raise ValueError(line)
    except ValueError:
        return {"id": None, "question": None, "error": {"code": "bad-line", "facts": {}, "message": texts.get("line", "")}}
    identifier, name = request.get("id"), request.get("question")
    if isinstance(identifier, Fraction):
        # Given back as a number, not as the text of a fraction.
        identifier = float(identifier)
    try:
        return {"id": identifier, **rulebook.ask(name if isinstance(name, str) else "", request.get("inputs", {}))}
    except UnknownQuestion:
        sentence = texts.get("question" if isinstance(name, str) else "no-question", "")
        name = shortened(name, LONGEST_NAME) if isinstance(name, str) else name
        facts = {"question": name}
        return {
            "id": identifier,
            "question": name,
            "error": {"code": "unknown-question", "facts": facts, "message": fill(sentence, facts, {})},
        }
