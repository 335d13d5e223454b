// @ts-check
// <rule-calculator>: reads its form, asks the rules, shows what they answer. It computes nothing.
//
// The page holds the form and the answer for the inputs it shows (calculators/render.py), so all of this
// reads without a script. The first touch starts the engine; from then on each change is asked.
import {engine, EngineError, say} from './rules-engine.js';
import {addItem, controlOf, fieldAt, fieldsIn, itemsOf, readForm, showRoom, writeForm} from './form-values.js';
import {decode, encode, format, parse} from './share-address.js';

/** @typedef {{question: string, html: string, error: null | {message: string, place?: string}}} Answer */
/** @typedef {{answers?: Answer[], inputs?: Record<string, any>, said?: string, text?: string, line?: string, counts?: Record<string, number>, error?: {message?: string}}} Reply */

const TYPING_MS = 250;
const ROLLS_SHOWN = 10;

class RuleCalculator extends HTMLElement {
  #started = false;
  #touched = false;
  #asking = false;
  /** What to ask after the answer under way. @type {'' | 'answer' | 'roll'} */
  #next = '';
  #typing = 0;
  /** Grows when the form goes back: an answer asked before is then of no use. */
  #turn = 0;
  /** What the address last said of this calculator. */
  #addressed = '""';
  /** What the page was printed with. */
  #printed = {inputs: '', lists: /** @type {{items: Node[], data: DOMStringMap}[]} */ ([]), answers: /** @type {Node[]} */ ([])};
  /** The text to copy for the answer shown, when the rules gave one. */
  #text = '';
  #quarter = -1;
  #onEngine = () => this.#showEngine();
  /** Tells when the reader is in the form while the answer is still below the window. */
  #watch = new IntersectionObserver(() => {
    const {top} = this.#answers.getBoundingClientRect();
    this.#status.toggleAttribute('data-below', top > innerHeight && this.form.getBoundingClientRect().top < innerHeight);
  });

  connectedCallback() {
    if (!this.form) return;
    if (!this.#started) {
      this.#started = true;
      this.#prepare();
    }
    engine.addEventListener('change', this.#onEngine);
    for (const part of [this.form, this.#answers]) this.#watch.observe(part);
    this.readAddress();
    whenIdle(() => this.isConnected && engine.warm().catch(() => {})); // a start that is only early may fail unsaid
  }

  disconnectedCallback() {
    engine.removeEventListener('change', this.#onEngine);
    this.#watch.disconnect();
    clearTimeout(this.#typing);
  }

  /** @returns {HTMLFormElement} */
  get form() {
    return /** @type {HTMLFormElement} */ (this.querySelector('form.rc-form'));
  }

  get calculator() {
    return this.dataset.calculator ?? '';
  }

  /** @returns {HTMLElement} */
  get #status() {
    return /** @type {HTMLElement} */ (this.querySelector('.rc-status'));
  }

  /** @returns {HTMLElement} */
  get #answers() {
    return /** @type {HTMLElement} */ (this.querySelector('.rc-answers'));
  }

  #prepare() {
    const {form} = this;
    this.#printed = {
      inputs: JSON.stringify(readForm(form)),
      lists: this.#lists().map(list => ({items: itemsOf(list).map(item => item.cloneNode(true)), data: {...list.dataset}})),
      answers: [...this.#answers.childNodes].map(node => node.cloneNode(true)),
    };
    this.#showRooms();
    for (const type of ['focusin', 'pointerdown']) {
      form.addEventListener(type, ({target}) => {
        // Sharing or copying what is printed needs no Python.
        if (target instanceof Element && !target.closest('[data-share], [data-copy], [type="reset"]')) this.#touch();
      });
    }
    form.addEventListener('input', () => this.#changed());
    form.addEventListener('submit', event => {
      event.preventDefault();
      this.#ask('answer');
    });
    form.addEventListener('reset', event => {
      // Its own way of doing it comes after this event and knows nothing of lists.
      event.preventDefault();
      this.#reset();
      this.#writeAddress();
      this.#tell('said', say('reset'));
    });
    this.addEventListener('click', event => this.#click(event));
  }

  /** The lists of the form, without those inside their items. */
  #lists() {
    const lists = /** @type {NodeListOf<HTMLElement>} */ (this.form.querySelectorAll('.rc-field[data-kind="list"]'));
    return [...lists].filter(list => !list.closest('.rc-item'));
  }

  /** @param {MouseEvent} event */
  #click({target}) {
    const button = target instanceof Element ? target.closest('button') : null;
    if (!button) return;
    const {dataset} = button;
    if ('add' in dataset) this.#add(button);
    else if ('remove' in dataset) this.#remove(button);
    else if (dataset.step) this.#step(button, Number(dataset.step));
    else if ('roll' in dataset) this.#ask('roll');
    else if ('share' in dataset) this.#share();
    else if ('copy' in dataset) this.#copy(this.#text || visibleText(this.#answers));
    else if ('restart' in dataset) this.#restart();
    else if ('line' in dataset) this.#copy(dataset.line ?? '');
  }

  // --- the form

  #showRooms() {
    for (const list of this.form.querySelectorAll('.rc-field[data-kind="list"]')) showRoom(/** @type {HTMLElement} */ (list));
  }

  /** @param {HTMLElement} button */
  #add(button) {
    const list = /** @type {HTMLElement} */ (button.closest('.rc-field'));
    const item = addItem(list);
    if (!item) return;
    this.#showRooms(); // an item may hold lists of its own
    controlOf(item)?.focus();
    this.#changed();
  }

  /** @param {HTMLElement} button */
  #remove(button) {
    const item = /** @type {HTMLElement} */ (button.closest('.rc-item'));
    const list = /** @type {HTMLElement} */ (item.closest('.rc-field[data-kind="list"]'));
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    showRoom(list);
    // The focus must not fall out of the form with the button that had it.
    const heir = next?.querySelector('[data-remove]:enabled') ?? list.querySelector(':scope > [data-add]:enabled') ?? controlOf(list);
    /** @type {HTMLElement | null} */ (heir)?.focus();
    this.#changed();
  }

  /** One more or one less, within the bounds of the control; nothing is written as an empty control.
   * @param {HTMLElement} button @param {number} by */
  #step(button, by) {
    const control = /** @type {HTMLInputElement} */ (button.parentElement?.querySelector('[data-control]'));
    const low = Number(control.min || 0);
    const value = Math.max(low, Math.min(Number(control.value || 0) + by, Number(control.max || Infinity)));
    control.value = value === 0 ? '' : String(value);
    this.#changed();
  }

  #touch() {
    if (this.#touched && engine.state !== 'off') return;
    this.#touched = true;
    this.#showEngine();
    engine.start().catch(() => {});
  }

  #changed() {
    this.#touch();
    this.#text = '';
    this.#answers.setAttribute('aria-busy', 'true');
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      this.#writeAddress();
      this.#ask('answer');
    }, TYPING_MS);
  }

  #reset() {
    clearTimeout(this.#typing);
    this.#turn += 1;
    const {form} = this;
    for (const control of form.querySelectorAll('input, select, textarea')) restore(control);
    this.#lists().forEach((list, index) => {
      const {items, data} = this.#printed.lists[index];
      list.querySelector('.rc-items')?.replaceChildren(...items.map(item => item.cloneNode(true)));
      delete list.dataset.count;
      Object.assign(list.dataset, data);
    });
    this.#showRooms();
    this.#answers.replaceChildren(...this.#printed.answers.map(node => node.cloneNode(true)));
    this.#answers.removeAttribute('aria-busy');
    this.#clearErrors();
    this.#text = '';
    this.#next = '';
  }

  // --- asking

  /** @param {'answer' | 'roll'} what */
  async #ask(what) {
    clearTimeout(this.#typing);
    // One question at a time: what changes meanwhile is asked once, after the answer. A roll holds an
    // answer too.
    if (this.#asking) {
      this.#next = this.#next === 'roll' ? 'roll' : what;
      return;
    }
    this.#asking = true;
    const {calculator} = this;
    const inputs = readForm(this.form);
    if (what === 'roll') {
      const reply = await this.#show({op: 'roll-inputs', calculator, inputs, seed: null});
      if (reply) this.#rolled(reply);
    } else {
      await this.#show({op: 'answer', calculator, inputs});
    }
    this.#asking = false;
    const next = this.#next;
    this.#next = '';
    if (next) this.#ask(next);
  }

  /** @param {Reply} reply */
  #rolled({inputs, line}) {
    if (inputs) {
      writeForm(this.form, inputs);
      this.#writeAddress();
    }
    if (line) this.#remember(line);
  }

  /** @param {object} request @returns {Promise<Reply | undefined>} */
  async #show(request) {
    this.#answers.setAttribute('aria-busy', 'true');
    const turn = this.#turn;
    /** @type {Reply} */
    let reply;
    try {
      reply = await engine.ask(request);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#answers.removeAttribute('aria-busy');
      return undefined; // told by #showEngine
    }
    if (!this.isConnected || turn !== this.#turn) return undefined;
    this.#answers.removeAttribute('aria-busy');
    this.#clearErrors();
    if (reply.error) {
      this.#tell('error', reply.error.message ?? say('failed_answer'));
      return undefined;
    }
    for (const answer of reply.answers ?? []) {
      this.#replace(answer);
      if (answer.error) this.#showError(answer.error);
    }
    this.#count(reply.counts ?? {});
    this.#tell('said', reply.said ?? '');
    this.#status.toggleAttribute('data-refused', Boolean(reply.answers?.[0]?.error));
    this.#text = reply.text ?? '';
    this.#uncover();
    return reply;
  }

  /** What is told at the foot of the window must not stand over the control one is in, if that one is in sight. */
  #uncover() {
    const active = document.activeElement;
    if (!active || !this.form.contains(active) || !this.#status.hasAttribute('data-below')) return;
    const {top, bottom} = active.getBoundingClientRect();
    if (bottom > 0 && top < innerHeight) active.scrollIntoView({block: 'nearest'});
  }

  /** Tell the lists of the form how many items they must hold now.
   * @param {Record<string, number>} counts */
  #count(counts) {
    for (const field of fieldsIn(this.form)) {
      const count = counts[field.dataset.name ?? ''];
      if (count === undefined) continue;
      field.dataset.max = field.dataset.count = String(count);
      showRoom(field);
    }
  }

  /** @param {Answer} answer */
  #replace({question, html}) {
    const template = document.createElement('template');
    template.innerHTML = html;
    const sections = [...this.#answers.querySelectorAll('.rc-answer')];
    const old = sections.find(section => section instanceof HTMLElement && section.dataset.question === question);
    const whole = template.content.querySelector(':scope > .rc-answer');
    const section = old ?? document.createElement('section');
    if (!old) {
      section.className = 'rc-answer';
      section.setAttribute('data-question', question);
      this.#answers.append(section);
    }
    // What the reader had opened stays open.
    const open = [...section.querySelectorAll('details')].map(details => details.open);
    if (whole) for (const {name, value} of whole.attributes) section.setAttribute(name, value);
    section.replaceChildren(...(whole ?? template.content).childNodes);
    section.querySelectorAll('details').forEach((details, index) => (details.open = open[index] ?? details.open));
  }

  // --- refusals

  /** @param {{message: string, place?: string}} error */
  #showError({message, place: path}) {
    const field = path ? fieldAt(this.form, path) : undefined;
    const place = field?.querySelector(':scope > .rc-error');
    // Two questions may refuse for the same reason; the first speaks.
    if (!field || !(place instanceof HTMLElement) || !place.hidden) return;
    place.id ||= `${this.id}-error-${[...this.form.querySelectorAll('.rc-error')].indexOf(place)}`;
    place.textContent = message;
    place.hidden = false;
    field.dataset.invalid = '';
    for (let folded = field.closest('details'); folded; folded = folded.parentElement?.closest('details') ?? null) folded.open = true;
    // A group cannot be invalid, only described; a control can.
    const target = field.tagName === 'FIELDSET' ? field : controlOf(field);
    if (!target) return;
    if (target !== field) target.setAttribute('aria-invalid', 'true');
    const others = (target.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean);
    target.setAttribute('aria-describedby', [...others, place.id].join(' '));
  }

  #clearErrors() {
    for (const place of this.form.querySelectorAll('.rc-error:not([hidden])')) {
      /** @type {HTMLElement} */ (place).hidden = true;
      place.textContent = '';
      const field = /** @type {HTMLElement} */ (place.closest('.rc-field'));
      delete field.dataset.invalid;
      for (const target of [field, ...field.querySelectorAll('[aria-describedby]')]) {
        const others = (target.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(id => id && id !== place.id);
        if (others.length) target.setAttribute('aria-describedby', others.join(' '));
        else target.removeAttribute('aria-describedby');
      }
    }
    for (const control of this.form.querySelectorAll('[aria-invalid]')) control.removeAttribute('aria-invalid');
  }

  // --- what the engine does

  #showEngine() {
    if (!this.#touched) return;
    const {state, loaded, total} = engine;
    const bar = this.querySelector('progress.rc-progress');
    if (state === 'download' || state === 'starting') {
      this.#drawProgress(bar instanceof HTMLProgressElement ? bar : this.#newProgress());
      const quarter = state === 'starting' ? -2 : Math.floor((4 * loaded) / (total || Infinity));
      // Spoken four times, drawn at every step.
      if (quarter !== this.#quarter) {
        this.#quarter = quarter;
        const facts = {loaded: megabytes(loaded), total: megabytes(total)};
        this.#tell('progress', state === 'starting' ? say('starting') : total ? say('download', facts) : say('wait'));
      }
      return;
    }
    this.#quarter = -1;
    bar?.remove();
    if (state === 'failed') {
      this.#answers.removeAttribute('aria-busy');
      this.#tell('error', say(engine.failure?.name ?? ''));
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.restart = '';
      button.textContent = say('restart');
      this.#status.after(button);
    } else if (state === 'ready') {
      this.#tell('done', say('ready'));
    }
  }

  /** @param {HTMLProgressElement} bar */
  #drawProgress(bar) {
    if (engine.state === 'download' && engine.total) {
      bar.max = engine.total;
      bar.value = engine.loaded;
    } else {
      bar.removeAttribute('value'); // how long Python takes to start is not known
    }
  }

  #newProgress() {
    const bar = document.createElement('progress');
    bar.className = 'rc-progress';
    bar.setAttribute('aria-label', say('progress'));
    this.#status.before(bar);
    return bar;
  }

  async #restart() {
    this.#quarter = -1;
    controlOf(this.form)?.focus();
    try {
      await engine.restart();
      await this.#ask('answer');
    } catch {
      // told by #showEngine
    }
  }

  /** @param {'progress' | 'done' | 'said' | 'error'} state @param {string} text */
  #tell(state, text) {
    this.querySelector('button[data-restart]')?.remove();
    this.#status.dataset.state = state;
    this.#status.textContent = text;
  }

  // --- sharing

  /** Fill the form from the address, where it speaks of this calculator. */
  readAddress() {
    const pairs = parse(location.search).calculators.get(this.calculator);
    const addressed = JSON.stringify(pairs ?? '');
    if (addressed === this.#addressed) return;
    this.#addressed = addressed;
    this.#reset();
    if (!pairs) return;
    const kinds = Object.fromEntries(fieldsIn(this.form).map(field => [field.dataset.name, field.dataset.kind]));
    const values = pairs.map(([name, text]) => [name, decode(kinds[name], text)]);
    writeForm(this.form, Object.fromEntries(values.filter(([, value]) => value !== undefined)));
    if (JSON.stringify(readForm(this.form)) === this.#printed.inputs) return;
    this.#touch();
    this.#ask('answer');
  }

  /** Say in the address how the form differs from the printed one: short, and read the same way. */
  #writeAddress() {
    const query = parse(location.search);
    const printed = JSON.parse(this.#printed.inputs);
    const changed = Object.entries(readForm(this.form)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(printed[name]),
    );
    query.calculators.delete(this.calculator);
    if (changed.length) query.calculators.set(this.calculator, encode(Object.fromEntries(changed)));
    this.#addressed = JSON.stringify(query.calculators.get(this.calculator) ?? '');
    replaceSearch(query);
  }

  async #share() {
    // Every input, so that the link means the same after the page starts with others.
    const query = {own: [], calculators: new Map([[this.calculator, encode(readForm(this.form))]])};
    const url = new URL(format(query) + (this.id && `#${this.id}`), location.origin + location.pathname).href;
    // A finger expects the list of applications, a mouse the clipboard.
    if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
      const title = document.title;
      await navigator.share({title, url}).catch(() => {});
      return;
    }
    await this.#copy(url, 'shared');
  }

  /** @param {string} text @param {string} [word] what to say when it is done */
  async #copy(text, word = 'copied') {
    try {
      await navigator.clipboard.writeText(text);
      this.#tell('done', say(word));
    } catch {
      // Without a secure context or the permission the reader copies by hand.
      this.#tell('done', say('copy_by_hand'));
      const box = document.createElement('textarea');
      box.className = 'rc-by-hand';
      box.readOnly = true;
      box.value = text;
      box.setAttribute('aria-label', say('copy_by_hand'));
      box.addEventListener('blur', () => box.remove());
      this.#status.after(box);
      box.select();
    }
  }

  /** @param {string} text */
  #remember(text) {
    const history = this.querySelector('.rc-history');
    if (!(history instanceof HTMLElement)) return;
    const item = document.createElement('li');
    const line = document.createElement('span');
    const button = document.createElement('button');
    line.textContent = text;
    button.type = 'button';
    button.dataset.line = text;
    button.textContent = say('copy_line');
    button.setAttribute('aria-label', say('copy_line_of', {text}));
    item.append(line, button);
    history.prepend(item);
    while (history.children.length > ROLLS_SHOWN) history.lastElementChild?.remove();
    for (const box of [history, history.closest('.rc-log')]) box?.removeAttribute('hidden');
  }
}

