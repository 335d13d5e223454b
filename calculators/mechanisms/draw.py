"""The draw of dice that a mechanism reads: nothing else will do."""

from ..dice import Distribution
from ..expression import ExpressionError


def draw(formula, scope):
    """Return the distribution that *formula* gives in *scope*; another value raises an ExpressionError that names both."""
    value = formula.evaluate(scope)
    if isinstance(value, Distribution):
        return value
    raise ExpressionError("not-a-draw", formula=formula.source, found=type(value).__name__)
