// @ts-check
// The site as an app: registers the service worker, announces a new version, and lets the reader choose what
// is kept on the device. The worker does the keeping; this file asks and tells.
import {onPage, say} from './words.js';

/** @typedef {{id: string, title: string, size: number, kept: number}} Part */
/** @typedef {{version: string, renounced: boolean, parts: Part[], pages: {url: string, title: string}[]}} State */

const ROOT = new URL('../../', import.meta.url);
// The page comes first: what it may need later is fetched once it has been there for a while.
const READ_MS = 3000;
const LOOK_MS = 3_600_000;
// Nothing said for this long: the browser has ended the worker, or the network is gone.
const SILENCE_MS = 60_000;

const container = navigator.serviceWorker;
/** Whether this browser lets a site be kept, here. */
let able = Boolean(container) && 'DecompressionStream' in self;
/** @type {State | undefined} */
let state;
/** What the reader has asked for, under way. @type {{parts: Part[]} | undefined} */
let job;
/** What was last said to the reader. */
let said = '';
/** @type {any} */
let installer;

/** Say something to the worker that answers for this page; a failure is an Error named by its reason.
 * @param {object} order @param {(loaded: number) => void} [tell] @returns {Promise<any>} */
async function ask(order, tell) {
  const {active} = await container.ready;
  return new Promise((resolve, reject) => {
    const {port1, port2} = new MessageChannel();
    let timer = 0;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(() => reject(new Error('network'))), SILENCE_MS);
    };
    /** @param {() => void} settle */
    const end = settle => {
      clearTimeout(timer);
      port1.close();
      settle();
    };
    port1.onmessage = ({data}) => {
      watch();
      if ('loaded' in data) tell?.(data.loaded);
      else if (data.failed) end(() => reject(new Error(data.failed)));
      else end(() => resolve(data.done));
    };
    watch();
    active?.postMessage(order, [port2]);
  });
}

// --- versions

async function start() {
  if (document.readyState !== 'complete') await new Promise(resolve => addEventListener('load', resolve, {once: true}));
  let known = Boolean((await container.getRegistration(ROOT.href))?.active);
  container.addEventListener('controllerchange', () => {
    // The first worker takes over a page of its own version; the next one brings another.
    if (known) whenSeen(() => location.reload());
    known = true;
  });
  container.addEventListener('message', ({data}) => {
    // Instant navigation could not have this page: the browser can.
    if (data.op === 'load' && data.url.split('#')[0] === location.href.split('#')[0]) location.reload();
  });
  const registration = await container.register(new URL('service-worker.js', ROOT), {scope: ROOT.pathname, updateViaCache: 'none'});
  if (registration.waiting && registration.active) {
    // It was ready before this page: with no other tab open, there is nothing to lose.
    if ((await ask({op: 'tabs'})) < 2) return registration.waiting.postMessage({op: 'activate'});
    announce(registration.waiting);
  }
  const follow = () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && registration.active) announce(worker);
    });
  };
  follow(); // it may be on its way since the page was asked for
  registration.addEventListener('updatefound', follow);
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
}

/** @param {() => void} task */
function whenSeen(task) {
  if (!document.hidden) return task();
  document.addEventListener('visibilitychange', () => whenSeen(task), {once: true});
}

const bar = document.createElement('div');
bar.className = 'rl-version';
bar.setAttribute('role', 'status');

/** @param {ServiceWorker} worker  complete, and waiting */
function announce(worker) {
  const text = document.createElement('p');
  text.textContent = say('offline_new');
  const now = button('offline_now', () => worker.postMessage({op: 'activate'}));
  bar.replaceChildren(text, now, button('offline_later', () => bar.replaceChildren()));
}

// --- what is read

let timer = 0;

function tellRead() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const task = () => ask({op: 'read', url: location.href, metered: isMetered()}).then(refresh).catch(() => {});
    // Safari has no idle callback.
    if ('requestIdleCallback' in self) requestIdleCallback(task);
    else task();
  }, READ_MS);
}

