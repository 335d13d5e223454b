"""Mechanisms: worked examples and laws, away from any game."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.question import Question
from calculators.tables import Table

CHANCES = st.fractions(0, 1, max_denominator=12)
OPTIONS = Table(
    "options",
    {
        "records": {
            "strong": {"name": "Fort", "max_takes": "=size", "effects": {"power": {"add": 2}}},
            "fast": {"name": "Vif", "cost": 2, "effects": {"delay": {"ladder": [5, 3, {"amount": "=size", "unit": "tour"}]}}},
            "quiet": {"name": "Muet", "exclusive": "voice", "effects": {"voice": {"set": "none"}}},
            "loud": {"name": "Bruyant", "exclusive": "voice", "effects": {"voice": {"set": "high"}}},
            "deep": {"name": "Profond", "requires": "strong"},
            "mark": {"name": "Marque", "effects": {"mark": {"ladder": [1, 2]}}},
        }
    },
)
FLAWS = Table("flaws", {"records": {"slow": {"name": "Lent", "bonus": 3, "max_takes": 2, "effects": {"delay": {"set": 9}}}}})
POINT_BUY = {
    "inputs": {
        "size": {"kind": "integer"},
        "bought": {"kind": "map", "default": {}},
        "flaws": {"kind": "map", "default": {}},
        "marks": {"kind": "list", "items": {"kind": "text"}, "default": []},
    },
    "steps": {
        "sheet": {
            "label": "Fiche",
            "point-buy": {
                "options": "options",
                "takes": "bought",
                "budget": "2 * size",
                "drawbacks": "flaws",
                "drawback_takes": "flaws",
                "drawbacks_allowed": "size",
                "variants": {"mark": {"list": "marks", "key": "item", "takes": "1"}},
            },
        }
    },
    "outputs": {"sheet": {"label": "Fiche", "kind": "map"}},
}
BOUGHT = [
    ({"size": 2, "bought": {"strong": 2}}, {"spent": 2, "budget": 4, "left": 2, "totals": {"power": 4, "delay": None, "voice": None, "mark": None}}),
    ({"size": 3, "bought": {"fast": 3}}, {"spent": 6, "totals": {"power": None, "delay": {"amount": 3, "unit": "tour"}, "voice": None, "mark": None}}),
    ({"size": 1, "bought": {"strong": 1}, "flaws": {"slow": 1}}, {"budget": 5, "drawbacks": 1}),
    ({"size": 1, "bought": {"strong": 1, "deep": 1}}, {"spent": 2, "left": 0}),
    ({"size": 1, "marks": ["a", "b"]}, {"spent": 2, "variants": {"mark": [{"key": "a", "takes": 1}, {"key": "b", "takes": 1}]}}),
]
NOT_BOUGHT = [
    ({"size": 1, "bought": {"strong": 2}}, "cap-exceeded"),
    ({"size": 9, "bought": {"fast": 4}}, "cap-exceeded"),
    ({"size": 1, "bought": {"fast": 2}}, "over-budget"),
    ({"size": 2, "bought": {"quiet": 1, "loud": 1}}, "options-exclusive"),
    ({"size": 2, "bought": {"deep": 1}}, "prerequisite-missing"),
    ({"size": 1, "flaws": {"slow": 2}}, "drawbacks-exceeded"),
    ({"size": 3, "flaws": {"slow": 3}}, "cap-exceeded"),
    # Several things wrong at once: the order of the mechanism decides.
    ({"size": 1, "bought": {"deep": 9, "quiet": 1, "loud": 1}, "flaws": {"slow": 2}}, "drawbacks-exceeded"),
    ({"size": 1, "bought": {"deep": 9, "quiet": 1, "loud": 1}}, "prerequisite-missing"),
]


def ask(steps, inputs=None, tables=None, outputs=None):
    """Answer a question made of *steps*; inputs are numbers or lists taken as they are."""
    kinds = {int: "integer", Fraction: "number", list: "list"}
    declared = {
        name: {"kind": kinds[type(value)], **({"items": {"kind": "integer"}} if isinstance(value, list) else {})} for name, value in (inputs or {}).items()
    }
    names = outputs or list(steps)
    question = Question("test", {"inputs": declared, "steps": steps, "outputs": {name: {} for name in names}}, tables or {})
    result = question.answer(inputs or {})
    assert result.refusal is None, (result.refusal.code, result.refusal.facts)
    return result.outputs if outputs is None and len(names) > 1 else result.outputs[names[0]]


def race(chance, successes, failures):
    return ask({"race": {"race": {"chance": f"{chance.numerator} / {chance.denominator}", "successes": str(successes), "failures": str(failures)}}})


@given(CHANCES, st.integers(1, 4), st.integers(1, 4))
def test_a_race_is_won_or_lost_and_agrees_with_every_sequence(chance, successes, failures):
    found = race(chance, successes, failures)
    win = rounds = Fraction(0)
    for tries in product((True, False), repeat=successes + failures - 1):
        probability, won, lost, ended = Fraction(1), 0, 0, 0
        for place, success in enumerate(tries, 1):
            probability *= chance if success else 1 - chance
            won, lost = won + success, lost + (not success)
            if not ended and (won == successes or lost == failures):
                ended = place
                winner = won == successes
        win += probability * winner
        rounds += probability * ended

    assert found["win"] + found["lose"] == 1
    assert (found["win"], found["rounds"]) == (win, rounds)


@given(CHANCES, st.integers(1, 4), st.integers(1, 4))
def test_a_better_chance_never_makes_a_race_worse(chance, successes, failures):
    better = min(Fraction(1), chance + Fraction(1, 12))

    assert race(better, successes, failures)["win"] >= race(chance, successes, failures)["win"]


def test_a_race_already_over():
    assert race(Fraction(1, 2), 0, 2) == {"win": 1, "lose": 0, "rounds": 0}
    assert race(Fraction(1, 2), 2, 0) == {"win": 0, "lose": 1, "rounds": 0}


@given(st.integers(1, 5), st.integers(1, 6))
def test_matching_dice_agree_with_brute_force(dice, sides):
    found = ask({"groups": {"matching": {"dice": str(dice), "sides": str(sides)}}})
    counts = {}
    for faces in product(range(sides), repeat=dice):
        best = str(max(faces.count(face) for face in faces))
        counts[best] = counts.get(best, 0) + 1

    assert found == {size: Fraction(count, sides**dice) for size, count in counts.items()}
    assert sum(found.values()) == 1


@given(st.integers(0, 8), CHANCES)
def test_a_chain_of_two_states_is_a_geometric_law(rounds, chance):
    moves = "{0: 1 - p, 1: p} if s == 0 else {1: 1}".replace("p", f"({chance.numerator} / {chance.denominator})")
    found = ask({"chain": {"chain": {"start": "0", "rounds": str(rounds), "as": "s", "moves": moves}}})

    assert sum(found.values()) == 1
    assert found.get("0", 0) == (1 - chance) ** rounds


@given(st.lists(st.integers(0, 50), max_size=12))
def test_a_sequence_folds(values):
    found = ask(
        {
            "run": {
                "sequence": {
                    "each": "values",
                    "as": "v",
                    "from": {"total": "0", "seen": "0"},
                    "next": {"total": "total + v", "seen": "seen + 1"},
                    "until": "total > 60",
                }
            }
        },
        {"values": values},
    )
    total = seen = 0
    for value in values:
        if total > 60:
            break
        total, seen = total + value, seen + 1

    assert found == {"total": total, "seen": seen}


@given(st.lists(st.integers(0, 5), max_size=12))
def test_a_ranking_is_descending_and_stable(values):
    found = ask({"order": {"ranking": {"items": "[[i, values[i]] for i in range(0, len(values))]", "as": "x", "by": ["x[1]"]}}}, {"values": values})

    assert found == sorted(([place, value] for place, value in enumerate(values)), key=lambda pair: -pair[1])


@given(st.integers(1, 40))
def test_the_cheapest_packs_agree_with_brute_force(amount):
    sizes, prices = [1, 2, 5], [30, 57, 150]
    found = ask({"packs": {"cheapest-packs": {"amount": "amount", "sizes": "[1, 2, 5]", "prices": "[30, 57, 150]"}}}, {"amount": amount})
    best = min(
        sum(price * count for price, count in zip(prices, counts, strict=True))
        for counts in product(range(amount + 1), range(amount // 2 + 1), range(amount // 5 + 1))
        if sum(size * count for size, count in zip(sizes, counts, strict=True)) == amount
    )

    assert found["price"] == best
    assert sum(int(size) * count for size, count in found["packs"].items()) == amount


def pairings(items):
    """Yield every way to put *items* two by two, some left alone."""
    if not items:
        yield [], []
        return
    first, rest = items[0], items[1:]
    for pairs, alone in pairings(rest):
        yield pairs, [first, *alone]
    for place, second in enumerate(rest):
        for pairs, alone in pairings(rest[:place] + rest[place + 1 :]):
            yield [(first, second), *pairs], alone


@settings(max_examples=40)
@given(st.lists(st.integers(1, 9), max_size=5))
def test_pairing_agrees_with_brute_force(values):
    found = ask(
        {"best": {"pairing": {"items": "values", "as": "a", "with": "b", "alone": "a", "pair": "a * b if (a + b) % 2 == 0 else null"}}}, {"values": values}
    )
    best = max((sum(a * b for a, b in pairs) + sum(alone) for pairs, alone in pairings(values) if all((a + b) % 2 == 0 for a, b in pairs)), default=0)

    assert found["value"] == best


@given(st.integers(1, 25))
def test_the_cheapest_mix_is_the_cheapest(goal):
    found = ask(
        {
            "mix": {
                "cheapest-mix": {
                    "items": "[2, 3, 7]",
                    "most": "3",
                    "as": "chosen",
                    "cost": "sum(c * c for c in chosen)",
                    "worth": "sum(chosen)",
                    "goal": "goal",
                }
            }
        },
        {"goal": goal},
    )
    mixes = [mix for size in (1, 2, 3) for mix in product((2, 3, 7), repeat=size) if sum(mix) >= goal]

    if not mixes:
        assert found == {"cost": None, "mixes": []}
    else:
        least = min(sum(item * item for item in mix) for mix in mixes)

        assert found["cost"] == least
        assert all(mix["worth"] >= goal and sum(item * item for item in mix["chosen"]) == least for mix in found["mixes"])


@given(st.integers(1, 5), st.integers(2, 8))
def test_an_expectation_is_the_mean(count, sides):
    found = ask({"mean": {"expectation": {"of": f"dice({count}, {sides})", "as": "x", "value": "2 * x + 1"}}})

    assert found == count * (sides + 1) + 1


@pytest.mark.parametrize("bonus", range(-3, 9))
def test_odds_by_band_count_every_roll(bonus):
    tables = {"tiers": Table("tiers", {"kind": "bands", "records": {"low": {"max": 5}, "mid": {"min": 6, "max": 10}, "top": {"min": 11}}})}
    found = ask({"odds": {"odds": {"table": "tiers", "of": f"dice(2, 6) + {bonus}"}}}, tables=tables)

    assert sum(found.values()) == 1
    assert found["top"] == Fraction(sum(a + b + bonus >= 11 for a in range(1, 7) for b in range(1, 7)), 36)


def bought(inputs):
    return Question("test", POINT_BUY, {"options": OPTIONS, "flaws": FLAWS}).answer(inputs)


@pytest.mark.parametrize(("inputs", "expected"), BOUGHT)
def test_point_buy(inputs, expected):
    sheet = bought(inputs).outputs["sheet"]

    for key, value in expected.items():
        if key == "variants":
            assert [{"key": item["key"], "takes": item["takes"]} for item in sheet[key]["mark"]] == value["mark"]
        else:
            assert sheet[key] == value


@pytest.mark.parametrize(("inputs", "code"), NOT_BOUGHT)
def test_point_buy_refuses_the_first_thing_wrong(inputs, code):
    assert bought(inputs).refusal.code == code


@given(st.integers(0, 4), st.dictionaries(st.sampled_from(list(OPTIONS.records)), st.integers(0, 4)), st.dictionaries(st.just("slow"), st.integers(0, 3)))
def test_a_sheet_never_spends_more_than_its_budget(size, takes, flaws):
    result = bought({"size": size, "bought": takes, "flaws": flaws})

    if result.refusal is None:
        assert result.outputs["sheet"]["spent"] <= result.outputs["sheet"]["budget"]
    else:
        assert result.refusal.code in {"cap-exceeded", "over-budget", "options-exclusive", "prerequisite-missing", "drawbacks-exceeded"}


def test_pairs_may_depend_on_a_list_and_be_of_lists():
    pairing = {"items": "[[1], [2], [3]]", "as": "a", "with": "b", "alone": "a[0]", "pair": "a[0] * b[0] if a[0] in liked else null"}

    assert ask({"best": {"pairing": pairing}}, {"liked": [2]}) == {"value": 7, "pairs": [[[2], [3]]]}
