"""Exact numbers: read, written, encoded."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculators import numbers

FRENCH = [
    (0, "0"),
    (-3, "−3"),
    (1085, "1\u202f085"),
    (22370, "22\u202f370"),
    (1234567, "1\u202f234\u202f567"),
    (Fraction(25, 2), "12,5"),
    (Fraction(-1, 2), "−0,5"),
    (Fraction(1, 3), "1/3"),
    (Fraction(10, 5), "2"),
    (Fraction(12345, 10), "1\u202f234,5"),
]
PERCENT = [
    (Fraction(1, 2), "50"),
    (Fraction(5, 18), "27,78"),
    (Fraction(1, 3), "33,33"),
    (0, "0"),
    (1, "100"),
    (Fraction(1, 100_000), "< 0,01"),
    (Fraction(99_999, 100_000), "> 99,99"),
    (Fraction(1, 8), "12,5"),
]
EXACT = [("12,5", Fraction(25, 2)), ("12.5", Fraction(25, 2)), ("4/2", 2), ("-7", -7), (Fraction(6, 3), 2), (3, 3)]
NOT_NUMBERS = ["", "a", "1/0", "1e9", "9" * 40, None, [], True, "1/2/3", "--1", 10**40]


@pytest.mark.parametrize(("value", "text"), FRENCH)
def test_french(value, text):
    assert numbers.french(value) == text


@pytest.mark.parametrize(("chance", "text"), PERCENT)
def test_percent(chance, text):
    assert numbers.percent(chance) == f"{text}\u202f%"


@pytest.mark.parametrize(("given", "value"), EXACT)
def test_exact(given, value):
    assert numbers.exact(given) == value


@pytest.mark.parametrize("given", NOT_NUMBERS)
def test_not_exact(given):
    with pytest.raises(ValueError):
        numbers.exact(given)


def test_json_decimals_are_exact():
    assert numbers.loads("[0.1, 2, 100.0, 1e1, 25e-1]") == [Fraction(1, 10), 2, 100, 10, Fraction(5, 2)]
    assert numbers.loads("[1e400]") == ["1e400"]
    assert numbers.dumps({"a": Fraction(1, 3), "b": Fraction(4, 2)}) == '{"a": "1/3", "b": 2}'


def test_json_that_is_nested_too_deep_is_refused():
    with pytest.raises(ValueError):
        numbers.loads("[" * 100_000)


@given(st.fractions(-(10**20), 10**20, max_denominator=10**6))
def test_encoded_numbers_are_read_back(value):
    assert numbers.exact(numbers.encode(value)) == value
