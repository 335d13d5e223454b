"""An answer and its calculator as HTML: the only place where rules become markup, for the build and for the browser."""

from html import escape

from .calculator import Calculator, spread_words, summary
from .explanation import Teller
from .form import form
from .numbers import fixed, french, is_number, percent
from .refusal import fill
from .step import StepError

PROBABILITY = ("probability", "chance")


def calculator(rulebook, identifier):
    """Return the whole ``<rule-calculator>``: its form with the start inputs and the answers for them."""
    tool = Calculator(rulebook, identifier)
    start = tool.start()
    answers = "".join(
        f'<section class="rc-answer" data-question="{escape(question.id)}" aria-label="{escape(question.title)}">'
        f"{answer(rulebook, question, result, start)}</section>"
        for question, result in tool.answer(start)
    )
    words = rulebook.texts["form"]
    return (
        f'<rule-calculator id="{escape(tool.name)}" data-calculator="{escape(identifier)}">'
        f'<p class="rc-title">{escape(tool.title)}</p>'
        + (f'<p class="rc-summary">{escape(tool.spec["summary"])}</p>' if tool.spec.get("summary") else "")
        + form(tool, start, words)
        + f'<div class="rc-answers">{answers}</div>'
        + f'<section class="rc-log" hidden><p class="rc-log-title">{escape(words["history"])}</p><ol class="rc-history"></ol></section>'
        + f"<noscript><p>{escape(words['noscript'])}</p></noscript></rule-calculator>"
    )


def answer(rulebook, question, result, given):
    """Return the inside of an answer's section: outputs, notes, readings, explanation; or the refusal."""
    words = rulebook.texts["answer"]
    heading = f'<p class="rc-question">{escape(question.title)}</p>'
    if result.refusal is not None:
        error = rulebook.error(question, result.refusal)
        return f'{heading}<p class="rc-refusal" data-code="{escape(error["code"])}">{escape(error["message"])}</p>'
    told = rulebook.tell(question, result)
    return heading + _dice(question, given) + _outputs(question, result, rulebook) + _notes(told) + _readings(told, words) + _steps(question, told, words)


def _dice(question, given):
    """Draw the dice that were given or rolled."""
    faces = []
    for name, part in question.inputs.items():
        spec = part.spec.get("roll") or {}
        values = given.get(name)
        if spec and values is not None:
            sides = spec["sides"] if isinstance(spec.get("sides"), int) else ""
            faces += [_die(value, sides) for value in (values if isinstance(values, list) else [values]) if isinstance(value, int)]
    return f'<p class="rc-dice">{"".join(faces)}</p>' if faces else ""


def _die(value, sides):
    return f'<span class="rc-die" data-sides="{sides}" data-value="{value}">{value}</span>'


def _outputs(question, result, rulebook):
    teller = Teller(question, rulebook.texts)
    plain, charts = [], []
    for name, output in question.outputs.items():
        if output.kind == "spread":
            try:
                pairs = spread_words(question, output, result)
            except (ValueError, StepError):
                continue
            charts.append(_chart(output.label, pairs, rulebook.texts))
            continue
        if name not in result.outputs:
            continue
        value = result.outputs[name]
        if output.kind == "grid":
            charts.append(_grid(output.label, value))
        elif output.kind == "list" and value and all(is_number(item) for item in value) and _item_kind(output) in PROBABILITY:
            labels = output.spec.get("labels") or [french(place) for place in range(len(value))]
            charts.append(_chart(output.label, list(zip(labels, value, strict=False)), rulebook.texts))
        else:
            plain.append(_row(name, output, value, teller))
    listing = f'<dl class="rc-outputs">{"".join(plain)}</dl>' if plain else ""
    return listing + "".join(charts)


def _item_kind(output):
    items = output.spec.get("items")
    return items.get("kind") if isinstance(items, dict) else None


def _row(name, output, value, teller):
    return f'<div class="rc-output"><dt>{escape(output.label)}</dt><dd>{_value(name, output, value, teller)}</dd></div>'


def _value(name, output, value, teller):
    if is_number(value) and output.kind in PROBABILITY:
        return _chance(value)
    items = output.spec.get("items", {})
    if isinstance(value, list) and items.get("kind") == "record":
        fields = items.get("fields", {})
        rows = "".join(f"<li>{_record(item, fields, teller)}</li>" for item in value)
        return f"<ul>{rows}</ul>" if rows else escape(teller.words["nothing"])
    if isinstance(value, dict) and output.spec.get("fields"):
        return _record(value, output.spec["fields"], teller)
    if (isinstance(value, list) and items.get("table") in teller.question.tables) or (isinstance(value, list) and items.get("choices")):
        names = items.get("choices") or {slug: row.get("name", slug) for slug, row in teller.question.tables[items["table"]].records.items()}
        value = [names.get(item, item) if isinstance(item, str) else item for item in value]
    shown = teller.show(name, value)
    return escape(str(shown)) + escape(teller.unit(name) if value is not None else "")


