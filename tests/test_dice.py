"""Dice: examples, laws, brute force and an independent library agree."""

from fractions import Fraction
from itertools import product
from random import Random

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators import dice

POOLS = st.tuples(st.integers(1, 4), st.integers(1, 6))


def brute_force(count, sides, value):
    counts = {}
    for faces in product(range(1, sides + 1), repeat=count):
        outcome = value(sorted(faces))
        counts[outcome] = counts.get(outcome, 0) + 1
    return sorted(counts.items())


def test_two_dice_of_six():
    assert dice.pool(2, 6).items() == list(zip(range(2, 13), [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1], strict=True))


def test_three_dice_of_six_keep_the_two_best():
    assert [weight for _, weight in dice.keep_highest(3, 6, 2).items()] == [1, 3, 7, 12, 19, 27, 34, 36, 34, 27, 16]


@given(POOLS)
def test_a_pool_counts_every_roll(pool):
    count, sides = pool

    assert dice.pool(count, sides).total == sides**count
    assert dice.pool(count, sides).items() == brute_force(count, sides, sum)


@given(POOLS, st.integers(0, 4))
def test_keeping_agrees_with_brute_force(pool, kept):
    count, sides = pool
    kept = min(kept, count)

    assert dice.keep_highest(count, sides, kept).items() == brute_force(count, sides, lambda faces: sum(faces[count - kept :]))
    assert dice.keep_lowest(count, sides, kept).items() == brute_force(count, sides, lambda faces: sum(faces[:kept]))


@given(POOLS, st.integers(1, 4), st.integers(-5, 40))
def test_the_best_are_never_worse_than_the_plain_nor_these_than_the_worst(pool, kept, target):
    count, sides = pool
    kept = min(kept, count)
    best, plain, worst = dice.keep_highest(count, sides, kept), dice.pool(kept, sides), dice.keep_lowest(count, sides, kept)

    def reach(distribution):
        return distribution.chance_where(lambda outcome: outcome >= target)

    assert reach(best) >= reach(plain) >= reach(worst)


@given(POOLS, POOLS)
def test_sums_of_pools(first, second):
    together = dice.pool(*first).plus(dice.pool(*second))

    assert together.total == dice.pool(*first).total * dice.pool(*second).total
    assert together.mean() == dice.pool(*first).mean() + dice.pool(*second).mean()


@pytest.mark.parametrize(("count", "sides", "kept"), [(10, 10, 10), (40, 6, 40), (20, 20, 10), (7, 4, 3), (20, 4, 20)])
def test_large_pools_agree_with_another_library(count, sides, kept):
    ours = dice.keep_highest(count, sides, kept)
    theirs = icepool.d(sides).highest(count, kept)

    assert {outcome: Fraction(weight, ours.total) for outcome, weight in ours.items()} == {
        outcome: Fraction(weight, theirs.denominator()) for outcome, weight in theirs.items()
    }


@given(st.integers(0, 12), st.fractions(0, 1, max_denominator=20))
def test_binomial_counts_add_up(count, chance):
    assert dice.binomial(count, chance).mean() == count * chance


@pytest.mark.parametrize("arguments", [(-1, 6), (2, 0), (1000, 6), (200, 1000)])
def test_impossible_pools_are_refused(arguments):
    with pytest.raises(dice.DiceError):
        dice.pool(*arguments)


@pytest.mark.parametrize(
    ("text", "canonical"), [("2d6", "2d6"), ("2D6", "2d6"), ("d20", "1d20"), ("1d8 + 8", "1d8+8"), ("3d4-1", "3d4-1"), ("3d4−1", "3d4-1"), ("0d6", "0d6")]
)
def test_dice_are_read(text, canonical):
    assert str(dice.parse(text)) == canonical


@pytest.mark.parametrize("text", ["", "6", "d", "2d0", "2d6+", "9999d6", "2d6*3", None, 7, "1d6;"])
def test_what_is_not_dice_is_refused(text):
    with pytest.raises(dice.DiceError):
        dice.parse(text)


def test_dice_are_printed_in_french():
    assert dice.parse("2d6+3").french() == "2D6\u00a0+\u00a03"


@settings(max_examples=30)
@given(st.integers(), POOLS)
def test_rolls_stay_on_the_faces_and_a_seed_repeats_them(seed, pool):
    count, sides = pool
    faces = dice.roll(dice.roller(seed), count, sides)

    assert len(faces) == count and all(1 <= face <= sides for face in faces)
    assert faces == dice.roll(Random(seed), count, sides)


def test_rolls_without_a_seed_differ():
    assert dice.roll(dice.roller(), 20, 1000) != dice.roll(dice.roller(), 20, 1000)
