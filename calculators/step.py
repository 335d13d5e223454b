"""A step of a question: a formula or a mechanism, compiled once, worked out when its name is first needed."""

from .expression import ExpressionError, StepError, compiled
from .mechanisms import MECHANISMS
from .mechanisms import parameter as kinds

# What a step may say besides the formula or the mechanism.
DETAILS = ("label", "hidden", "unit", "kind", "table", "choices", "rule", "told", "note", "places")


class Step:
    """One named step: its *label*, its *expression* or its *mechanism* with compiled *arguments*, and the *names* it needs.

    *expressions* lists (path in the question's data, Expression, names bound around it); what cannot be read raises
    StepError, or is added to the list of *faults*.
    """

    def __init__(self, name, spec, path=(), faults=None):
        self.name, self.spec, self.path, self.faults = name, spec, path, faults
        self.label, self.kind = spec.get("label", name), spec.get("kind")
        self.hidden = bool(spec.get("hidden"))
        self.expression = self.mechanism = None
        self.arguments, self.expressions = {}, []
        work = [key for key in spec if key not in DETAILS]
        if len(work) != 1:
            raise StepError(path, "step-work", found=work)
        self.mechanism_name = work[0]
        if work[0] == "formula":
            self.expression = self._formula(spec["formula"], (*path, "formula"), frozenset())
        elif work[0] in MECHANISMS:
            self.mechanism = MECHANISMS[work[0]]
            self._compile(spec[work[0]], (*path, work[0]), frozenset())
        else:
            raise StepError((*path, work[0]), "unknown-mechanism", found=work[0], known=sorted(MECHANISMS))

    @property
    def names(self):
        """Return the free names all the step's formulas need."""
        return [name for _, expression, bound in self.expressions for name in expression.names if name not in bound]

    def run(self, scope):
        if self.expression is not None:
            return self.expression.evaluate(scope)
        try:
            return scope.weighed(self.mechanism.run(self.arguments, scope))
        except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError, AttributeError) as error:
            raise ExpressionError("failed", found=f"{type(error).__name__}: {error}", formula=self.mechanism_name) from None

    evaluate = run

    def tables(self):
        """Yield (path, name, is read by bands) of each table that the mechanism, or one inside it, reads."""
        for key, argument in self.arguments.items():
            if isinstance(argument, Step):
                yield from argument.tables()
            elif self.mechanism.parameters[key].kind in (kinds.TABLE, kinds.BANDS):
                yield (*self.path, self.mechanism_name, key), argument, self.mechanism.parameters[key].kind == kinds.BANDS

    def _compile(self, given, path, outer):
        if not isinstance(given, dict):
            raise StepError(path, "mechanism-parameters")
        parameters = self.mechanism.parameters
        for key in given:
            if key not in parameters:
                raise StepError((*path, key), "unknown-parameter", found=key, known=list(parameters))
        for key, parameter in parameters.items():
            if key in given:
                self.arguments[key] = self._argument(given, key, parameter, (*path, key), outer)
            elif not parameter.optional:
                raise StepError(path, "missing-parameter", parameter=key)

    def _argument(self, given, key, parameter, path, outer):
        value = given[key]
        bound = outer | _bound_names(parameter, given)
        if parameter.kind == kinds.FORMULA:
            return self._formula(value, path, bound)
        if parameter.kind == kinds.FORMULAS:
            return {name: self._formula(formula, (*path, name), bound) for name, formula in value.items()}
        if parameter.kind == kinds.FORMULA_LIST:
            return [self._formula(formula, (*path, place), bound) for place, formula in enumerate(value)]
        if parameter.kind == kinds.FORMULA_TABLE:
            return {name: {part: self._formula(formula, (*path, name, part), bound) for part, formula in formulas.items()} for name, formulas in value.items()}
        if parameter.kind == kinds.STEP:
            if not isinstance(value, dict):
                return self._formula(value, path, bound)
            inner = Step(self.name, value, path, self.faults)
            self.expressions += [(where, expression, names | bound) for where, expression, names in inner.expressions]
            return inner
        return value

    def _formula(self, source, path, bound):
        expression = compiled(source, path, self.faults)
        self.expressions.append((path, expression, bound))
        return expression


def _bound_names(parameter, given):
    names = set()
    for name in parameter.inside:
        if not name.startswith("@"):
            names.add(name)
            continue
        value = given.get(name[1:], {})
        names.update(value if isinstance(value, dict) else [value])
    return frozenset(names)
