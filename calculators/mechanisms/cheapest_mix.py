"""The cheapest mix: among all small choices of items, those of least cost that are worth enough."""

from itertools import combinations_with_replacement, product

from ..expression import Scope
from .parameter import DATA, FORMULA, FORMULAS, NAME, STEP, Parameter

MOST_MIXES = 20_000

parameters = {
    "items": Parameter(FORMULA),
    "least": Parameter(FORMULA, optional=True),
    "most": Parameter(FORMULA),
    "as": Parameter(NAME),
    "extras": Parameter(FORMULAS, optional=True),
    "cost": Parameter(FORMULA, inside=("@as", "@extras")),
    "worth": Parameter(STEP, inside=("@as", "@extras")),
    "goal": Parameter(FORMULA),
    "description": Parameter(DATA, optional=True),
}
gives = ("cost", "mixes")


def run(arguments, scope):
    """Return {"cost", "mixes"}: the least cost that reaches *goal*, and every mix of that cost; "cost" is None when none does.

    A mix is *least* (1 unless said) to *most* items, repeats allowed, named by *as* as a list; *extras* gives {name: list of values it may take}.
    *cost* and *worth* are worked out for each mix, the cheapest first, so that few are weighed.
    """
    items, most = arguments["items"].evaluate(scope), arguments["most"].evaluate(scope)
    least_items = arguments["least"].evaluate(scope) if "least" in arguments else 1
    goal, name = arguments["goal"].evaluate(scope), arguments["as"]
    extras = {key: formula.evaluate(scope) for key, formula in arguments.get("extras", {}).items()}
    priced = []
    for size in range(least_items, min(most, MOST_MIXES) + 1):
        for chosen in combinations_with_replacement(items, size):
            scope.spend(size)
            for values in product(*extras.values()):
                inner = Scope({name: list(chosen), **dict(zip(extras, values, strict=True))}, scope)
                priced.append((arguments["cost"].evaluate(inner), len(priced), inner))
                if len(priced) > MOST_MIXES:
                    raise ValueError("mixes")
    found, least = [], None
    for cost, _, inner in sorted(priced, key=lambda entry: entry[:2]):
        if least is not None and cost > least:
            break
        worth = arguments["worth"].evaluate(inner)
        if isinstance(worth, dict):
            # A mechanism such as pairing says more than the total.
            worth = worth["value"]
        if worth >= goal:
            least = cost
            found.append({**inner.values, "worth": worth})
    return {"cost": least, "mixes": found}
