"""A chain: states, and at each round the chances to pass from the present one to others."""

from ..expression import Scope
from ..numbers import whole
from .parameter import FORMULA, NAME, Parameter

MOST_ROUNDS = 500
# What one move costs.
MOVE = 10

parameters = {
    "start": Parameter(FORMULA),
    "rounds": Parameter(FORMULA),
    "as": Parameter(NAME),
    "moves": Parameter(FORMULA, inside=("@as",)),
}


def run(arguments, scope):
    """Return {state as text: chance} after the rounds.

    *start* is a state; *moves* gives, for the state named by *as*, a mapping {next state: chance} that sums to 1.
    """
    rounds = arguments["rounds"].evaluate(scope)
    if not 0 <= rounds <= MOST_ROUNDS:
        raise ValueError("chain")
    chances, moves = {arguments["start"].evaluate(scope): 1}, {}
    for _ in range(rounds):
        following = {}
        for state, chance in chances.items():
            if state not in moves:
                moves[state] = arguments["moves"].evaluate(Scope({arguments["as"]: state}, scope))
                if sum(moves[state].values()) != 1:
                    raise ValueError("chain")
            for target, part in moves[state].items():
                following[target] = scope.weighed(following.get(target, 0) + chance * part)
            scope.spend(len(moves[state]) * MOVE)
        chances = following
    return {str(state): whole(chances[state]) for state in sorted(chances, key=str)}
