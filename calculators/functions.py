"""The functions a formula may call: exact, bounded, without effect.

Each takes plain values (numbers, text, lists, mappings, distributions); those marked `tables` also
receive the game's tables first.
"""

from fractions import Fraction
from math import isqrt

from .dice import Dice, Distribution, Event, binomial, binomial_effort, keep_effort, keep_highest, keep_lowest, parse, pool, pool_effort
from .effort import LARGEST_BITS, checked, multiplied, summed
from .numbers import exact, is_number, whole
from .tables import cell, constant, find, identifiers, length, read_band, rows

LONGEST_RANGE = 5000
MOST_EXPONENT = 1000


class Function:
    """One function: *run*, how many arguments it takes, whether it needs the tables or takes ``column=value`` pairs.

    *effort* tells from the same arguments what a call costs beyond what it is given and what it gives;
    what *folds* a list receives first the function that takes from the budget.
    """

    __slots__ = ("effort", "folds", "keywords", "least", "most", "run", "tables")

    def __init__(self, run, least=1, most=None, tables=False, keywords=False, effort=None, folds=False):
        self.run, self.least, self.most = run, least, least if most is None else most
        self.tables, self.keywords, self.effort, self.folds = tables, keywords, effort, folds


def _numbers(values):
    if len(values) == 1 and isinstance(values[0], (list, dict)):
        values = list(values[0].values()) if isinstance(values[0], dict) else values[0]
    for value in values:
        if type(value) is not int and not is_number(value) and not isinstance(value, bool):
            raise TypeError("number")
    return values


def _smallest(*values):
    return min(_numbers(values))


def _largest(*values):
    return max(_numbers(values))


def _floor(value):
    return value // 1


def _ceiling(value):
    return -(-value // 1)


def _round(value):
    """Round half up, away from the floor: the only rounding besides floor and ceil."""
    return (2 * value + 1) // 2


def _clamp(value, low, high):
    return max(low, min(high, value))


def _power(base, exponent):
    if not is_number(base) or not isinstance(exponent, int) or not 0 <= exponent <= MOST_EXPONENT:
        raise ValueError("power")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size * exponent > LARGEST_BITS:
        raise OverflowError("power")
    return whole(base**exponent)


def _sum(spend, *values):
    return whole(summed(_numbers(values), spend))


def _product(spend, values):
    return whole(multiplied(_numbers([values]), spend))


def _range(*bounds):
    numbers = range(*bounds)
    if len(numbers) > LONGEST_RANGE:
        raise ValueError("range")
    return list(numbers)


def _count(values, wanted):
    return sum(1 for value in values if value == wanted)


def _sorted(values):
    return sorted(values)


def _descending(values):
    return sorted(values, reverse=True)


def _distinct(values):
    return list(dict.fromkeys(values))


def _tally(values):
    """Return how often each value comes, as a mapping from its text to a count."""
    counts = {}
    for value in values:
        counts[str(value)] = counts.get(str(value), 0) + 1
    return counts


def _expand(counts):
    """Return the sorted list of whole numbers that a mapping {number as text: count} stands for."""
    values = []
    for key, count in counts.items():
        if len(values) + count > LONGEST_RANGE:
            raise ValueError("expand")
        values += [exact(key)] * count
    return sorted(values)


def _get(held, key, default=None):
    if isinstance(held, list):
        return held[key] if isinstance(key, int) and 0 <= key < len(held) else default
    return held.get(key, default)


def _mapping(keys, values):
    return dict(zip(map(str, keys), values, strict=True))


def _text(value):
    if not isinstance(value, (str, int, Fraction, Dice)):
        raise TypeError("text")
    return checked(str(value))


def _dice_text(count, sides, bonus=None):
    return parse(f"{count}d{sides}" + ("" if bonus is None else f"{bonus:+d}"))


def _chance(event):
    if isinstance(event, bool):
        return int(event)
    if not isinstance(event, Event):
        raise TypeError("chance")
    return whole(event.chance())


def _mean(spend, value):
    if isinstance(value, Distribution):
        return whole(value.mean())
    return whole(Fraction(summed(value, spend)) / len(value))


def _outcomes(distribution):
    """Return {outcome as text: chance} of a distribution."""
    return {str(outcome): Fraction(weight, distribution.total) for outcome, weight in distribution.items()}


def _at_least(distribution):
    """Return {outcome as text: chance to reach it or more}, the cumulated distribution."""
    left, chances = distribution.total, {}
    for outcome, weight in distribution.items():
        chances[str(outcome)] = Fraction(left, distribution.total)
        left -= weight
    return chances


FUNCTIONS = {
    "min": Function(_smallest, 1, 20),
    "max": Function(_largest, 1, 20),
    "floor": Function(_floor),
    "ceil": Function(_ceiling),
    "round": Function(_round),
    "abs": Function(abs),
    "clamp": Function(_clamp, 3),
    "power": Function(_power, 2),
    "isqrt": Function(isqrt),
    "sum": Function(_sum, 1, 20, folds=True),
    "product": Function(_product, folds=True),
    "range": Function(_range, 1, 2),
    "len": Function(len),
    "count": Function(_count, 2),
    "any": Function(any),
    "all": Function(all),
    "sorted": Function(_sorted),
    "descending": Function(_descending),
    "distinct": Function(_distinct),
    "tally": Function(_tally),
    "expand": Function(_expand),
    "keys": Function(list),
    "values": Function(lambda held: list(held.values())),
    "get": Function(_get, 2, 3),
    "mapping": Function(_mapping, 2),
    "lower": Function(str.lower),
    "text": Function(_text),
    "number": Function(exact),
    "dice": Function(pool, 2, effort=pool_effort),
    "keep_highest": Function(keep_highest, 3, effort=keep_effort),
    "keep_lowest": Function(keep_lowest, 3, effort=keep_effort),
    "binomial": Function(binomial, 2, effort=binomial_effort),
    "chance": Function(_chance),
    "mean": Function(_mean, folds=True),
    "lowest": Function(Distribution.lowest),
    "highest": Function(Distribution.highest),
    "outcomes": Function(_outcomes),
    "at_least": Function(_at_least),
    "d_count": Function(lambda dice: dice.count),
    "d_sides": Function(lambda dice: dice.sides),
    "d_bonus": Function(lambda dice: dice.bonus),
    "dice_text": Function(_dice_text, 2, 3),
    "cell": Function(cell, 3, tables=True),
    "constant": Function(constant, 1, tables=True),
    "find": Function(find, 2, tables=True, keywords=True, effort=length),
    "rows": Function(rows, 1, tables=True, effort=length),
    "ids": Function(identifiers, 1, tables=True, effort=length),
    "band": Function(read_band, 2, tables=True, effort=length),
}
