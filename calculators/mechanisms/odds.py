"""Odds by band: what chance a distribution has to fall in each record of a table."""

from fractions import Fraction

from ..functions import read_band
from .draw import draw
from .parameter import BANDS, FORMULA, Parameter

parameters = {"of": Parameter(FORMULA), "table": Parameter(BANDS)}


def run(arguments, scope):
    """Return {slug: chance} for every record of the table, impossible ones included; the chances sum to 1."""
    distribution, table = draw(arguments["of"], scope), arguments["table"]
    weights = dict.fromkeys(scope.tables[table].records, 0)
    scope.spend(len(weights) * len(distribution.weights))
    for outcome, weight in distribution.items():
        weights[read_band(scope.tables, table, outcome)] += weight
    return {slug: Fraction(weight, distribution.total) for slug, weight in weights.items()}
