"""Effort: what values cost, so that no formula can hold its reader for long or fill the memory.

One unit is about one node of a formula worked out. Numbers, texts, lists and pools are weighed when a formula makes
them: what is too heavy is refused, the rest is taken from the budget that all the formulas of one answer share.
"""

from fractions import Fraction

from .dice import Distribution, Event

# What the formulas of one answer may spend.
MOST = 2_000_000
# Numbers of up to 4300 digits can be written; a figure never comes near.
LARGEST_BITS = 12_000
LONGEST_TEXT = 5_000
HEAVIEST = 400_000
DEEPEST = 12
# Numbers below this are not weighed, they are all alike.
SMALL = 1 << 64
BYTE = 8
# Working with a fraction costs more than with a whole number, however small.
FRACTION = 8


def weight(value, depth=0):
    """Return the units that *value* is worth, what it holds included; raises OverflowError when it is too heavy.

    >>> weight([1, 2, [3]]), weight(12)
    (4, 0)
    """
    weigh = _WEIGHED.get(type(value))
    return weigh(value, depth) if weigh is not None else 0


def checked(text):
    """Return a text that a formula makes; raises OverflowError when it is too long."""
    if len(text) > LONGEST_TEXT:
        raise OverflowError("text")
    return text


def _bits(number):
    bits = number.bit_length()
    if bits > LARGEST_BITS:
        raise OverflowError("number")
    return bits // BYTE


def _held(value, depth):
    if depth > DEEPEST:
        raise OverflowError("depth")
    total = len(value)
    for item in value if type(value) is list else [*value, *value.values()]:
        kind = type(item)
        if kind is int:
            if not -SMALL < item < SMALL:
                total += _bits(item)
        elif kind in _WEIGHED:
            total += _WEIGHED[kind](item, depth + 1)
        if total > HEAVIEST:
            raise OverflowError("items")
    return total


_WEIGHED = {
    int: lambda value, depth: 0 if -SMALL < value < SMALL else _bits(value),
    Fraction: lambda value, depth: _bits(value.numerator) + _bits(value.denominator) + FRACTION,
    str: lambda value, depth: len(value) // BYTE,
    list: _held,
    dict: _held,
    Distribution: lambda value, depth: len(value.weights) * (value.total.bit_length() // BYTE + 1),
    Event: lambda value, depth: _bits(value.total),
}


def summed(values, spend):
    """Return the exact sum of *values*, each partial sum weighed by *spend*."""
    total = 0
    for value in values:
        total += value
        if type(total) is not int or not -SMALL < total < SMALL:
            spend(weight(total))
    return total


def multiplied(values, spend):
    """Return the exact product of *values*, each partial product weighed by *spend*."""
    total = 1
    for value in values:
        total *= value
        if type(total) is not int or not -SMALL < total < SMALL:
            spend(weight(total))
    return total
