"""Reading: exact values with their places, every mistake of a file at once, hostile files refused at little cost."""

import os
import time
from fractions import Fraction

import pytest
from conftest import FIXTURES

from generator import files, load, problems

CASES = load.read(FIXTURES / "load.yaml", FIXTURES).value


@pytest.fixture
def read(tmp_path):
    """Read a text, or bytes, as the file x.yaml of a folder."""

    def reader(content):
        path = tmp_path / "x.yaml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return load.read(path, tmp_path)

    return reader


def told(document):
    return [str(problem) for problem in sorted(problems.of_document(document))]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_mistake_is_told_at_its_place(read, case):
    assert told(read(case["text"])) == case["expected"]


def test_values_are_exact_and_plain(read):
    document = read(
        """\
name: L’auberge
"quoted": "Tout : juste"
whole: 12
less: -3
plus: +2
exact: 37.50
round: 12.0
yes: no
date: 2024-05-01
time: 12:30
fraction: 1/4
nothing: null
empty:
true_too: true
folded: >
  deux
  mots
list: [a, {b: 1}, [2]]
"""
    )

    assert document.faults == ()
    assert document.value == {
        "name": "L’auberge",
        "quoted": "Tout : juste",
        "whole": 12,
        "less": -3,
        "plus": 2,
        "exact": Fraction(75, 2),
        "round": 12,
        "yes": "no",
        "date": "2024-05-01",
        "time": "12:30",
        "fraction": "1/4",
        "nothing": None,
        "empty": None,
        "true_too": True,
        "folded": "deux mots\n",
        "list": ["a", {"b": 1}, [2]],
    }
    assert isinstance(document.value["round"], int)


def test_every_value_and_key_has_a_place(read):
    document = read("a: {b: [1, deux]}\nc:\n  d: x\n")

    assert document.at("a") == (1, 4)
    assert document.at("a", "b", 1) == (1, 12)
    assert document.key_at("a", "b") == (1, 5)
    assert document.key_at("c", "d") == (3, 3)
    assert document.at("c", "d") == (3, 6)
    # What is not there is as near as can be.
    assert document.at("c", "absent", 4) == (3, 3)
    assert document.key_at("a", "b", 0) == (1, 9)


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("f: total + trait\n", 8, (1, 12)),
        ('f: "total + trait"\n', 8, (1, 13)),
        ("f: 'total + trait'\n", 8, (1, 13)),
        ("f: >-\n  total\n  + trait\n", 8, (3, 5)),
        ("f: |\n  total\n    + trait\n", 10, (3, 7)),
        ("f: total\n  + trait\n", 8, (2, 5)),
        ('f: "to\\x74al + trait"\n', 8, (1, 4)),
        ("f: total\n", 5, (1, 9)),
    ],
)
def test_a_character_of_a_text_is_found_in_the_file(read, text, offset, expected):
    assert read(text).inside(("f",), offset) == expected


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_and_byte_order_mark_do_not_matter(read, line_end):
    document = read(b"\xef\xbb\xbf" + f"a: 1{line_end}b: deux{line_end}".encode())

    assert document.value == {"a": 1, "b": "deux"}
    assert document.at("b") == (2, 4)


def test_bytes_that_are_not_utf8(read):
    assert told(read("a: é\nb: ".encode() + b"\xe9t\xe9\n")) == ["x.yaml:2:4: Ce caractère n’est pas de l’UTF-8. Enregistrez le fichier en UTF-8. [not-utf8]"]


@pytest.mark.parametrize(("character", "shown"), [("\x00", "U+0000"), ("\x1b", "U+001B"), ("\u202e", "U+202E"), ("\ufeff", "U+FEFF")])
def test_invisible_characters(read, character, shown):
    message = f"Un caractère invisible ({shown}) se trouve ici. Effacez-le et retapez le texte autour. [control-character]"

    assert told(read(f"a: x\nb: y{character}z\n")) == [f"x.yaml:2:5: {message}"]


def test_invisible_characters_written_with_an_escape(read):
    assert told(read('a: "x\\u0000y"\n')) == [
        "x.yaml:1:4: Un caractère invisible (U+0000) se trouve ici. Effacez-le et retapez le texte autour. [control-character]"
    ]


def test_a_big_file_is_refused(read):
    message = "Le fichier dépasse 1024 Kio. Répartissez son contenu en plusieurs fichiers. [too-big]"

    assert told(read("a: " + "x" * files.MAX_BYTES)) == [f"x.yaml:1:1: {message}"]


def bomb(levels=30):
    lines = ["a0: &a0 [boum, boum]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, levels)]
    return "\n".join(lines) + "\n"


HOSTILE = {
    "alias-bomb": (bomb(), "yaml-alias"),
    "huge-number": ("a: " + "9" * 900_000 + "\n", "huge-number"),
    "huge-decimal": ("a: 0." + "1" * 900_000 + "\n", "huge-number"),
    "deep-lists": ("[" * 900_000, "too-deep"),
    "deep-mappings": ("{a: " * 200_000, "too-deep"),
    "deep-block": ("\n".join(" " * level + "a:" for level in range(1200)), "too-deep"),
    "deep-key": ("? " * 400_000, "too-deep"),
    "many-documents": ("--- a\n" * 100_000, "yaml-documents"),
    "many-anchors": ("[" + "&a b, " * 100_000 + "]", "yaml-anchor"),
    "many-faults": ("[" + "007, " * 100_000 + "]", "too-many"),
    "many-values": ("[" + "1, " * 200_000 + "]", "too-many-values"),
}


@pytest.mark.parametrize("text", ["9" * 900_000 + "x", "1_" * 400_000, "+" * 900_000, "-" + "a" * 900_000], ids=["digits", "joined", "signs", "letters"])
def test_long_texts_cost_little(read, text):
    start = time.process_time()

    assert read(f"a: {text}\n").value == {"a": text}
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("text", "code"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_refused_quickly(read, text, code):
    start = time.process_time()
    document = read(text)

    assert code in {fault.code for fault in document.faults}
    assert time.process_time() - start < 5


def test_depth_is_counted_to_the_limit(read):
    assert read("[" * load.MAX_DEPTH + "]" * load.MAX_DEPTH).faults == ()
    assert told(read("[" * (load.MAX_DEPTH + 1))) == ["x.yaml:1:31: Les valeurs sont emboîtées sur plus de 30 niveaux. Simplifiez ce bloc. [too-deep]"]


def test_files_outside_the_folder_links_and_pipes(tmp_path):
    inside = tmp_path / "project"
    inside.mkdir()
    (tmp_path / "secret.yaml").write_text("a: 1\n")
    (inside / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (inside / "folder").symlink_to(tmp_path)
    os.mkfifo(inside / "pipe.yaml")
    (inside / "dir.yaml").mkdir()

    def codes(path):
        return [fault.code for fault in load.read(path, inside).faults]

    assert codes(inside / "link.yaml") == ["symlink"]
    assert codes(inside / "folder" / "secret.yaml") == ["symlink"]
    assert codes(tmp_path / "secret.yaml") == ["outside"]
    assert codes(inside / ".." / "secret.yaml") == ["outside"]
    assert codes(inside / "pipe.yaml") == ["not-a-file"]
    assert codes(inside / "dir.yaml") == ["not-a-file"]
    assert codes(inside / "absent.yaml") == ["unreadable"]
