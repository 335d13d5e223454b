"""A calculator: questions that share one set of inputs, answered together, one feeding the next."""

from .dice import roll, roller
from .explanation import Teller, plain
from .expression import ExpressionError
from .inputs import LONGEST_LIST
from .numbers import whole
from .question import Work
from .refusal import Refusal, fill

MOST_NESTED_ROLLS = 40
# The sentence of a question that waits for another of the tool.
WAITS = "@waits"


class Calculator:
    """The questions of one tool of a page: *fields* are their inputs by name, each as the first question declares it."""

    def __init__(self, rulebook, identifier):
        self.rulebook, self.id = rulebook, identifier
        self.game, _, self.name = identifier.partition("/")
        self.spec = rulebook.games()[self.game]["calculators"][self.name]
        self.title = self.spec.get("title", self.name)
        self.questions = [rulebook.question(f"{self.game}/{name}") for name in self.spec["questions"]]
        self.feeds = self._feeds()
        self.fields = {}
        for question in self.questions:
            for name, part in question.inputs.items():
                if f"{question.id}.{name}" not in self.feeds:
                    self.fields.setdefault(name, part)

    def _feeds(self):
        """Return {question id.input: (source question id, name of its output or step)}."""
        feeds = {}
        for target, source in self.spec.get("feeds", {}).items():
            question, _, name = source.partition(".")
            feeds[f"{self.game}/{target}"] = (f"{self.game}/{question}", name)
        return feeds

    def start(self):
        """Return the inputs the form shows first: those the data chooses, else defaults, else the first good example's."""
        inputs = {}
        for question in self.questions:
            examples = question.spec.get("examples", [])
            example = next((example["inputs"] for example in examples if "error" not in example["expected"]), {})
            for name, part in question.inputs.items():
                if name in self.fields and name not in inputs:
                    has_default, value = part.default()
                    inputs[name] = value if has_default else example.get(name)
        inputs.update(self.spec.get("start", {}))
        return {name: value for name, value in inputs.items() if value is not None}

    def answer(self, inputs):
        """Return [(question, Result)] for the mapping *inputs*; names no question knows are refused by the first."""
        results, known = [], {}
        for place, question in enumerate(self.questions):
            given = {name: inputs[name] for name in question.inputs if name in inputs}
            if place == 0:
                given.update({name: value for name, value in inputs.items() if name not in self.fields})
            for name in question.inputs:
                source = self.feeds.get(f"{question.id}.{name}")
                if source is not None and source[0] in known:
                    given[name] = _fed(known[source[0]], source[1])
            result = question.answer(given)
            if result.refusal is not None:
                result.refusal = self._waiting(question, result.refusal, known)
            known[question.id] = result
            results.append((question, result))
        return results

    def _waiting(self, question, refusal, known):
        """Return *refusal*, or that the question waits for another when what it misses is what that one refused to give."""
        source = known.get(self.feeds.get(f"{question.id}.{refusal.field}", ("", ""))[0])
        if source is None or source.refusal is None:
            return refusal
        title = next(other.title for other in self.questions if known.get(other.id) is source)
        return Refusal(refusal.code, refusal.facts, None, WAITS, {"title": title})

    def rolled(self, inputs, seed=None):
        """Return *inputs* with every die the data says to roll filled in."""
        source, filled = roller(seed), dict(inputs)
        for question in self.questions:
            work = Work(question, filled)
            for name, part in question.inputs.items():
                if name in self.fields and self.fields[name] is part:
                    value = _rolled(part, filled.get(name), work, source)
                    if value is not None:
                        filled[name] = value
        return filled

    def can_roll(self):
        return any(_has_roll(part) for part in self.fields.values())

    def rolls_one_die(self):
        """Say whether the roll of this tool is that of one die, whatever its inputs."""
        rolling = [part for part in self.fields.values() if _has_roll(part)]
        return len(rolling) == 1 and "roll" in rolling[0].spec and rolling[0].kind != "list"

    def scope(self, name, inputs):
        """Return where the formulas of the field *name* are worked out: its question, with *inputs*."""
        question = next(question for question in self.questions if question.inputs.get(name) is self.fields[name])
        return Work(question, {other: value for other, value in inputs.items() if other in question.inputs})

    def counts(self, inputs):
        """Return {name: how many items} of the lists whose length *inputs* settle."""
        found = {name: exact_count(part, self.scope(name, inputs)) for name, part in self.fields.items() if part.kind == "list"}
        return {name: count for name, count in found.items() if count is not None}


