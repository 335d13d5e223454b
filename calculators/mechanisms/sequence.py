"""A sequence: go through a list in order and keep values up to date, until a condition holds."""

from ..expression import Scope, truth
from .parameter import FORMULA, FORMULAS, NAME, Parameter

parameters = {
    "each": Parameter(FORMULA),
    "as": Parameter(NAME),
    "from": Parameter(FORMULAS),
    "next": Parameter(FORMULAS, inside=("@as", "@from")),
    "until": Parameter(FORMULA, optional=True, inside=("@as", "@from")),
}


def malformed(arguments, tables):
    """Yield (no table, path inside the parameters, code, facts) of every name of *next* that *from* does not start."""
    for name in arguments["next"].keys() - arguments["from"].keys():
        yield None, ("next", name), "not-started", {"found": name, "known": list(arguments["from"])}


def run(arguments, scope):
    """Return the kept values {name: value} after the last item gone through.

    *from* gives them their first value, *next* their following one from the present ones and the item named by *as*;
    the formulas of *next* are read in order, each seeing the new values before it.
    """
    kept = {name: formula.evaluate(scope) for name, formula in arguments["from"].items()}
    for item in arguments["each"].evaluate(scope):
        scope.spend(1)
        if "until" in arguments and truth(arguments["until"].evaluate(Scope({arguments["as"]: item, **kept}, scope))):
            break
        for name, formula in arguments["next"].items():
            kept[name] = formula.evaluate(Scope({arguments["as"]: item, **kept}, scope))
    return kept
