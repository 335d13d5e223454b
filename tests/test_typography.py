"""French typography: spaces, apostrophes, numbers; what is right already stays as it is."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import typography

N, W = "\u202f", "\u00a0"

FRENCH = [
    ("Vraiment ?", f"Vraiment{N}?"),
    ("Non ; si !", f"Non{N}; si{N}!"),
    ("Le total : 12", f"Le total{W}: 12"),
    ("« oui »", f"«{N}oui{N}»"),
    ("«oui»", f"«{N}oui{N}»"),
    ("l'arme d'une alliée", "l’arme d’une alliée"),
    ("25 % de 12 000", f"25{N}% de 12{N}000"),
    ("à 9:30, 2D6+1", "à 9:30, 2D6+1"),
    ("en 1750 et 1724", "en 1750 et 1724"),
    ("Fin.", "Fin."),
]


@pytest.mark.parametrize(("text", "expected"), FRENCH)
def test_spaces_and_apostrophes(text, expected):
    assert typography.french(text) == expected


@given(st.text(alphabet="ab1 ;!?%:«»'’\u202f\u00a0,.", max_size=30))
def test_a_second_reading_changes_nothing(text):
    once = typography.french(text)

    assert typography.french(once) == once


MACHINE = [
    "::: table tiers",
    "[un jet](calc:lancer?trait=1&dice=[5,4]) sans suite",
    "## Frapper {: #frapper }",
    "| a | b |\n|:---|---:|\n| 1 | 2 |",
    "`si a ? b : c !`",
    "```\nl'un : l'autre ;\n```",
    '<button popovertarget="a : b ; c">',
]


@pytest.mark.parametrize("text", MACHINE)
def test_what_a_machine_reads_in_prose_is_left_alone(text):
    assert typography.prose(text) == text


def test_prose_around_it_is_set():
    assert typography.prose("L'un `a : b` ? [Oui !](page:x)") == f"L’un `a : b`{N}? [Oui{N}!](page:x)"


NUMBERS = [
    (0, "0"),
    (12500, f"12{N}500"),
    (-3, "−3"),
    (Fraction(25, 2), "12,5"),
    (Fraction(-1, 20), "−0,05"),
    (Fraction(1, 3), "1/3"),
    (Fraction(12345678, 1000), f"12{N}345,678"),
]


@pytest.mark.parametrize(("value", "expected"), NUMBERS)
def test_numbers(value, expected):
    assert typography.number(value) == expected


@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=1000))
def test_a_number_reads_back(value):
    written = typography.number(value).replace(N, "").replace("−", "-").replace(",", ".")

    assert Fraction(written) == value


def test_folding():
    assert typography.fold("Œil, Épée") == "oeil, epee"


@pytest.mark.parametrize("piece", ["](", "{:", "<", "«", " ", "`a", "[a](("])
def test_a_chapter_of_any_length_is_read_once(piece):
    start = time.perf_counter()
    typography.prose(piece * (100_000 // len(piece)))

    assert time.perf_counter() - start < 5
