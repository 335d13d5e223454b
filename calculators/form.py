"""The form of a calculator as HTML, made from its inputs alone."""

from html import escape

from .calculator import exact_count
from .inputs import LONGEST_LIST
from .numbers import encode, french, is_number
from .refusal import fill

# Choices longer than this are cut in a column of a form.
LONGEST_CHOICE = 20


class Paper:
    """What every field is written with: the *words* of a form, and the *scope* where the formulas of its question hold."""

    __slots__ = ("scope", "words")

    def __init__(self, words, scope):
        self.words, self.scope = words, scope


def form(tool, start, words):
    """Return the form of Calculator *tool*, its controls holding the values of *start*."""
    usual, readings = [], []
    for name, part in tool.fields.items():
        field = _field(part, start.get(name), f"{tool.name}-{name}", Paper(words, tool.scope(name, start)), name)
        (readings if "reading" in part.spec else usual).append(field)
    more = f'<details class="rc-more"><summary>{escape(words["readings"])}</summary>{"".join(readings)}</details>' if readings else ""
    rolling = escape(words["roll_one" if tool.rolls_one_die() else "roll"])
    roll = f'<button type="button" class="rc-roll" data-roll>{rolling}</button>' if tool.can_roll() else ""
    buttons = "".join(
        f'<button type="{kind}" {attribute}>{escape(words[key])}</button>'
        for key, kind, attribute in (("reset", "reset", "data-reset"), ("share", "button", "data-share"), ("copy", "button", "data-copy"))
    )
    return (
        f'<form class="rc-form" novalidate aria-label="{escape(tool.title)}">{"".join(usual)}{more}'
        f'<div class="rc-actions">{roll}{buttons}</div><p class="rc-status" role="status" aria-live="polite"></p></form>'
    )


def _field(part, value, identifier, paper, name=None, key=None):
    where = (f' data-name="{escape(name)}"' if name is not None else "") + (f' data-key="{escape(key)}"' if key is not None else "")
    optional = " data-optional" if part.spec.get("optional") or "default" in part.spec else ""
    wide = " data-wide" if part.kind == "choice" and any(len(str(label)) > LONGEST_CHOICE for label in (part.choices() or {}).values()) else ""
    attributes = f'class="rc-field"{where} data-kind="{_shown_kind(part)}"{optional}{wide}'
    if part.kind in ("list", "record", "map"):
        room = _room(part, paper) if part.kind == "list" else ""
        return f"<fieldset {attributes}{room}><legend>{_legend(part)}</legend>{_group(part, value, identifier, paper)}{_error(identifier)}</fieldset>"
    label = f'<label for="{escape(identifier)}">{_legend(part)}</label>'
    control = _control(part, value, identifier)
    if key is not None and part.kind == "integer":
        control = _stepper(control, part.label, paper.words)
    return f"<div {attributes}>{label}{control}{_help(part, identifier)}{_error(identifier)}</div>"


def _room(part, paper):
    """Return how many items a list may hold, and how many it must when that is settled, for the buttons that add and remove."""
    count = exact_count(part, paper.scope)
    room = f'data-max="{LONGEST_LIST}"' if count is None else f'data-max="{count}" data-count="{count}"'
    return f' data-most="{LONGEST_LIST}" {room}'


def _shown_kind(part):
    return "boolean" if part.spec.get("accepts") == "boolean" else part.kind


def _legend(part):
    unit = f' <span class="rc-unit">({escape(part.spec["unit"])})</span>' if part.spec.get("unit") else ""
    return escape(part.label) + unit


def _error(identifier):
    return f'<p class="rc-error" id="{escape(identifier)}-error" hidden></p>'


def _help(part, identifier):
    text = part.spec.get("help")
    return f'<p class="rc-help" id="{escape(identifier)}-help">{escape(text)}</p>' if text else ""


