"""The formula language: what it computes, what it refuses, how it is written for a reader."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators.dice import pool
from calculators.expression import Expression, ExpressionError, Scope
from calculators.functions import FUNCTIONS
from calculators.names import Names
from calculators.notation import Writer
from calculators.question import Question
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
# Each formula with labels, with figures, and what the explanation adds to tell why.
WRITTEN = [
    ("floor((stat - 10) / 2)", "arrondi inférieur de ((Statistique − 10) ÷ 2)", "arrondi inférieur de ((15 − 10) ÷ 2)"),
    ("stat // 2", "arrondi inférieur de (Statistique ÷ 2)", "arrondi inférieur de (15 ÷ 2)"),
    ("stat % 2", "reste de la division (Statistique ÷ 2)", "reste de la division (15 ÷ 2)"),
    ("stat - (2 - 1)", "Statistique − (2 − 1)", "15 − (2 − 1)"),
    ("stat + loss", "Statistique + Perte", "15 + (−4)"),
    ("loss - stat", "Perte − Statistique", "−4 − 15"),
    ("power(third, 2) / third", "Tiers puissance 2 ÷ Tiers", "(1/3) puissance 2 ÷ (1/3)"),
    ("1 - tiny", "1 − Infime", "1 − 0,5931…"),
    ("chance_left * stat", "Chance × Statistique", "0,25 × 15"),
    ("stat if stat > 20 else 2 * stat", "Statistique si Statistique > 20, sinon 2 × Statistique", "2 × 15"),
    ("1 if mode == 'avantage' else 2 if stat > 3 else 3", "1", "1"),
    ("constant('base') + 5", "Base (« Nombres ») + 5", "75 + 5"),
    ("cell('paliers', 'haut', 'bonus') * cell('paliers', 'haut', 'max')", "Bonus (« Les paliers », ligne « Haut ») × Jusqu’à (même ligne)", "3 × aucun"),
    ("cell('paliers', tier, 'b' + kept)", "Bonus (« Les paliers », ligne « Haut »)", "3"),
    ("find('paliers', 'bonus', min=6)", "Bonus (« Les paliers », ligne « Haut »)", "3"),
    ("band('paliers', stat)", "ligne de « Les paliers » où tombe Statistique", "« Haut »"),
    ("mode == 'avantage'", "Mode = Avantage", "« Mode » : Avantage"),
    ("stat >= 20", "Statistique ≥ 20", "15 < 20"),
    ("stat > 3 and not yes", "Statistique > 3 et pas « Blessé »", "« Blessé » : oui"),
    ("none == null", "Reste = aucun", "« Reste » : aucun"),
    ("sum(dice) + 1", "somme de (Dés) + 1", "3 + 4 + 6 + 1"),
    ("sum([cell('paliers', t, 'bonus') for t in [tier, tier]])", "somme de (Bonus (« Les paliers »), pour chaque élément de (Palier ; Palier))", "3 + 3"),
    ("[d * 2 for d in dice if d > 3]", "élément × 2, pour chaque élément de (Dés), si élément > 3", "4 × 2 ; 6 × 2"),
    ("[t for t in ids('paliers') if t not in [tier]]", "les lignes de « Les paliers », sauf Palier", "Bas"),
    ("descending(dice)[:2]", "les 2 plus hauts de (Dés)", "les 2 plus hauts de (3, 4, 6)"),
    ("dice[1]", "Dés, valeur nº 2", "4"),
    ("slots['2']", "2 de « Places »", "3"),
    ("range(1, stat + 1)", "les entiers de 1 à Statistique", "les entiers de 1 à 15"),
    ("dice(1, 20) + stat", "1D20 + Statistique", "1D20 + 15"),
    ("keep_highest(3, 6, 2) + stat", "(les 2 meilleurs de 3D6) + Statistique", "(les 2 meilleurs de 3D6) + 15"),
    ("keep_lowest(2, 20, 1)", "le moins bon de 2D20", "le moins bon de 2D20"),
    ("dice(stat, 6)", "autant de D6 que Statistique", "15D6"),
    ("dice_text(stat, 6, 2)", "autant de D6 que Statistique + 2", "15D6 + 2"),
    ("chance(dice(2, 6) + 1 >= 9)", "chance que 2D6 + 1 ≥ 9", "2D6 + 1 ≥ 9 : 15 jets favorables sur 36"),
    ("chance(pool >= 20)", "chance que Lancer ≥ 20", "1D20 ≥ 20 : 1 jet favorable sur 20"),
    ("{'haut': stat, 'bas': 1}", "Haut : Statistique ; Bas : 1", "Haut : 15 ; Bas : 1"),
    ("abs(loss)", "valeur absolue de (Perte)", "4"),
    ("min(stat, max(1, 2))", "le plus petit de (Statistique ; le plus grand de (1 ; 2))", "le plus petit de (15 ; le plus grand de (1 ; 2))"),
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


def spaced(text):
    """Return *text* with ordinary spaces."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def asked():
    """A question whose names the formulas of WRITTEN use."""
    kinds = {
        "stat": {"label": "Statistique", "kind": "integer"},
        "loss": {"label": "Perte", "kind": "integer"},
        "third": {"label": "Tiers", "kind": "number"},
        "tiny": {"label": "Infime", "kind": "number"},
        "dice": {"label": "Dés", "kind": "list", "items": {"kind": "integer"}},
        "mode": {"label": "Mode", "kind": "choice", "choices": {"avantage": "Avantage", "normal": "Normal"}, "reading": "LU-A01"},
        "tier": {"label": "Palier", "kind": "choice", "table": "paliers"},
        "kept": {"label": "Colonne", "kind": "text"},
        "slots": {"label": "Places", "kind": "map"},
        "none": {"label": "Reste", "kind": "integer", "optional": True},
        "yes": {"label": "Blessé", "kind": "boolean"},
    }
    steps = {
        "pool": {"label": "Lancer", "formula": "dice(1, 20)"},
        "chance_left": {"label": "Chance", "kind": "probability", "formula": "1 / 4"},
        "written": {"label": "Écrit", "table": "paliers", "formula": "1"},
    }
    described = {"inputs": kinds, "steps": steps, "outputs": {"pool": {"of": "1"}, "chance_left": {}}}
    return Question("lu/ecrit", described, READ)


