"""Bands: the record of a table in which a value falls, by its bounds or by cumulated percentages."""

from ..tables import read_band
from .parameter import BANDS, FORMULA, Parameter

parameters = {"table": Parameter(BANDS), "value": Parameter(FORMULA)}


def run(arguments, scope):
    """Return the slug of the record in which *value* falls."""
    return read_band(scope.tables, arguments["table"], arguments["value"].evaluate(scope))