def _control(part, value, identifier):
    described = f' aria-describedby="{escape(identifier)}-help"' if part.spec.get("help") else ""
    common = f'id="{escape(identifier)}" data-control{described}'
    if _shown_kind(part) == "boolean":
        return f'<input type="checkbox" {common}{" checked" if value else ""}>'
    if part.kind == "choice":
        return f"<select {common}>{_options(part, value)}</select>"
    text = "" if value is None else french_input(value) if is_number(value) else str(encode(value))
    if part.kind == "dice":
        text = text.upper()
    if part.kind == "integer":
        bounds = "".join(f' {key}="{part.spec[key]}"' for key in ("min", "max") if isinstance(part.spec.get(key), int))
        return f'<input type="number" inputmode="numeric" step="1"{bounds} value="{escape(text)}" {common}>'
    mode = ' inputmode="decimal"' if part.kind == "number" else ""
    return f'<input type="text"{mode} autocomplete="off" value="{escape(text)}" {common}>'


def _stepper(control, label, words):
    """Return a number between two buttons that a thumb can reach: one less, one more."""
    less, more = (escape(fill(words[key], {"label": label}, {})) for key in ("less", "more"))
    return (
        f'<span class="rc-stepper"><button type="button" data-step="-1" aria-label="{less}">−</button>{control}'
        f'<button type="button" data-step="1" aria-label="{more}">+</button></span>'
    )


def french_input(value):
    """Return a number as one types it: decimal comma, no spaces in thousands."""
    return french(value).replace("\u202f", "").replace("−", "-")


def _options(part, value):
    choices = part.choices() or {}
    empty = '<option value=""></option>' if part.spec.get("optional") and part.spec.get("default") is None else ""
    return empty + "".join(
        f'<option value="{escape(slug)}"{" selected" if slug == value else ""}>{escape(str(label))}</option>' for slug, label in choices.items()
    )


def _group(part, value, identifier, paper):
    help_text = _help(part, identifier)
    if part.kind == "record":
        given = value if isinstance(value, dict) else {}
        return help_text + "".join(_field(inner, _given(inner, given.get(key)), f"{identifier}-{key}", paper, key) for key, inner in part.fields.items())
    if part.kind == "map":
        return help_text + _entries(part, value if isinstance(value, dict) else {}, identifier, paper)
    items = value if isinstance(value, list) else [None] * (exact_count(part, paper.scope) or 0)
    shown = "".join(_item(part, item, f"{identifier}-{place}", paper) for place, item in enumerate(items))
    more, label = part.items.label, escape(fill(paper.words["add"], {"label": part.items.label}, {}))
    return (
        help_text
        + f'<div class="rc-items">{shown}</div><template class="rc-item-template">{_item(part, None, identifier + "-new", paper)}</template>'
        + f'<button type="button" class="rc-add" data-add aria-label="{label}">{escape(more)}</button>'
    )


def _given(part, value):
    if value is not None:
        return value
    return part.default()[1]


def _item(part, value, identifier, paper):
    inner = part.items
    field = _field(inner, _given(inner, value), identifier, paper)
    label = escape(fill(paper.words["remove"], {"label": inner.label}, {}))
    return f'<div class="rc-item">{field}<button type="button" class="rc-remove" data-remove aria-label="{label}">×</button></div>'


def _entries(part, given, identifier, paper):
    """Return one small field for each key of a map; the help of a key is a column of its table."""
    spec = part.spec.get("keys", {})
    records = part.tables[spec["table"]].records if spec.get("table") in part.tables else {}
    choices = part.choices()
    if choices is None:
        low, high = spec.get("min", 1), spec.get("max", 9)
        choices = {str(key): fill(spec.get("label", "{key}"), {"key": key}, {}) for key in range(low, high + 1)}
    fields = []
    for key, label in choices.items():
        entry = type(part)(key, {**part.values.spec, "label": label, "optional": True}, part.tables, part)
        help_text = records.get(key, {}).get(spec.get("help", "help"))
        if help_text:
            entry.spec["help"] = help_text
        fields.append(_field(entry, given.get(key), f"{identifier}-{key}", paper, key=key))
    return f'<div class="rc-entries">{"".join(fields)}</div>'