READ = {
    "paliers": Table(
        "paliers",
        {
            "title": "Les paliers",
            "kind": "bands",
            "columns": {"min": {"label": "De"}, "max": {"label": "Jusqu’à"}, "bonus": {"label": "Bonus"}},
            "records": {"bas": {"name": "Bas", "min": None, "max": 5, "bonus": 0}, "haut": {"name": "Haut", "min": 6, "max": None, "bonus": 3}},
        },
    ),
    "constants": Table("constants", {"title": "Nombres", "records": {"base": {"name": "Base", "value": 75}}}),
}
FIGURES = {
    "stat": 15,
    "loss": -4,
    "third": Fraction(1, 3),
    "tiny": Fraction(949003, 1600000),
    "dice": [3, 4, 6],
    "mode": "avantage",
    "tier": "haut",
    "kept": "onus",
    "slots": {"2": 3},
    "none": None,
    "yes": True,
    "chance_left": Fraction(1, 4),
    "pool": pool(1, 20),
}


@pytest.mark.parametrize(("source", "formula", "values"), WRITTEN, ids=[row[0] for row in WRITTEN])
def test_written_for_a_reader(source, formula, values):
    names, known = Names(asked(), texts.read()), Scope(dict(FIGURES), tables=READ)
    tree = Expression(source).tree

    def written(**how):
        writer = Writer(names, known, own=names.choices("written"), **how)
        return spaced(writer.write(tree))

    assert (written(), written(figures=True)) == (formula, values)


def test_without_figures_everything_is_written_with_labels():
    names = Names(asked(), texts.read())

    def written(source):
        return spaced(Writer(names).write(Expression(source).tree))

    assert written("1 if mode == 'avantage' else stat") == "1 si Mode = Avantage, sinon Statistique"
    assert written("cell('paliers', tier, 'bonus')") == "Bonus (« Les paliers », ligne de Palier)"
    assert written("dice(stat, loss)") == "Statistique dés de Perte faces"


def test_every_function_is_written_in_words():
    words = texts.read()["notation"]
    told = {name for name, function in FUNCTIONS.items() if not function.tables} - {"keys", "values", "text", "number"}

    assert {name for name in told if name not in words} == {"dice_text"}


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(source):
    with contextlib.suppress(ExpressionError):
        Expression(source).evaluate(scope())


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6))
def test_division_is_exact(left, right):
    assert Expression("left / right * right").evaluate(Scope({"left": left, "right": right})) == left
