"""Exact numbers: integers and fractions in, out, and as text a French reader expects.

Nothing here is ever a binary float: a decimal such as ``0,47`` is the fraction 47/100.
"""

import json
import re
from fractions import Fraction

# Beyond this many digits a number is an attack or a slip, never a figure of a game.
MOST_DIGITS = 30
# How far lists and objects of a JSON text may stand in one another.
DEEPEST = 60

NARROW_SPACE = "\u202f"
_NOT_ONE_LINE = re.compile("[\x7f\x85\u2028\u2029\ud800-\udfff]")
_NUMBERS = frozenset({int, Fraction})
# What JSON holds as it is.
PLAIN = frozenset({str, int, bool, type(None)})
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?|[+-]?\d+/\d+")


def is_number(value):
    """Say whether *value* is an exact number; a boolean is not."""
    return type(value) in _NUMBERS


def whole(value):
    """Return *value* as an int when it is whole, else as it is."""
    # Asked of every number: isinstance() of a Fraction costs ten times more.
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def exact(value):
    """Return the int or Fraction that *value* (a number, or text such as ``1/2`` or ``12,5``) stands for.

    Raises ValueError for anything else, and for numbers of more than MOST_DIGITS digits.

    >>> exact("12,5"), exact("4/2"), exact(7)
    (Fraction(25, 2), 2, 7)
    """
    if is_number(value):
        number = whole(value)
    elif isinstance(value, str) and len(value) <= 2 * MOST_DIGITS and _NUMBER.fullmatch(value.strip()):
        try:
            number = whole(Fraction(value.strip().replace(",", ".")))
        except ZeroDivisionError:
            raise ValueError(value) from None
    else:
        raise ValueError(value)
    limit = 10**MOST_DIGITS
    if abs(number.numerator) >= limit or number.denominator >= limit:
        raise ValueError(value)
    return number


def encode(value):
    """Turn *value* into plain JSON values: whole numbers are integers, other exact numbers the text ``a/b``."""
    if type(value) in PLAIN:
        return value
    if type(value) is Fraction:
        return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, dict):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return value


def _exact_decimal(text):
    mantissa, _, exponent = text.lower().partition("e")
    if len(mantissa) > MOST_DIGITS or len(exponent) > 4 or abs(int(exponent or 0)) > MOST_DIGITS:
        # Left as text: the input check then refuses it with its own sentence.
        return text
    return whole(Fraction(text))


def _bounded_integer(text):
    return int(text) if len(text) <= 2 * MOST_DIGITS else text


def loads(text):
    """Read JSON *text* with exact decimals; raises ValueError when it is not JSON, or holds things too deep in one another."""
    try:
        value = json.loads(text, parse_float=_exact_decimal, parse_int=_bounded_integer, parse_constant=str)
    except RecursionError:
        raise ValueError("nesting") from None
    level, depth = [value], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise ValueError("nesting")
        held = [item for item in level if isinstance(item, (dict, list))]
        level = [inner for item in held for inner in (item.values() if isinstance(item, dict) else item) if isinstance(inner, (dict, list))]
    return value


def dumps(value):
    """Write *value* as one line of JSON, exact numbers as encode() writes them.

    What would not be one line for every reader, or is no character by itself, is written as an escape.
    """
    return _NOT_ONE_LINE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(encode(value), ensure_ascii=False))


def _grouped(digits):
    groups = []
    while len(digits) > 3:
        groups.insert(0, digits[-3:])
        digits = digits[:-3]
    return NARROW_SPACE.join([digits, *groups])


def _decimal_places(denominator):
    """Return how many decimals write 1/*denominator* exactly, or None when no finite number does."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator //= 2
        twos += 1
    while denominator % 5 == 0:
        denominator //= 5
        fives += 1
    return max(twos, fives) if denominator == 1 else None


def fixed(value, places):
    """Return *value* rounded half up to *places* decimals, as French text with its trailing zeros."""
    scale = 10**places
    scaled = abs(value) * scale
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "−" if value < 0 and rounded else ""
    integer, rest = divmod(rounded, scale)
    return sign + _grouped(str(integer)) + ("," + str(rest).zfill(places) if places else "")


def french(value):
    """Return *value* as French text: grouped thousands, decimal comma, a real minus, else the fraction.

    >>> french(Fraction(25, 2)), french(-3), french(Fraction(1, 3))
    ('12,5', '−3', '1/3')
    """
    value = whole(value)
    if isinstance(value, int):
        return ("−" if value < 0 else "") + _grouped(str(abs(value)))
    places = _decimal_places(value.denominator)
    if places is not None and places <= 4:
        return fixed(value, places)
    return f"{'−' if value < 0 else ''}{abs(value.numerator)}/{value.denominator}"


def percent(chance):
    """Return *chance* (0 to 1) as a percentage with at most two decimals, rounded half up once.

    A chance that is neither nothing nor certain is never shown as 0 % or 100 %.
    """
    shown = fixed(chance * 100, 2).rstrip("0").rstrip(",")
    if 0 < chance < 1 and shown in ("0", "100"):
        shown = "< 0,01" if shown == "0" else "> 99,99"
    return f"{shown}{NARROW_SPACE}%"
