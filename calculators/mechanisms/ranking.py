"""A ranking: put items in order by several keys, the highest first."""

from ..expression import Scope
from .parameter import FORMULA, FORMULA_LIST, NAME, Parameter

parameters = {
    "items": Parameter(FORMULA),
    "as": Parameter(NAME),
    "by": Parameter(FORMULA_LIST, inside=("@as",)),
    "take": Parameter(FORMULA, optional=True, inside=("@as",)),
}


def run(arguments, scope):
    """Return the items (or what *take* makes of each) in descending order of the keys *by*; equal ones keep their order."""
    name = arguments["as"]
    scopes = [Scope({name: item}, scope) for item in arguments["items"].evaluate(scope)]
    scope.spend(len(scopes))
    keyed = [([-(key.evaluate(inner) + 0) for key in arguments["by"]], place, inner) for place, inner in enumerate(scopes)]
    ordered = [inner for _, _, inner in sorted(keyed, key=lambda entry: entry[:2])]
    return [arguments["take"].evaluate(inner) if "take" in arguments else inner.values[name] for inner in ordered]
