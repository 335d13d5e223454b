"""Worked examples: compare what is expected with what is answered, numbers by value."""

from fractions import Fraction

from .numbers import is_number


def check(rulebook, identifier, example):
    """Return None when the answer holds all that *example* expects, else {"key", "expected", "found"}.

    Under ``expected`` stand outputs, or ``error`` (a code) with facts of the refusal beside it. When the rules refuse
    otherwise than expected, their "message" and "facts" are given too.
    """
    answer = rulebook.ask(identifier, example.get("inputs", {}), explain=False)
    expected = example.get("expected", {})
    if "error" in answer:
        error = answer["error"]
        found = {"error": error["code"], **error["facts"]}
        if error["code"] != expected.get("error"):
            return {"key": "error", "expected": expected.get("error"), "found": error["code"], "message": error["message"], "facts": error["facts"]}
    else:
        found = answer["outputs"]
        if "error" in expected:
            return {"key": "error", "expected": expected["error"], "found": found}
    for key, value in expected.items():
        if key not in found and value is not None:
            return {"key": key, "expected": value, "found": found.get("error", found)}
        if not same(value, found.get(key)):
            return {"key": key, "expected": value, "found": found.get(key)}
    return None


def same(expected, found):
    """Say whether two values are equal, exact numbers and the text ``a/b`` compared by value, mappings and lists inside."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and set(map(str, expected)) == set(map(str, found))
            and all(same(value, found.get(key, found.get(str(key)))) for key, value in expected.items())
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(expected) == len(found) and all(map(same, expected, found))
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None or found is None:
        return expected is found
    try:
        return _value(expected) == _value(found)
    except (ValueError, ZeroDivisionError):
        return expected == found


def _value(value):
    return value if is_number(value) else Fraction(value)
