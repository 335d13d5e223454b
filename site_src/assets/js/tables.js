// @ts-check
// Sorting and filtering of what the page holds already: tables, cards of records, lists of calculators.
// Generated HTML marks what may be sorted or filtered; without this script everything is simply shown.
import {fold, onPage, say} from './words.js';

const collator = new Intl.Collator('fr', {numeric: true, sensitivity: 'base'});

/** @typedef {{element: HTMLElement, text: string, cells: (index: number | string) => string[]}} Item */

// --- sorting

/** @param {HTMLTableElement} table */
function makeSortable(table) {
  const rows = [...(table.tHead?.rows ?? [])];
  if (!rows.length || table.querySelector('.rl-sort')) return;
  for (const [cell, column] of columnsOf(rows)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'rl-sort';
    button.append(...cell.childNodes);
    button.title = say('sort', {column: button.textContent?.trim() ?? ''});
    cell.append(button);
    button.addEventListener('click', () => sort(table, cell, column));
  }
}

/**
 * The header cell of each column, in one or two lines of headers.
 * @param {HTMLTableRowElement[]} rows @returns {[HTMLTableCellElement, number][]}
 */
function columnsOf(rows) {
  /** @type {[HTMLTableCellElement, number][]} */
  const found = [];
  const inner = [...(rows[1]?.cells ?? [])];
  let column = 0;
  for (const cell of rows[0].cells) {
    if (cell.scope === 'colgroup') {
      for (const under of inner.splice(0, cell.colSpan)) found.push([under, column++]);
    } else {
      found.push([cell, column++]);
    }
  }
  return found;
}

/** @param {HTMLTableElement} table @param {HTMLTableCellElement} head @param {number} column */
function sort(table, head, column) {
  const down = head.getAttribute('aria-sort') === 'ascending';
  for (const other of table.querySelectorAll('[aria-sort]')) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const body = table.tBodies[0];
  const rows = [...body.rows].map(row => ({row, key: keyOf(row.cells[column])}));
  rows.sort((a, b) => compare(a.key, b.key, down ? -1 : 1));
  body.append(...rows.map(({row}) => row));
}

/** @param {HTMLTableCellElement | undefined} cell @returns {string | number | null} */
function keyOf(cell) {
  if (!cell || cell.dataset.empty) return null;
  return cell.dataset.sort === undefined ? (cell.textContent ?? '').trim() : Number(cell.dataset.sort);
}

/** Empty cells stay last both ways. @param {string | number | null} a @param {string | number | null} b @param {number} sign */
function compare(a, b, sign) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}

// --- filtering

/** @param {HTMLElement} box  a table or a group of cards */
function makeFilterable(box) {
  const id = box.dataset.rlFilter ?? '';
  if (!id || document.getElementById(`filter-${id}`)) return;
  const isTable = box instanceof HTMLTableElement;
  const title = isTable ? box.caption?.firstChild?.textContent ?? '' : box.getAttribute('aria-label') ?? '';
  const choices = box.closest('.rl-figure, .rl-cards')?.querySelector('template.rl-choices');
  const selects = choices instanceof HTMLTemplateElement ? [...choices.content.cloneNode(true).querySelectorAll('select')] : [];
  const items = isTable ? [...box.tBodies[0].rows].map(rowItem) : [...box.querySelectorAll('.rl-card')].map(cardItem);
  const bar = filterBar(`filter-${id}`, say('filter_table', {title: title.trim()}), selects, items, 'shown', 'nothing');
  if (isTable) (box.closest('.rl-frame') ?? box).before(bar);
  else box.prepend(bar);
}

/** @param {HTMLTableRowElement} row @returns {Item} */
function rowItem(row) {
  return {element: row, text: fold(row.textContent ?? ''), cells: index => values(row.cells[Number(index)])};
}

/** @param {Element} card @returns {Item} */
function cardItem(card) {
  const fields = [...card.querySelectorAll('dt')];
  return {
    element: /** @type {HTMLElement} */ (card),
    text: fold(card.textContent ?? ''),
    cells: label => values(fields.find(field => field.textContent?.trim() === label)?.nextElementSibling),
  };
}

