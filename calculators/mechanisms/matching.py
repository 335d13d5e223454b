"""Matching dice: how many of a pool show the same face, at best."""

from fractions import Fraction
from math import comb, factorial

from .parameter import FORMULA, Parameter

MOST_DICE = 12

parameters = {"dice": Parameter(FORMULA), "sides": Parameter(FORMULA)}


def run(arguments, scope):
    """Return {size of the largest group as text: chance} for a pool of *dice* dice of *sides* faces."""
    dice, sides = arguments["dice"].evaluate(scope), arguments["sides"].evaluate(scope)
    if not (1 <= dice <= MOST_DICE and sides >= 1):
        raise ValueError("matching")
    weights = {}
    for groups in _partitions(dice, dice):
        if len(groups) <= sides:
            weights[groups[0]] = weights.get(groups[0], 0) + _rolls(groups, dice, sides)
    return {str(size): Fraction(weight, sides**dice) for size, weight in sorted(weights.items())}


def _partitions(number, most):
    if number == 0:
        yield []
    for first in range(min(number, most), 0, -1):
        for rest in _partitions(number - first, first):
            yield [first, *rest]


def _rolls(groups, dice, sides):
    """Count the rolls whose faces repeat exactly as *groups* say: choose the faces, then place the dice."""
    faces, left = 1, sides
    for size in set(groups):
        alike = groups.count(size)
        faces *= comb(left, alike)
        left -= alike
    places = factorial(dice)
    for size in groups:
        places //= factorial(size)
    return faces * places
