// @ts-check
// The form of a calculator as plain values and back. It checks nothing: the rules do, in Python.
//
// Every input is an element `.rc-field` with its kind in data-kind. A leaf holds one [data-control];
// a list holds `.rc-item`s with one field each; a record holds fields with data-name, a map fields with
// data-key.

/** @typedef {string | number | boolean | null | undefined} Leaf */

let copies = 0;

/** The fields directly in *container*, a form or a field.
 * @param {Element} container @returns {HTMLElement[]} */
export function fieldsIn(container) {
  const fields = /** @type {NodeListOf<HTMLElement>} */ (container.querySelectorAll('.rc-field'));
  return [...fields].filter(field => field.parentElement?.closest('.rc-field, form') === container);
}

/** @param {HTMLFormElement} form @returns {Record<string, any>} what each named input holds */
export function readForm(form) {
  return readFields(form, 'name');
}

/** Fill the inputs that *values* names, and leave the others.
 * @param {HTMLFormElement} form @param {Record<string, any>} values */
export function writeForm(form, values) {
  for (const field of fieldsIn(form)) {
    const name = field.dataset.name ?? '';
    if (Object.hasOwn(values, name)) writeField(field, values[name]);
  }
}

/** The field a refusal speaks of: "dice", "dice.2" (third item), "capacities.toxicite".
 * @param {HTMLFormElement} form @param {string} path */
export function fieldAt(form, path) {
  /** @type {HTMLElement | undefined} */
  let found;
  for (const step of path.split('.')) {
    const inside = found ? fieldsIn(found) : fieldsIn(form);
    const next = found?.dataset.kind === 'list'
      ? inside[Number(step)]
      : inside.find(field => step === (field.dataset.name ?? field.dataset.key));
    if (!next) break;
    found = next;
  }
  return found;
}

/** @param {Element} container @param {'name' | 'key'} id */
function readFields(container, id) {
  /** @type {Record<string, any>} */
  const values = {};
  for (const field of fieldsIn(container)) {
    const value = readField(field);
    if (value !== undefined) values[field.dataset[id] ?? ''] = value;
  }
  return values;
}

/** @param {HTMLElement} field @returns {any} undefined when it is left out */
export function readField(field) {
  switch (field.dataset.kind) {
    case 'list':
      return fieldsIn(field).map(readField).map(value => value ?? null);
    case 'record':
      return readFields(field, 'name');
    case 'map':
      return Object.fromEntries(Object.entries(readFields(field, 'key')).filter(([, value]) => value));
    default:
      return readLeaf(field);
  }
}

/** @param {HTMLElement} field @returns {Leaf} */
function readLeaf(field) {
  const control = controlOf(field);
  if (!control) return undefined;
  if (field.dataset.kind === 'boolean') return /** @type {HTMLInputElement} */ (control).checked;
  const text = control.value.trim();
  // What a number box cannot read it hides: the rules must still hear that something is there.
  if (control.validity.badInput) return '?';
  if (text === '') return 'optional' in field.dataset ? undefined : null;
  const numeric = field.dataset.kind === 'integer' || field.dataset.kind === 'number';
  return numeric && /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** @param {HTMLElement} field @param {any} value */
export function writeField(field, value) {
  switch (field.dataset.kind) {
    case 'list':
      return writeList(field, Array.isArray(value) ? value : []);
    case 'record':
    case 'map':
      for (const inner of fieldsIn(field)) {
        writeField(inner, held(value, inner.dataset.name ?? inner.dataset.key ?? ''));
      }
      return;
    default:
      return writeLeaf(field, value);
  }
}

/** What *value*, from an address and so of any kind, holds under *name* itself.
 * @param {any} value @param {string} name */
function held(value, name) {
  return typeof value === 'object' && value && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** @param {HTMLElement} field @param {any} value  what is no single value is nothing */
function writeLeaf(field, value) {
  const control = controlOf(field);
  if (!control) return;
  if (field.dataset.kind === 'boolean') /** @type {HTMLInputElement} */ (control).checked = value === true;
  else control.value = value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Of more items than any rule takes, one too many is enough to be refused.
 * @param {HTMLElement} field @param {any[]} given */
function writeList(field, given) {
  const values = given.slice(0, Number(field.dataset.most ?? Infinity) + 1);
  let items = itemsOf(field);
  while (items.length > values.length) items.pop()?.remove();
  while (itemsOf(field).length < values.length && addItem(field));
  items = itemsOf(field);
  fieldsIn(field).forEach((inner, index) => writeField(inner, values[index]));
  showRoom(field);
}

/** @param {HTMLElement} field a list @returns {HTMLElement[]} */
export function itemsOf(field) {
  return /** @type {HTMLElement[]} */ ([...(field.querySelector('.rc-items')?.children ?? [])]);
}

/** Whether there is room is for the button that adds: an address may hold more, for the rules to refuse.
 * @param {HTMLElement} field a list @returns {HTMLElement | undefined} the new item */
export function addItem(field) {
  const template = field.querySelector(':scope > template.rc-item-template');
  if (!(template instanceof HTMLTemplateElement)) return undefined;
  const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  copies += 1;
  for (const element of copy.querySelectorAll('[id], [for], [aria-describedby], [aria-labelledby]')) {
    for (const name of ['id', 'for', 'aria-describedby', 'aria-labelledby']) {
      const value = element.getAttribute(name);
      if (value) element.setAttribute(name, value.replace(/\S+/g, id => `${id}-${copies}`));
    }
  }
  field.querySelector('.rc-items')?.append(copy);
  showRoom(field);
  return itemsOf(field).at(-1);
}

/** The buttons that would only lead to a refusal are off: to add where there is no room, to remove where none is
 * in excess.
 * @param {HTMLElement} field a list */
export function showRoom(field) {
  const items = itemsOf(field);
  const {max = Infinity, count = -1} = field.dataset;
  const add = field.querySelector(':scope > [data-add]');
  if (add instanceof HTMLButtonElement) add.disabled = items.length >= Number(max);
  for (const item of items) {
    const remove = item.querySelector(':scope > [data-remove]');
    if (remove instanceof HTMLButtonElement) remove.disabled = items.length <= Number(count);
  }
}

/** @param {HTMLElement} field @returns {HTMLInputElement | null} */
export function controlOf(field) {
  return field.querySelector('[data-control]');
}