function isMetered() {
  const {saveData, type, effectiveType} = /** @type {any} */ (navigator).connection ?? {};
  return Boolean(saveData) || type === 'cellular' || /2g|3g/.test(effectiveType ?? '') || matchMedia('(prefers-reduced-data: reduce)').matches;
}

// --- what is kept: a panel in each place the page has for it

async function refresh() {
  if (!document.querySelector('.rl-offline')) return;
  state = await ask({op: 'state'});
  draw();
}

/** @param {string[]} ids  parts to keep, one after the other */
async function keep(ids) {
  if (!state || job) return;
  // Without this promise the browser may take back what it keeps; it is free to refuse.
  navigator.storage?.persist?.().catch(() => {});
  job = {parts: state.parts.filter(({id, size, kept}) => ids.includes(id) && kept < size)};
  try {
    for (const part of job.parts) {
      said = say('offline_step', {part: titleOf(part), number: job.parts.indexOf(part) + 1, count: job.parts.length});
      draw();
      await ask({op: 'keep', part: part.id}, loaded => {
        part.kept = loaded;
        drawProgress();
      });
      part.kept = part.size;
    }
    said = say('offline_done');
  } catch (error) {
    said = say(`offline_${error instanceof Error ? error.message : 'network'}`);
  }
  job = undefined;
  await refresh();
}

async function forget() {
  await ask({op: 'forget'});
  said = say('offline_forgotten');
  await refresh();
}

/** @param {Part} part */
function titleOf({title}) {
  return title || say('offline_calculators');
}

/** @param {number} bytes */
function amount(bytes) {
  const big = bytes >= 1e6;
  const value = (bytes / (big ? 1e6 : 1e3)).toLocaleString(document.documentElement.lang, {maximumFractionDigits: big ? 1 : 0});
  return say(big ? 'offline_mb' : 'offline_kb', {value});
}

/** @param {string} word @param {() => void} action @param {Record<string, string>} [facts] */
function button(word, action, facts) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'rl-button';
  made.textContent = say(word, facts);
  made.addEventListener('click', action);
  return made;
}

/** @param {HTMLElement} place  a sentence of the page; the panel comes after it */
function mount(place) {
  if (place.nextElementSibling?.classList.contains('rl-offline')) return;
  const panel = document.createElement('div');
  panel.className = 'rl-offline';
  panel.dataset.list = place.dataset.rlOffline;
  panel.innerHTML = '<ul></ul><p></p><div class="rl-offline__doing"></div><div class="rl-offline__do"></div><p role="status"></p>';
  const progress = document.createElement('progress');
  progress.setAttribute('aria-label', say('offline_progress'));
  panel.children[2].append(progress, document.createElement('span'), button('offline_stop', () => ask({op: 'stop'})));
  place.after(panel);
  drawPanel(panel);
}

function draw() {
  for (const panel of document.querySelectorAll('.rl-offline')) drawPanel(/** @type {HTMLElement} */ (panel));
}

/** @param {HTMLElement} panel */
function drawPanel(panel) {
  const [list, pages, doing, actions, status] = /** @type {HTMLElement[]} */ ([...panel.children]);
  const hadFocus = panel.contains(document.activeElement);
  const detailed = panel.dataset.list === 'list' && Boolean(state);
  list.hidden = !detailed;
  pages.hidden = !detailed || !state?.pages.length;
  panel.hidden = !state && able;
  doing.hidden = !job;
  actions.hidden = Boolean(job) || !state;
  tell(status, able ? said || say(state?.renounced ? 'offline_renounced' : '') : say('offline_unsupported'));
  if (!state) return;
  if (detailed) {
    list.replaceChildren(...state.parts.map(item));
    pages.replaceChildren(say('offline_pages'), ...state.pages.flatMap(({url, title}) => [' ', link(url, plain(title).split(' · ')[0])]));
  }
  actions.replaceChildren(...choices(state.parts));
  drawProgress();
  // The button that was pressed may be gone.
  if (hadFocus && !panel.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ ((job ? doing : actions).querySelector('button'))?.focus();
  }
}

