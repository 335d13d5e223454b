"""Batches: lines of JSON questions in, lines of JSON answers out, in order."""

from .numbers import dumps, loads
from .refusal import fill
from .rulebook import UnknownQuestion


def answer_lines(rulebook, lines):
    """Yield one line of JSON for each non-empty line {"id", "question", "inputs"}.

    An answer is {"id", "question", "outputs", "steps"…}, a refusal {"id", "question", "error"}; a line that is not
    such a mapping, or names no question, is answered by an error too.
    """
    for line in lines:
        if line.strip():
            yield dumps(_answered(rulebook, line))


def _answered(rulebook, line):
    texts = rulebook.texts.get("refusals", {})
    try:
        request = loads(line)
        if not isinstance(request, dict):
            raise ValueError(line)
    except ValueError:
        return {"id": None, "question": None, "error": {"code": "bad-line", "facts": {}, "message": texts.get("line", "")}}
    identifier, name = request.get("id"), request.get("question")
    try:
        return {"id": identifier, **rulebook.ask(name if isinstance(name, str) else "", request.get("inputs", {}))}
    except UnknownQuestion:
        facts = {"question": name}
        return {
            "id": identifier,
            "question": name,
            "error": {"code": "unknown-question", "facts": facts, "message": fill(texts.get("question", ""), facts, {})},
        }
