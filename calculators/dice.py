"""Dice: exact distributions as integer counts, and the roller.

A distribution is packed in one big integer while it is computed (Kronecker substitution): sums are
products, so that forty dice cost one power.
"""

import re
from fractions import Fraction
from functools import lru_cache
from math import comb
from random import Random, SystemRandom

# A pool larger than these is refused before it is computed: answers stay within a frame.
MOST_DICE = 200
MOST_SIDES = 1000
MOST_OUTCOMES = 20_000
# A reader changes a bonus more often than the dice: the last pools are kept.
CACHED = 64

_DICE_TEXT = re.compile(r"(\d{0,3})[dD](\d{1,4})(?:\s*([+−-])\s*(\d{1,6}))?")


class DiceError(ValueError):
    """A pool that cannot be rolled: too many dice, no such keep, an impossible chance."""


class Dice:
    """Dice as written in a game, ``2d6+3``: count, sides, bonus; a bonus of None is not written, one of 0 is."""

    __slots__ = ("bonus", "count", "sides", "written")

    def __init__(self, count, sides, bonus=None):
        self.count, self.sides, self.bonus, self.written = count, sides, bonus or 0, bonus is not None

    def __eq__(self, other):
        return isinstance(other, Dice) and (self.count, self.sides, self.bonus) == (other.count, other.sides, other.bonus)

    def __hash__(self):
        return hash((self.count, self.sides, self.bonus))

    def __str__(self):
        bonus = f"{self.bonus:+d}" if self.written else ""
        return f"{self.count}d{self.sides}{bonus}"

    def french(self):
        """Return the dice as a French book prints them: ``2D6 + 3``."""
        sign = "−" if self.bonus < 0 else "+"
        bonus = f"\u00a0{sign}\u00a0{abs(self.bonus)}" if self.written else ""
        return f"{self.count}D{self.sides}{bonus}"


def parse(text):
    """Read ``2d6+3`` as Dice; raises DiceError when *text* is not dice."""
    found = _DICE_TEXT.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None or int(found[2]) == 0:
        raise DiceError(text)
    bonus = int(found[4]) if found[4] else None
    return Dice(int(found[1] or 1), int(found[2]), -bonus if bonus and found[3] in ("−", "-") else bonus)


class Distribution:
    """Integer outcomes with integer weights: *low* is the first outcome, *weights* one count an outcome after it.

    Never changed once made: pools are shared.
    """

    __slots__ = ("low", "total", "weights")

    def __init__(self, low, weights):
        if len(weights) > MOST_OUTCOMES:
            raise DiceError("outcomes")
        self.low, self.weights, self.total = low, weights, sum(weights)

    def items(self):
        """Return (outcome, weight) pairs of the possible outcomes, ascending."""
        return [(self.low + place, weight) for place, weight in enumerate(self.weights) if weight]

    def lowest(self):
        return self.items()[0][0]

    def highest(self):
        return self.items()[-1][0]

    def mean(self):
        return Fraction(sum(outcome * weight for outcome, weight in self.items()), self.total)

    def weight_where(self, test):
        """Return the sum of the weights of the outcomes for which *test* holds."""
        return sum(weight for outcome, weight in self.items() if test(outcome))

    def chance_where(self, test):
        return Fraction(self.weight_where(test), self.total)

    def shifted(self, amount):
        return Distribution(self.low + amount, self.weights)

    def negated(self):
        return Distribution(-(self.low + len(self.weights) - 1), self.weights[::-1])

    def plus(self, other):
        """Return the distribution of the sum of two independent rolls."""
        bits = (self.total * other.total).bit_length()
        product = _packed(self.weights, bits) * _packed(other.weights, bits)
        return Distribution(self.low + other.low, _unpacked(product, bits, len(self.weights) + len(other.weights) - 1))


class Event:
    """What may happen or not: *weight* favourable rolls out of *total*, waiting to be asked its chance."""

    __slots__ = ("total", "weight")

    def __init__(self, weight, total):
        self.weight, self.total = weight, total

    def chance(self):
        return Fraction(self.weight, self.total)


def _packed(weights, bits):
    packed = 0
    for weight in reversed(weights):
        packed = (packed << bits) | weight
    return packed


def _unpacked(packed, bits, length):
    mask = (1 << bits) - 1
    return [(packed >> (bits * place)) & mask for place in range(length)]


def _checked(count, sides):
    if not (0 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES and count * sides <= MOST_OUTCOMES):
        raise DiceError(f"{count}d{sides}")


@lru_cache(maxsize=CACHED)
def pool(count, sides):
    """Return the distribution of the sum of *count* dice of *sides* faces, total sides**count."""
    _checked(count, sides)
    bits = (sides**count).bit_length()
    one = _packed([1] * sides, bits)
    return Distribution(count, _unpacked(one**count, bits, count * (sides - 1) + 1))


@lru_cache(maxsize=CACHED)
def keep_highest(count, sides, kept):
    """Return the distribution of the sum of the *kept* best of *count* dice of *sides* faces, total sides**count.

    Rolls are sorted by the lowest face that is kept and by how many dice stand strictly above it: the kept sum is
    then that of those dice plus the face as often as it is needed.
    """
    _checked(count, sides)
    if not 0 <= kept <= count:
        raise DiceError(f"{kept}/{count}")
    if kept == 0:
        return Distribution(0, [sides**count])
    bits = (sides**count).bit_length()
    packed = 0
    for face in range(1, sides + 1):
        # `above` holds the sums of the dice above the face, counted from the lowest sum, every kept die showing 1.
        one, above = _packed([1] * (sides - face), bits) << (bits * face), 1
        for higher in range(min(kept, count + 1)):
            ways = comb(count, higher) * _at_least_showing(count - higher, kept - higher, face)
            packed += (above * ways) << (bits * (face - 1) * (kept - higher))
            above *= one
    return Distribution(kept, _unpacked(packed, bits, kept * (sides - 1) + 1))


def _at_least_showing(count, least, face):
    """Count the rolls of *count* dice, none above *face*, of which at least *least* show it."""
    return sum(comb(count, showing) * (face - 1) ** (count - showing) for showing in range(least, count + 1))


def keep_lowest(count, sides, kept):
    """Return the distribution of the sum of the *kept* worst of *count* dice: the mirror of keep_highest."""
    best = keep_highest(count, sides, kept)
    return Distribution(best.low, best.weights[::-1])


def binomial(count, chance):
    """Return the distribution of the number of successes in *count* tries of the same *chance*."""
    if not (0 <= count <= MOST_SIDES and 0 <= chance <= 1):
        raise DiceError("binomial")
    chance = Fraction(chance)
    yes, no = chance.numerator, chance.denominator - chance.numerator
    return Distribution(0, [comb(count, hits) * yes**hits * no ** (count - hits) for hits in range(count + 1)])


def roller(seed=None):
    """Return a source of dice: the system's cryptographic one, or a repeatable one for tests when *seed* is given."""
    return SystemRandom() if seed is None else Random(seed)


def roll(source, count, sides):
    """Return *count* faces of a die of *sides* faces drawn from *source*; raises DiceError beyond the limits."""
    _checked(count, sides)
    return [source.randint(1, sides) for _ in range(count)]