/** @param {Element | null | undefined} cell */
function values(cell) {
  const items = [...(cell?.querySelectorAll('li') ?? [])].map(item => item.textContent?.trim() ?? '');
  const text = cell?.textContent?.trim() ?? '';
  return items.length ? items : [text, ...text.split(/,\s*/)];
}

/**
 * A line of controls that hides what does not match.
 * @param {string} id @param {string} label @param {HTMLSelectElement[]} selects @param {Item[]} items
 * @param {string} count @param {string} none  words to say how many are left
 */
function filterBar(id, label, selects, items, count, none) {
  const bar = document.createElement('div');
  bar.className = 'rl-filter';
  bar.id = id;
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = label;
  input.setAttribute('aria-label', label);
  const clear = document.createElement('button');
  clear.type = 'button';
  clear.textContent = say('clear');
  clear.hidden = true;
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  bar.append(input, ...selects, clear, status);

  const apply = () => {
    const wanted = fold(input.value).split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const {element, text, cells} of items) {
      const fits =
        wanted.every(word => text.includes(word)) &&
        selects.every(({value, dataset}) => !value || cells(dataset.column ?? dataset.label ?? '').includes(value));
      element.toggleAttribute('data-rl-away', !fits);
      shown += Number(fits);
    }
    const active = wanted.length > 0 || selects.some(({value}) => value);
    clear.hidden = !active;
    status.textContent = !active ? '' : shown ? say(count, {shown, total: items.length}) : say(none);
    bar.dispatchEvent(new CustomEvent('filtered'));
  };
  bar.addEventListener('input', apply);
  clear.addEventListener('click', () => {
    input.value = '';
    for (const select of selects) select.value = '';
    apply();
    input.focus();
  });
  return bar;
}

// --- the list of calculators

/** @param {HTMLElement} box */
function makeToolsFilterable(box) {
  if (box.querySelector('.rl-filter')) return;
  const groups = /** @type {HTMLElement[]} */ ([...box.querySelectorAll('.rl-tools__group')]);
  const tools = /** @type {HTMLElement[]} */ ([...box.querySelectorAll('.rl-list--tools > li')]);
  /** @type {Map<string, string>} */
  const uses = new Map();
  for (const tag of box.querySelectorAll('.rl-does')) uses.set(/** @type {HTMLElement} */ (tag).dataset.does ?? '', tag.textContent ?? '');
  const games = groups.map(({dataset}) => /** @type {[string, string]} */ ([dataset.game ?? '', dataset.title ?? '']));
  const selects = [chooser('game', say('all_games'), games), chooser('does', say('all_does'), [...uses])];
  const items = tools.map(tool => ({
    element: tool,
    text: fold(tool.textContent ?? ''),
    /** @param {string | number} what */
    cells: what => {
      const group = /** @type {HTMLElement | null} */ (tool.closest('[data-game]'));
      return what === 'game' ? [group?.dataset.game ?? ''] : (tool.dataset.does ?? '').split(' ');
    },
  }));
  const bar = filterBar('filter-tools', say('filter_tools'), selects, items, 'tools_shown', 'no_tool');
  bar.addEventListener('filtered', () => {
    for (const group of groups) group.toggleAttribute('data-rl-away', !group.querySelector('.rl-list--tools > li:not([data-rl-away])'));
  });
  box.prepend(bar);
}

/** @param {string} what @param {string} all @param {[string, string][]} options */
function chooser(what, all, options) {
  const select = document.createElement('select');
  select.dataset.column = what;
  select.setAttribute('aria-label', say(what));
  for (const [value, text] of [/** @type {[string, string]} */ (['', all]), ...options]) select.append(new Option(text, value));
  return select;
}

onPage(() => {
  for (const table of document.querySelectorAll('table[data-rl-sort]')) makeSortable(/** @type {HTMLTableElement} */ (table));
  for (const box of document.querySelectorAll('[data-rl-filter]')) makeFilterable(/** @type {HTMLElement} */ (box));
  for (const box of document.querySelectorAll('[data-rl-tools]')) makeToolsFilterable(/** @type {HTMLElement} */ (box));
});
