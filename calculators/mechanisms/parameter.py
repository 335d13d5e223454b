"""The kinds of parameter a mechanism takes; `step.py` reads them from data and compiles the formulas."""

FORMULA = "formula"
FORMULAS = "formulas"  # {name: formula}
FORMULA_LIST = "formula-list"
FORMULA_TABLE = "formula-table"  # {name: {name: formula}}
NAME = "name"  # a name the mechanism gives to a value inside its formulas
TABLE = "table"
BANDS = "bands"  # a table in which a number falls
STEP = "step"  # a formula, or another mechanism
DATA = "data"  # read as it is


class Parameter:
    """One parameter: *kind*, whether it may be left out, and the names *inside* which its formulas may also use.

    A name in *inside* starting with ``@`` is the value of that NAME parameter.
    """

    __slots__ = ("inside", "kind", "optional")

    def __init__(self, kind, optional=False, inside=()):
        self.kind, self.optional, self.inside = kind, optional, inside