def _record(item, fields, teller):
    told = []
    for key, value in item.items():
        spec = fields.get(key, {})
        names = spec.get("choices") or (
            {slug: row.get("name", slug) for slug, row in teller.question.tables[spec["table"]].records.items()}
            if spec.get("table") in teller.question.tables
            else {}
        )
        if isinstance(value, list):
            value = [names.get(part, part) if isinstance(part, str) else part for part in value]
        elif isinstance(value, str):
            value = names.get(value, value)
        label = spec.get("label", key)
        told.append(f"{escape(label)}\u00a0: {escape(teller.show(None, value))}" if label else escape(teller.show(None, value)))
    return ", ".join(told)


def _chance(value):
    return f'<span class="rc-percent">{percent(value)}</span> <span class="rc-fraction">{french_fraction(value)}</span>'


def french_fraction(value):
    """Return an exact chance as a fraction, long ones shortened to their order of magnitude by nothing: the full figures."""
    return f"{value.numerator}/{value.denominator}"


def _chart(label, pairs, texts):
    """Return chances as a table with bars: readable as text, drawn for the eye; cumulated on demand for numbers."""
    words = texts["answer"]
    numeric = all(str(key).lstrip("-−").isdigit() for key, _ in pairs) and len(pairs) > 2
    most = max((value for _, value in pairs if is_number(value)), default=1) or 1
    left, rows = 1, []
    for key, value in pairs:
        if not is_number(value):
            continue
        width = fixed(value / most * 100 if isinstance(value, int) else value * 100 / most, 2).replace(",", ".").replace("\u202f", "")
        bar = f'<svg class="rc-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect width="{width}" height="8"></rect></svg>'
        cumulated = f'<td class="rc-cumulated">{percent(left)}</td>' if numeric else ""
        left -= value
        rows.append(f'<tr><th scope="row">{escape(str(key))}</th><td class="rc-bar-cell">{bar}</td><td>{_chance(value)}</td>{cumulated}</tr>')
    cumulated = f'<th scope="col" class="rc-cumulated">{escape(words["at_least"])}</th>' if numeric else ""
    head = f'<thead><tr><th scope="col">{escape(words["outcome"])}</th><td></td><th scope="col">{escape(words["chance"])}</th>{cumulated}</tr></thead>'
    return f'<table class="rc-chart"><caption>{escape(label)}</caption>{head}<tbody>{"".join(rows)}</tbody></table>'


def _grid(label, grid):
    rows = "".join("<tr>" + "".join(f'<td data-distance="{cell}">{"✦" if cell == 0 else cell}</td>' for cell in row) + "</tr>" for row in grid)
    return f'<div class="rc-grid-wrap" tabindex="0" role="region" aria-label="{escape(label)}"><table class="rc-grid"><caption>{escape(label)}</caption><tbody>{rows}</tbody></table></div>'


def _notes(told):
    notes = "".join(f"<li>{escape(note)}</li>" for note in told.get("notes", []))
    return f'<ul class="rc-notes">{notes}</ul>' if notes else ""


def _readings(told, words):
    lines = "".join(
        f'<li><a href="../interpretations/#{escape(used["id"].lower())}">{escape(used["id"])}</a> — {escape(fill(words["reading"], used, {}))}</li>'
        for used in told.get("readings", [])
    )
    return f'<ul class="rc-readings">{lines}</ul>' if lines else ""


def _steps(question, told, words):
    steps = []
    for step in told["steps"]:
        parts = [f'<span class="rc-step-label">{escape(step["label"])}</span>', f'<span class="rc-formula">{escape(step["formula"])}</span>']
        if step["values"] != step["formula"]:
            parts.append(f'<span class="rc-values">= {escape(step["values"])}</span>')
        if step["shown"] not in (step["values"], step["formula"]):
            parts.append(f'<span class="rc-result">= {escape(step["shown"])}</span>')
        steps.append(f"<li>{' '.join(parts)}</li>")
    if not steps:
        return ""
    link = (
        f'<p class="rc-rule"><a href="{escape(chapter_address(question.spec["chapter"]))}">{escape(words["rule"])}</a></p>'
        if question.spec.get("chapter")
        else ""
    )
    return f'<details class="rc-steps"><summary>{escape(words["steps"])}</summary><ol>{"".join(steps)}</ol>{link}</details>'


def chapter_address(chapter):
    """Return the address of ``chapter#anchor`` from another chapter page of the same game."""
    page, _, anchor = chapter.partition("#")
    return f"../{page}/" + (f"#{anchor}" if anchor else "")


def dice_roll(dice, faces, total):
    """Return the drawn dice of a roll and its total."""
    return f'<span class="rc-dice">{"".join(_die(face, dice.sides) for face in faces)}</span> <strong class="rc-total">{french(total)}</strong>'


def spoken(rulebook, pairs):
    """Return what a screen reader says of the answers: the first one, or its refusal."""
    return summary(rulebook, *pairs[0]) if pairs else ""
