"""Terms: the words of a game that explain themselves at their first use in a section, in Markdown and in tables."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from markupsafe import Markup, escape

from generator import typography
from generator.addresses import Plan, Spot, web_link
from generator.cells import hint
from generator.records import Game

SPACE = "[ \u00a0\u202f]"
_WORDS = re.compile(r"\w[\w’' -]*\w")
_DIGIT_OR_UNDERSCORE = re.compile(r"[\d_]")
_PARTS = re.compile(r"[^\W_]+")
_PLURAL = re.compile(r"(?<=[^sx])[sx]\Z")  # "aux" and "jets" have one, "boss" has none
# Markup, or the start of a word. No pattern looks past the sign that would open it again: text of any length is read once.
_PLACE = re.compile(
    r"<[^<>]*>|!?\[[^\[\]]*\]\((?:[^()]|\([^()]*\))*+\)|\{[^{}]*\}|&#?\w+;|(?<!\w)\w+://\S+"
    r"|(?<![\w-])(?P<word>[^\W_]+)"
)


class Term(NamedTuple):
    """A word found in a text, the record it names and what is said of it."""

    text: str
    key: tuple[str, str]
    hint: str


class Lexicon:
    """The words of *game* that explain themselves: the names in the tables of its ``terms``, without its ordinary words.

    A name in capitals is looked for as it is written, the others in any case, singular or plural; a name that holds
    anything but letters, spaces, hyphens and apostrophes, and a single letter, are never looked for. An ordinary word
    is left alone in the very form it is listed in: "force" says nothing of "Force".
    """

    def __init__(self, game: Game) -> None:
        terms = game.info.get("terms") or {}
        self._game, self._ordinary = game, frozenset(terms.get("ordinary", ()))
        self._keys: dict[str, tuple[str, str]] = {}
        # By their first word, so that a text is compared with few of them, however many a game has.
        self._forms: dict[str, list[str]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}
        for form, key in names(game):
            if self._keys.setdefault(stem(form), key) == key:
                self._forms.setdefault(_first(form), []).append(form)

    def split(self, text: str) -> Iterator[str | Term]:
        """Cut *text*, Markdown or plain, into what is left as it is and the terms in it; no term is found inside markup."""
        end = place = 0
        while match := _PLACE.search(text, place):
            place = match.end()
            found = self._found(text, match) if match["word"] else None
            if found is None:
                continue
            place = found.end()
            key = self._keys.get(stem(found[0]))
            if key is not None and found[0] not in self._ordinary:
                yield text[end : found.start()]
                yield Term(found[0], key, hint(self._game, *key))
                end = place
        yield text[end:]

    def _found(self, text: str, word: re.Match[str]) -> re.Match[str] | None:
        """Find the longest of the names that begin with *word* where it stands."""
        first = _singular(word[0])
        if first not in self._forms:
            return None
        if first not in self._patterns:
            forms = sorted(self._forms[first], key=len, reverse=True)
            self._patterns[first] = re.compile(rf"(?:{'|'.join(map(_pattern, forms))})(?![\w-])")
        return self._patterns[first].match(text, word.start())


class Explainer:
    """Explains the terms of the page *page*, each once in a section; *link* writes one in Markdown (text, spot, hint).

    What *page* itself tells, a glossary its words, a record its own name, is not explained there.
    """

    def __init__(self, lexicon: Lexicon, page: str, game: str, plan: Plan, link: Callable[[str, Spot, str], str]) -> None:
        self._lexicon, self._page, self._game, self._plan, self._link = lexicon, page, game, plan, link
        self._told: set[tuple[str, str]] = set()

    def section(self) -> None:
        """Begin a section: what was explained before may be again."""
        self._told.clear()

    def told(self, table: str, slug: str) -> None:
        """Hold a record for explained: a link leads there already."""
        self._told.add((table, slug))

    def markdown(self, text: str) -> str:
        """Explain the terms in a part of a paragraph of Markdown."""
        return "".join(self._link(part.text, spot, part.hint) if spot else part.text for part, spot in self._parts(text))

    def html(self, text: str) -> Markup:
        """Explain the terms in plain text, which is escaped."""
        return Markup("").join(self._html(part, spot) if spot else escape(part.text) for part, spot in self._parts(str(text)))

    def _html(self, term: Term, spot: Spot) -> Markup:
        return Markup('<a class="rl-term" href="{}" title="{}">{}</a>').format(web_link(self._page, spot), term.hint, term.text)

    def _parts(self, text: str) -> Iterator[tuple[Term, Spot | None]]:
        for part in self._lexicon.split(text):
            if isinstance(part, str):
                yield Term(part, ("", ""), ""), None
                continue
            spot = self._plan.record(self._game, "/".join(part.key))
            at_home = self._page in (spot and spot.page, self._plan.rows[self._game, *part.key].page)
            if spot is None or at_home or part.key in self._told:
                spot = None
            else:
                self._told.add(part.key)
            yield part, spot


def names(game: Game) -> Iterator[tuple[str, tuple[str, str]]]:
    """List the names that could be looked for, with the record of each: (name, (table, slug)), the first table first."""
    for table in (game.info.get("terms") or {}).get("tables", ()):
        for slug, record in game.tables[table].records.items() if table in game.tables else ():
            for name in (record["name"], *(record.get("aliases") or ())):
                form = typography.french(str(name))
                if _WORDS.fullmatch(form) and not _DIGIT_OR_UNDERSCORE.search(form):
                    yield form, (table, slug)


def stem(words: str) -> str:
    """Return what singular and plural, capitals and small letters of *words* share.

    >>> stem("Effets élémentaires") == stem("effet élémentaire")
    True
    """
    return " ".join(map(_singular, _PARTS.findall(words)))


def _singular(word: str) -> str:
    return _PLURAL.sub("", word.lower())


def _first(form: str) -> str:
    return _singular(_PARTS.findall(form)[0])


def _pattern(form: str) -> str:
    """Write the expression that finds *form*: a name in capitals as it is, another in any case and number, whatever its spaces and apostrophes."""
    if form.isupper():
        return re.escape(form)
    written = _PARTS.sub(lambda match: _either_number(match[0]), form)
    return f"(?i:{re.sub(r"[’']", "[’']", written).replace(' ', SPACE)})"


def _either_number(word: str) -> str:
    """Write the expression that finds a word, singular or plural: "prix" is no "pris", and "boss" no plural.

    >>> [_either_number(word) for word in ("dé", "dés", "prix", "boss")]
    ['dé[sx]?', 'dés?', 'prix?', 'boss']
    """
    if _PLURAL.search(word):
        return f"{word}?"
    return word if word[-1] in "sx" else f"{word}[sx]?"
