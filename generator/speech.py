"""Speech: the sentences of the command-line library itself, said in the language of our texts."""

from collections.abc import Mapping

from click import core, decorators, exceptions, formatting, parser, termui, types

MODULES = (core, decorators, exceptions, formatting, parser, termui, types)


def teach(sentences: Mapping[str, str]) -> None:
    """Let click say each of the *sentences*, {its own: ours}; what is not among them stays in its words.

    Click looks its sentences up with gettext, which reads compiled files only; ours are kept with our other texts.
    """

    def say(sentence: str) -> str:
        return sentences.get(sentence, sentence)

    def say_many(one: str, many: str, count: int) -> str:
        return say(one if count == 1 else many)

    for module in MODULES:
        for name, spoken in (("_", say), ("ngettext", say_many)):
            if hasattr(module, name):
                setattr(module, name, spoken)
