"""Pairing: put items two by two so that the whole is worth the most, what is left counting alone."""

from fractions import Fraction

from ..dice import Distribution
from ..expression import Scope
from ..numbers import whole
from .parameter import FORMULA, NAME, Parameter

MOST_ITEMS = 8

parameters = {
    "items": Parameter(FORMULA),
    "as": Parameter(NAME),
    "with": Parameter(NAME),
    "alone": Parameter(FORMULA, inside=("@as",)),
    "pair": Parameter(FORMULA, inside=("@as", "@with")),
    "boosted": Parameter(FORMULA, optional=True, inside=("@as", "@with")),
    "boosts": Parameter(FORMULA, optional=True),
    "unused": Parameter(FORMULA, optional=True),
    "most": Parameter(FORMULA, optional=True),
}
gives = ("value", "pairs")


def _frozen(value):
    """Return what stands for *value* in the key of a memory: lists, mappings and pools by what they hold."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple((key, _frozen(item)) for key, item in value.items())
    return (value.low, *value.weights) if isinstance(value, Distribution) else value


def run(arguments, scope):
    """Return {"value", "pairs"}: the best total and the pairs that make it.

    *alone* values one item; *pair* values two, or is null when they do not go together; *boosted* is the value of a
    pair that uses one of the *boosts*; a boost that no pair uses adds *unused*; at most *most* pairs are made.
    """
    items = arguments["items"].evaluate(scope)
    if len(items) > MOST_ITEMS:
        raise ValueError("pairing")
    boosts = arguments["boosts"].evaluate(scope) if "boosts" in arguments else 0
    unused = arguments["unused"].evaluate(scope) if "unused" in arguments else 0
    most = arguments["most"].evaluate(scope) if "most" in arguments else len(items)
    inside = (arguments["as"], arguments["with"])
    # Two items are worth the same in every mix: what else the formula reads is part of the key.
    around = {
        key: tuple(_frozen(scope.get(name)) for name in arguments[key].names if name not in inside) for key in ("alone", "pair", "boosted") if key in arguments
    }

    def worth(parameter, first, second=None):
        key = (id(arguments[parameter]), around[parameter], _frozen(first), _frozen(second))
        if key not in scope.memory:
            values = {inside[0]: first, inside[1]: second}
            scope.memory[key] = arguments[parameter].evaluate(Scope(values, scope))
        return scope.memory[key]

    def best(left, boosts, most):
        if not left:
            return Fraction(unused) * boosts, []
        first, rest = left[0], left[1:]
        value, pairs = best(rest, boosts, most)
        found = (value + worth("alone", first), pairs)
        for place, second in enumerate(rest if most else ()):
            others = rest[:place] + rest[place + 1 :]
            for parameter, used in (("pair", 0), ("boosted", 1)):
                if used > boosts or parameter not in arguments:
                    continue
                together = worth(parameter, first, second)
                if together is None:
                    together = worth(parameter, second, first)
                if together is None:
                    continue
                value, pairs = best(others, boosts - used, most - 1)
                if value + together > found[0]:
                    found = (value + together, [[first, second], *pairs])
        return found

    value, pairs = best(list(items), boosts, most)
    return {"value": whole(value), "pairs": pairs}