/** @param {Part[]} parts */
function choices(parts) {
  const left = sum(parts, 'size') - sum(parts, 'kept');
  const made = left ? [button('offline_keep', () => keep(parts.map(({id}) => id)), {size: amount(left)})] : [whole()];
  if (installer) made.push(button('offline_install', install));
  if (parts.some(({kept}) => kept)) made.push(button('offline_forget', forget));
  return made;
}

function drawProgress() {
  if (!job) return;
  const [loaded, total] = [sum(job.parts, 'kept'), sum(job.parts, 'size')];
  for (const doing of document.querySelectorAll('.rl-offline__doing')) {
    const [progress, text] = /** @type {[HTMLProgressElement, HTMLElement]} */ (/** @type {unknown} */ ([...doing.children]));
    Object.assign(progress, {max: total, value: loaded});
    text.textContent = say('offline_loaded', {loaded: amount(loaded), total: amount(total)});
  }
}

/** @param {HTMLElement} element @param {string} text  told once: a screen reader says each change */
function tell(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Part[]} parts @param {'size' | 'kept'} what */
function sum(parts, what) {
  return parts.reduce((total, part) => total + part[what], 0);
}

/** @param {string} html  the title of a page, as it is written there */
function plain(html) {
  return new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';
}

function whole() {
  const text = document.createElement('span');
  text.textContent = say('offline_whole');
  return text;
}

/** @param {Part} part */
function item(part) {
  const {id, size, kept} = part;
  const made = document.createElement('li');
  const whole = kept >= size;
  made.dataset.kept = String(whole);
  made.append(part.title ? link(new URL(`${id}/`, ROOT).href, part.title) : titleOf(part), ' ');
  const fact = document.createElement('span');
  fact.textContent = whole ? say('offline_kept', {size: amount(size)}) : amount(size);
  made.append(fact);
  if (!whole && !job) {
    const one = button('offline_keep_one', () => keep([id]));
    one.setAttribute('aria-label', say('offline_keep_named', {part: titleOf(part), size: amount(size)}));
    made.append(' ', one);
  }
  return made;
}

/** @param {string} address @param {string} text */
function link(address, text) {
  const made = document.createElement('a');
  made.href = address;
  made.textContent = text;
  return made;
}

/** The address *name* comes from outside: it may be none, and may lead into the site only. @param {string} name */
function within(name) {
  try {
    const url = new URL(name, ROOT);
    return url.href.startsWith(ROOT.href) ? url : undefined;
  } catch {
    return undefined;
  }
}

async function install() {
  const asked = installer;
  installer = undefined;
  await asked?.prompt();
  draw();
}

/** On the page shown in the place of another: which one, and a way to try again. */
function sayMissing() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-rl-offline="list"]'));
  const name = new URLSearchParams(location.search).get('page');
  if (!place || name === null || document.querySelector('.rl-missing')) return;
  const wanted = within(name);
  if (!wanted) return;
  const box = document.createElement('div');
  box.className = 'rl-missing';
  box.setAttribute('role', 'alert');
  const text = document.createElement('p');
  text.textContent = say('offline_missing', {page: wanted.pathname});
  box.append(text, link(wanted.href, say('offline_again')));
  document.querySelector('.md-content h1')?.before(box);
  addEventListener('online', () => box.isConnected && location.replace(wanted), {once: true});
}

addEventListener('beforeinstallprompt', event => {
  event.preventDefault();
  installer = event;
  draw();
});

document.body.append(bar);
onPage(() => {
  for (const place of document.querySelectorAll('[data-rl-offline]')) mount(/** @type {HTMLElement} */ (place));
  sayMissing();
  if (!able) return;
  tellRead();
  refresh().catch(() => {});
});
if (able) {
  start().catch(error => {
    console.warn(`no service worker: ${error}`);
    able = false;
    draw();
  });
}
