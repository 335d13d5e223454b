"""A race: the same try again and again until so many successes or so many failures."""

from fractions import Fraction
from math import comb

from .parameter import FORMULA, Parameter

MOST_STEPS = 60

parameters = {
    "chance": Parameter(FORMULA),
    "successes": Parameter(FORMULA),
    "failures": Parameter(FORMULA),
}
gives = ("win", "lose", "rounds")


def run(arguments, scope):
    """Return {"win", "lose", "rounds"}: the chance to reach the missing successes first, its contrary, the mean number of tries.

    *successes* and *failures* are how many of each are still missing; zero missing means the race is over.
    """
    chance = Fraction(arguments["chance"].evaluate(scope))
    wins, losses = arguments["successes"].evaluate(scope), arguments["failures"].evaluate(scope)
    if not (0 <= chance <= 1 and 0 <= wins <= MOST_STEPS and 0 <= losses <= MOST_STEPS):
        raise ValueError("race")
    if wins == 0 or losses == 0:
        return {"win": int(wins == 0), "lose": int(wins != 0), "rounds": 0}
    win = lose = rounds = Fraction(0)
    for failed in range(losses):
        ended = comb(wins - 1 + failed, failed) * chance**wins * (1 - chance) ** failed
        win += scope.weighed(ended)
        rounds += ended * (wins + failed)
    for succeeded in range(wins):
        ended = comb(losses - 1 + succeeded, succeeded) * (1 - chance) ** losses * chance**succeeded
        lose += scope.weighed(ended)
        rounds += ended * (losses + succeeded)
    return {"win": win, "lose": lose, "rounds": rounds}
