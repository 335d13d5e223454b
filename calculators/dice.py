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
# The work one pool may ask: bits of the numbers that hold it, and how often they are gone through.
MOST_BITS = 3_000_000
MOST_KEPT_BITS = 200_000_000
KEPT_BITS_A_UNIT = 200
BYTE = 8
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
    __hash__ = None

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
        size, length = _size(self.total * other.total), len(self.weights) + len(other.weights) - 1
        _bounded(length * size * BYTE, MOST_BITS)
        product = _packed(self.weights, size) * _packed(other.weights, size)
        return Distribution(self.low + other.low, _unpacked(product, size, length))


class Event:
    """What may happen or not: *weight* favourable rolls out of *total*, waiting to be asked its chance."""

    __slots__ = ("total", "weight")
    __hash__ = None

    def __init__(self, weight, total):
        self.weight, self.total = weight, total

    def chance(self):
        return Fraction(self.weight, self.total)


def _size(total):
    """Return how many bytes hold each weight of a distribution of *total* rolls."""
    return total.bit_length() // BYTE + 1


def _packed(weights, size):
    return int.from_bytes(b"".join(weight.to_bytes(size, "little") for weight in weights), "little")


def _unpacked(packed, size, length):
    data = packed.to_bytes(size * length, "little")
    return [int.from_bytes(data[place : place + size], "little") for place in range(0, size * length, size)]


def _bounded(asked, most):
    if asked > most:
        raise DiceError("outcomes")
    return asked


def _checked(count, sides):
    if not (isinstance(count, int) and isinstance(sides, int) and 0 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES and count * sides <= MOST_OUTCOMES):
        raise DiceError(f"{count}d{sides}")


def pool_effort(count, sides):
    """Return what pool() costs; raises DiceError when it is too much."""
    _checked(count, sides)
    return _bounded(BYTE * _size(sides**count) * (count * (sides - 1) + 1), MOST_BITS) // BYTE


@lru_cache(maxsize=CACHED)
def pool(count, sides):
    """Return the distribution of the sum of *count* dice of *sides* faces, total sides**count."""
    pool_effort(count, sides)
    size = _size(sides**count)
    return Distribution(count, _unpacked(_packed([1] * sides, size) ** count, size, count * (sides - 1) + 1))


def keep_effort(count, sides, kept):
    """Return what keep_highest() costs; raises DiceError when it is too much."""
    _checked(count, sides)
    if not 0 <= kept <= count:
        raise DiceError(f"{kept}/{count}")
    return _bounded(BYTE * _size(sides**count) * (kept * (sides - 1) + 1) * sides * kept, MOST_KEPT_BITS) // KEPT_BITS_A_UNIT


@lru_cache(maxsize=CACHED)
def keep_highest(count, sides, kept):
    """Return the distribution of the sum of the *kept* best of *count* dice of *sides* faces, total sides**count.

    Rolls are sorted by the lowest face that is kept and by how many dice stand strictly above it: the kept sum is
    then that of those dice plus the face as often as it is needed.
    """
    keep_effort(count, sides, kept)
    if kept == 0:
        return Distribution(0, [sides**count])
    size = _size(sides**count)
    bits, packed = BYTE * size, 0
    for face in range(1, sides + 1):
        # `above` holds the sums of the dice above the face, counted from the lowest sum, every kept die showing 1.
        one, above = _packed([1] * (sides - face), size) << (bits * face), 1
        for higher in range(min(kept, count + 1)):
            ways = comb(count, higher) * _at_least_showing(count - higher, kept - higher, face)
            packed += (above * ways) << (bits * (face - 1) * (kept - higher))
            above *= one
    return Distribution(kept, _unpacked(packed, size, kept * (sides - 1) + 1))


def _at_least_showing(count, least, face):
    """Count the rolls of *count* dice, none above *face*, of which at least *least* show it."""
    return sum(comb(count, showing) * (face - 1) ** (count - showing) for showing in range(least, count + 1))


def keep_lowest(count, sides, kept):
    """Return the distribution of the sum of the *kept* worst of *count* dice: the mirror of keep_highest."""
    best = keep_highest(count, sides, kept)
    return Distribution(best.low, best.weights[::-1])


def binomial_effort(count, chance):
    """Return what binomial() costs; raises DiceError when it is too much."""
    if not (0 <= count <= MOST_SIDES and 0 <= chance <= 1):
        raise DiceError("binomial")
    return _bounded(count * count * Fraction(chance).denominator.bit_length(), MOST_BITS) // BYTE


def binomial(count, chance):
    """Return the distribution of the number of successes in *count* tries of the same *chance*."""
    binomial_effort(count, chance)
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
