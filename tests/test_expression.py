"""The formula language: what it computes, what it refuses, how it is written for a reader."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.expression import Expression, ExpressionError, Scope
from calculators.notation import Writer, shown
from calculators.tables import Table
from generator import texts

TABLES = {
    "paliers": Table("paliers", {"kind": "bands", "records": {"bas": {"min": None, "max": 5}, "haut": {"min": 6, "max": None, "name": "Haut"}}}),
    "charges": Table("charges", {"kind": "bands", "continuous": True, "records": {"legere": {"max": 3}, "lourde": {"max": None}}}),
    "roue": Table("roue", {"kind": "chances", "columns": {"percent": {"kind": "percent"}}, "records": {"a": {"percent": "75/2"}, "b": {"percent": "125/2"}}}),
    "constants": Table("constants", {"records": {"base": {"name": "Base", "value": 75}}}),
}
VALUES = {"stat": 15, "dice": [3, 4, 6], "mode": "avantage", "slots": {"2": 3, "1": 1}, "items": [{"n": 2}, {"n": 5}], "none": None, "yes": True}

COMPUTED = [
    ("1 + 2 * 3", 7),
    ("0.47 * 100", 47),
    ("7 / 2", Fraction(7, 2)),
    ("7 // 2", 3),
    ("-7 // 2", -4),
    ("7 % 4", 3),
    ("floor((stat - 10) / 2) if stat >= 10 else stat - 10", 2),
    ("round(5 / 2)", 3),
    ("ceil(-5 / 2)", -2),
    ("sum(descending(dice)[:2])", 10),
    ("max(count(dice, d) for d in dice)", 1),
    ("[d for d in dice if d > 3]", [4, 6]),
    ("sum(i['n'] for i in items)", 7),
    ("1 < 2 < 3 and not 3 < 2", True),
    ("mode in ['avantage', 'normal']", True),
    ("none == null", True),
    ("yes == true", True),
    ("tally(dice)", {"3": 1, "4": 1, "6": 1}),
    ("expand(slots)", [1, 2, 2, 2]),
    ("power(1.5, 3)", Fraction(27, 8)),
    ("product([1 / 2, 1 / 3])", Fraction(1, 6)),
    ("clamp(12, 0, 10)", 10),
    ("band('paliers', 5)", "bas"),
    ("cell('paliers', band('paliers', 6), 'name')", "Haut"),
    ("band('charges', 3.01)", "lourde"),
    ("band('roue', 37)", "a"),
    ("band('roue', 38)", "b"),
    ("constant('base')", 75),
    ("find('constants', 'id', value=75)", "base"),
    ("chance(keep_highest(3, 6, 2) >= 9)", Fraction(113, 216)),
    ("chance(dice(1, 20) + 2 + dice(1, 4) >= 18)", Fraction(30, 80)),
    ("mean(dice(2, 6) + 6)", 13),
    ("outcomes(dice(1, 2))", {"1": Fraction(1, 2), "2": Fraction(1, 2)}),
    ("at_least(dice(1, 2))", {"1": 1, "2": Fraction(1, 2)}),
    ("lowest(3 - dice(1, 6))", -3),
    ("{'a': 1}['a']", 1),
    ("get(slots, '9', 0)", 0),
]
REFUSED = [
    ("__import__('os')", "unknown-function"),
    ("stat.real", "formula-not-allowed"),
    ("(lambda: 1)()", "formula-syntax"),
    ("2 ** 3", "formula-not-allowed"),
    ("[x for x in dice for y in dice]", "formula-not-allowed"),
    ("f'{stat}'", "formula-not-allowed"),
    ("1 +", "formula-syntax"),
    ("min()", "wrong-arguments"),
    ("(" * 250 + "1" + ")" * 250, "formula-syntax"),
    ("-" * 60 + "1", "formula-too-deep"),
    ("1 + " * 600 + "1", "formula-too-long"),
    ("dice[::2]", "formula-not-allowed"),
    ("{**slots}", "formula-not-allowed"),
    ("stat := 3", "formula-syntax"),
    ("'a' 'b'.x", "formula-not-allowed"),
    ("1j", "formula-not-allowed"),
    ("1e400", "formula-not-allowed"),
]
FAILING = [
    "stat / 0",
    "dice + 1",
    "'a' * 999999999",
    "dice(1, 6) and true",
    "unknown",
    "dice[9]",
    "power(9, 999999)",
    "range(0, 999999)",
    "isqrt(-1)",
    "dice(999, 6)",
]
WRITTEN = [
    ("floor((stat - 10) / 2)", "arrondi inférieur de ((Statistique − 10) ÷ 2)", "arrondi inférieur de ((15 − 10) ÷ 2)"),
    ("stat - (2 - 1)", "Statistique − (2 − 1)", "15 − (2 − 1)"),
    ("stat if stat > 20 else 2 * stat", "Statistique si Statistique > 20, sinon 2 × Statistique", "2 × 15"),
    ("constant('base') + 5", "@constants/base + 5", "75 + 5"),
]


def scope():
    return Scope(dict(VALUES), tables=TABLES)


@pytest.mark.parametrize(("source", "value"), COMPUTED)
def test_computed(source, value):
    assert Expression(source).evaluate(scope()) == value


@pytest.mark.parametrize(("source", "code"), REFUSED)
def test_refused_when_read(source, code):
    with pytest.raises(ExpressionError) as caught:
        Expression(source)

    assert caught.value.code == code


@pytest.mark.parametrize("source", FAILING)
def test_refused_when_worked_out(source):
    with pytest.raises(ExpressionError):
        Expression(source).evaluate(scope())


def test_repetition_is_bounded():
    source = "sum([sum([1 for b in range(0, 4000)]) for a in range(0, 4000)])"

    with pytest.raises(ExpressionError) as caught:
        Expression(source).evaluate(scope())

    assert caught.value.code == "too-long"


def test_a_syntax_error_says_where():
    with pytest.raises(ExpressionError) as caught:
        Expression("stat + * 2")

    assert caught.value.offset == 7


def test_free_names_leave_out_what_a_comprehension_binds():
    assert Expression("sum(x * stat for x in dice)").names == ["dice", "stat"]


@pytest.mark.parametrize(("source", "formula", "values"), WRITTEN)
def test_written_for_a_reader(source, formula, values):
    words = texts.read()["notation"]
    labels = {"stat": "Statistique"}

    def written(scope=None):
        writer = Writer(words, lambda name: labels.get(name, name), lambda name, value: shown(value, words), scope)
        return writer.write(Expression(source).tree).replace("\u00a0", " ")

    assert (written(), written(scope())) == (formula, values)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(source):
    with contextlib.suppress(ExpressionError):
        Expression(source).evaluate(scope())


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_division_is_exact(left, right):
    assert Expression("left / right * right").evaluate(Scope({"left": left, "right": right})) == left
