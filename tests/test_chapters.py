"""Chapters: places are found where they stand, filled once, and never seen in code."""

import time

import pytest

from generator import chapters
from generator.chapters import Heading, Place

CHAPTER = """# Le combat

[#entry-one] Une phrase [?ABC-A01], puis [Brûlé](ref:effects/brule).

## Frapper {: #frapper }

::: table wounds

- [#entry-two] un [jet](calc:attaque?dice=[5,4]&x={"a":1}) ; [là](page:autre#ici)

::: calculator attaque
"""


def test_every_place_with_its_line_column_and_heading():
    assert chapters.places(CHAPTER) == [
        Place("anchor", "entry-one", "", 3, 1, 1),
        Place("mark", "ABC-A01", ",", 3, 25, 1),
        Place("ref", "effects/brule", "Brûlé", 3, 42, 1),
        Place("table", "wounds", "", 7, 1, 2),
        Place("anchor", "entry-two", "", 9, 3, 2),
        Place("calc", 'attaque?dice=[5,4]&x={"a":1}', "jet", 9, 19, 2),
        Place("page", "autre#ici", "là", 9, 62, 2),
        Place("calculator", "attaque", "", 11, 1, 2),
    ]


def test_headings():
    assert chapters.headings(CHAPTER + "\n### Sans ancre [?X-1]\n") == [
        Heading(1, "Le combat", None, 1),
        Heading(2, "Frapper", "frapper", 5),
        Heading(3, "Sans ancre", None, 13),
    ]


CODE = [
    "```\n::: table wounds\n[?ABC-A01]\n```",
    "~~~\n# pas un titre\n[x](ref:a/b)\n~~~",
    "Écrivez `[?ABC-A01]` ou `::: table x`.",
]


@pytest.mark.parametrize("text", CODE)
def test_code_holds_no_place(text):
    assert chapters.places(text) == []
    assert chapters.headings(text) == []
    assert chapters.fill(text, lambda place: "BAD") == text


def test_ordinary_markdown_is_left_alone():
    text = '# A\n\n!!! note "Titre"\n    Un [lien](https://example.org) et [un autre][1].\n\n[1]: x.md\n\n::: \n'

    assert chapters.fill(text, lambda place: "BAD") == text


def test_a_block_stands_as_its_own_paragraph():
    assert chapters.fill("Avant\n::: table t\nAprès", lambda place: "<table>") == "Avant\n\n<table>\n\nAprès"


def test_anchors_alone_on_a_line_make_no_paragraph():
    filled = chapters.fill("[#a] [#b]\nTexte", lambda place: f"<i id={place.target}>")

    assert filled == "\n<div><i id=a><i id=b></div>\n\nTexte"


def test_a_mark_takes_the_space_before_and_the_punctuation_after():
    seen = []
    filled = chapters.fill("Un doute [?A1]\u00a0: [?B2] fin", lambda place: seen.append(place.text) or "<?>")

    assert filled == "Un doute<?><?> fin"
    assert seen == ["\u00a0:", ""]


def test_an_unknown_kind_is_listed_for_a_check_to_refuse():
    assert [place.kind for place in chapters.places("::: tabel tiers")] == ["tabel"]


@pytest.mark.parametrize("piece", [" ", "[#", "[?", "[a](ref:", "`a"])
def test_a_line_of_any_length_is_read_once(piece):
    start = time.perf_counter()
    chapters.places(piece * (100_000 // len(piece)))

    assert time.perf_counter() - start < 5
