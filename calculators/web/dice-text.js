// @ts-check
// Dice written in the prose, like 2D6 or 1d8+8, become buttons that roll them.
import {plain, split} from './dice-notation.js';
import {engine, EngineError, say} from './rules-engine.js';

// Where a button may not stand, or where the text is not prose.
const NOT_PROSE = [
  'a, abbr, button, code, dialog, kbd, label, nav, option, pre, samp, select, summary, textarea, th',
  'h1, h2, h3, h4, h5, h6, script, style, svg, rule-calculator, [contenteditable], [data-no-dice]',
].join();

/** Make buttons of the dice in *root*.
 * @param {Element} root */
function enliven(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    if (/[dD]\d/.test(node.data) && !node.parentElement?.closest(NOT_PROSE)) found.push(node);
  }
  for (const node of found) {
    const pieces = split(node.data);
    if (pieces.length > 1) node.replaceWith(...pieces.map((piece, index) => (index % 2 ? button(piece) : piece)));
  }
}

/** @param {string} dice */
function button(dice) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'dice-text';
  element.dataset.dice = plain(dice);
  element.textContent = dice;
  element.setAttribute('aria-label', say('roll', {dice}));
  return element;
}

/** The result beside the dice, one for the page: drawn in a box, spoken from a place of its own, because
 * what appears and speaks at once is often not heard. */
class Result {
  #box = document.createElement('div');
  #voice = document.createElement('div');
  /** @type {HTMLElement | undefined} */
  #button;

  constructor() {
    this.#box.className = 'dice-result md-typeset';
    this.#box.hidden = true;
    this.#box.setAttribute('aria-hidden', 'true');
    this.#voice.className = 'rc-voice';
    this.#voice.setAttribute('role', 'status');
    document.body.append(this.#box, this.#voice);
  }

  /** @param {HTMLElement} button */
  async roll(button) {
    this.#button = button;
    if (engine.state === 'failed') engine.restart().catch(() => {});
    if (engine.state !== 'ready') this.#show(say('starting'));
    try {
      const reply = await engine.ask({op: 'roll', dice: button.dataset.dice, seed: null});
      if (this.#button === button) this.#show(reply.text ?? reply.error?.message, reply.html);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (this.#button === button) this.#show(say(error.name));
    }
  }

  hide() {
    this.#button = undefined;
    this.#box.hidden = true;
    this.#voice.textContent = '';
  }

  /** Follow the engine while the reader waits for it. */
  progress() {
    const {state, loaded, total} = engine;
    if (state === 'download' && total) this.#box.dataset.percent = String(Math.floor((100 * loaded) / total));
    else delete this.#box.dataset.percent;
  }

  /** @param {Node} node */
  holds(node) {
    return this.#box.contains(node);
  }

  /** @param {string} text @param {string} [html] */
  #show(text, html) {
    if (html) this.#box.innerHTML = html;
    else this.#box.textContent = text;
    this.#voice.textContent = text;
    this.#box.hidden = false;
    if (this.#button) place(this.#box, this.#button);
  }
}

/** Put *box* under *button*, or above where there is no room, inside the window.
 * @param {HTMLElement} box @param {HTMLElement} button */
function place(box, button) {
  const from = button.getBoundingClientRect();
  const {width, height} = box.getBoundingClientRect();
  const view = document.documentElement;
  const gap = from.height / 2;
  const left = Math.max(0, Math.min(from.left + from.width / 2 - width / 2, view.clientWidth - width));
  const below = from.bottom + gap + height <= view.clientHeight;
  box.style.left = `${left + scrollX}px`;
  box.style.top = `${(below ? from.bottom + gap : from.top - gap - height) + scrollY}px`;
}

const result = new Result();

function newPage() {
  result.hide();
  const root = document.querySelector('article') ?? document.querySelector('main');
  if (root) enliven(root);
}

engine.addEventListener('change', () => result.progress());
document.addEventListener('click', ({target}) => {
  if (!(target instanceof Element)) return;
  const dice = target.closest('button.dice-text');
  if (dice instanceof HTMLElement) result.roll(dice);
  else if (!result.holds(target)) result.hide();
});
document.addEventListener('keydown', ({key}) => {
  if (key === 'Escape') result.hide();
});
// The theme tells of every page that instant navigation brings, and of the first.
const pages = /** @type {any} */ (self).document$;
if (pages) pages.subscribe(newPage);
else newPage();