def worked_out(formula, scope):
    """Return the value of *formula*, or None when there is none or it cannot be worked out in *scope*."""
    try:
        return whole(formula.evaluate(scope)) if formula is not None else None
    except (ExpressionError, Refusal):
        return None


def exact_count(part, scope):
    """Return how many items the list *part* must hold, or None when any number will do or it is not known yet."""
    count = worked_out(part.formulas.get("count"), scope)
    return count if isinstance(count, int) and 0 <= count <= LONGEST_LIST else None


def _fed(result, name):
    if result.refusal is not None:
        return None
    if name in result.outputs:
        return plain(result.outputs[name])
    try:
        return plain(result.work.get(name))
    except (ExpressionError, Refusal):
        return None


def _parts(part):
    return [part.items] if part.items is not None else list(part.fields.values())


def _has_roll(part):
    return "roll" in part.spec or any(_has_roll(inner) for inner in _parts(part))


def _rolled(part, value, work, source):
    if part.roll:
        try:
            sides = part.roll["sides"].evaluate(work)
            count = part.roll["count"].evaluate(work) if "count" in part.roll else len(value) if isinstance(value, list) else 1
        except (ExpressionError, Refusal):
            return value
        faces = roll(source, count, sides)
        return faces if part.kind == "list" else faces[0]
    if part.kind == "list" and isinstance(value, list) and _has_roll(part.items):
        return [_rolled(part.items, item, work, source) for item in value[:MOST_NESTED_ROLLS]]
    if part.kind == "record" and isinstance(value, dict):
        return {**value, **{key: _rolled(inner, value.get(key), work, source) for key, inner in part.fields.items() if _has_roll(inner)}}
    return value


def summary(rulebook, question, result, names=None):
    """Return one line of an answer for a screen reader or a chat: the title, then each output or the refusal.

    With *names*, only the outputs of these names are told, without the title.
    """
    if result.refusal is not None:
        return rulebook.error(question, result.refusal)["message"]
    texts, words = rulebook.texts["answer"], rulebook.texts["notation"]
    told = [fill(texts["said_output"], {"label": label, "value": value.rstrip(".")}, words) for label, value in output_words(rulebook, question, result, names)]
    outputs = words["record-separator"].join(told)
    return outputs if names is not None else fill(texts["said"], {"title": question.title, "outputs": outputs}, words)


def output_words(rulebook, question, result, names=None):
    """Return [(label, words)] of every output, or of those in *names*, that can be said in a line; a spread gives one pair a key."""
    teller = Teller(question, rulebook.texts)
    told = []
    for name, output in question.outputs.items():
        if names is not None and name not in names:
            continue
        if name in result.spreads:
            told += [(label, teller.chance(value)) for label, value in spread_words(question, output, result.spreads[name])]
        elif name in result.outputs and output.kind != "grid":
            told.append((output.label, teller.output(output, result.outputs[name])))
    return told


def spread_words(question, output, spread):
    """Return [(French name of the key, value)] of what a spread output gave."""
    names = question.tables.get(output.spec.get("table", "")) if output.spec.get("table") else None
    choices = output.spec.get("choices", {})
    pairs = []
    for key, value in spread.items():
        record = names.records.get(str(key)) if names is not None else None
        pairs.append((record.get("name", key) if record else choices.get(str(key), str(key)), value))
    return pairs