/** @param {Element} control */
function restore(control) {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].findIndex(option => option.defaultSelected);
    control.selectedIndex = Math.max(chosen, 0);
  } else if (control instanceof HTMLInputElement) {
    control.value = control.defaultValue;
    control.checked = control.defaultChecked;
  } else if (control instanceof HTMLTextAreaElement) {
    control.value = control.defaultValue;
  }
}

/** @param {import('./share-address.js').Query} query */
function replaceSearch(query) {
  try {
    history.replaceState(history.state, '', location.pathname + format(query) + location.hash);
  } catch {
    // Safari allows a hundred changes in thirty seconds: the next one will do.
  }
}

/** @param {HTMLElement} element */
function visibleText(element) {
  return element.innerText.replace(/\n{2,}/g, '\n').trim();
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toLocaleString(document.documentElement.lang || undefined, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
}

/** @param {() => void} task */
function whenIdle(task) {
  // Safari has no idle callback.
  if ('requestIdleCallback' in self) requestIdleCallback(task);
  else setTimeout(task, 1000);
}

function readAddressAll() {
  for (const element of document.querySelectorAll('rule-calculator')) /** @type {RuleCalculator} */ (element).readAddress();
}

// For a link to the page it is on, instant navigation changes the address as the click passes the body, and
// tells nobody.
addEventListener('popstate', readAddressAll);
document.addEventListener('click', ({target}) => {
  if (target instanceof Element && target.closest('a[href*="?c="]')) readAddressAll();
});

if (!customElements.get('rule-calculator')) customElements.define('rule-calculator', RuleCalculator);
