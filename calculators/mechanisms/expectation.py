"""An expectation: the mean of a formula over every outcome of a distribution."""

from fractions import Fraction

from ..effort import summed
from ..expression import Scope
from ..numbers import whole
from .draw import draw
from .parameter import FORMULA, NAME, Parameter

parameters = {
    "of": Parameter(FORMULA),
    "as": Parameter(NAME),
    "value": Parameter(FORMULA, inside=("@as",)),
}


def run(arguments, scope):
    """Return the exact mean of *value*, where the name *as* stands for each outcome of the distribution *of*."""
    distribution = draw(arguments["of"], scope)
    outcomes = distribution.items()
    total = summed((weight * arguments["value"].evaluate(Scope({arguments["as"]: outcome}, scope)) for outcome, weight in outcomes), scope.spend)
    return whole(Fraction(total) / distribution.total)
