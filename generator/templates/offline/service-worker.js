// @ts-check
/// <reference lib="webworker" />
// Answers for the site, with a network or without.
//
// SITE is one build: the address of every file, with the start of its SHA-256 digest. What is kept is named by
// both, and nothing else is answered: a page never meets the files of another build. When the server holds
// another build already, a page that is not kept is given as it comes, and its tab is left to the network
// ("stranger"). A new build installs once all that was kept of the old one is kept of the new one; then it
// waits for the reader.

/** @typedef {{url: string, key: string, digest: string, store: string, size: number, shared: boolean}} File */
/** @typedef {{id: string, title: string, files: File[]}} Part */
/** @typedef {{tell?: (loaded: number) => void, signal?: AbortSignal}} Options */
/** @typedef {{lines: string[], pages: Record<string, number[]>}} Pack */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SCOPE = worker.registration.scope;
const PATH = new URL(SCOPE).pathname;
const STORE = `site ${PATH}`;
// The calculators keep their runtime themselves, one store a build: see calculators/web/rules-engine.js.
const FAMILY = `rules ${PATH}${SITE.runtime?.at} `;
const CALCULATORS = '.calculators'; // no game can be called so
const RENOUNCED = `${SCOPE}?renounced`; // there when the reader wants nothing kept unasked
const STRANGER = `${SCOPE}?stranger=`;
const LANES = 6;
const LOOK_MS = 60_000;
const RENEW_MS = 10_000;

/** The server has another build: what it answered instead. */
class OtherBuild extends Error {
  /** @param {Response} response */
  constructor(response) {
    super(response.url);
    this.response = response;
  }
}

// --- one life of a build

worker.addEventListener('install', event => event.waitUntil(install()));
worker.addEventListener('activate', event => event.waitUntil(activate()));

async function install() {
  await each(Object.entries(SITE.shell), ([name, digest]) => save(fileOf(name, digest)));
  await renew();
}

async function activate() {
  // The reader may have kept more while this build waited; pages wait too, so not for long.
  await Promise.race([renew(), new Promise(resolve => setTimeout(resolve, RENEW_MS))]).catch(() => {});
  await tidy();
  await worker.clients.claim();
}

/** Keep of this build what was kept of another. */
async function renew() {
  const kept = (await (await caches.open(STORE)).keys()).map(({url}) => url);
  const whole = Object.keys(SITE.games).filter(id => kept.some(url => url.startsWith(new URL('./', SCOPE + packOf(id)).href)));
  const pages = kept.map(url => nameOf(new URL(url))).filter(name => listed(name)?.game && !whole.includes(listed(name)?.game ?? ''));
  await each([...new Set(pages)], name => save(/** @type {File} */ (listed(name)?.file)));
  await each(whole, id => keepPart(partOf(id)));
  if (SITE.runtime) {
    const [last] = Object.keys(SITE.runtime.files).slice(-1);
    for (const family of (await caches.keys()).filter(name => name.startsWith(FAMILY))) {
      const old = await caches.match(runtimeUrl(family.slice(FAMILY.length), last), {cacheName: family});
      if (old) return keepPart(partOf(CALCULATORS));
    }
  }
}

/** Remove what is of no use to this build. */
async function tidy() {
  const packs = Object.keys(SITE.games).map(id => SCOPE + packOf(id));
  const store = await caches.open(STORE);
  for (const request of await store.keys()) {
    const key = request.url;
    if (key !== RENOUNCED && !packs.includes(key) && listed(nameOf(new URL(key)))?.file.key !== key) await store.delete(request);
  }
  for (const name of await caches.keys()) {
    if (name.startsWith(FAMILY) && name !== FAMILY + SITE.runtime?.folder) await caches.delete(name);
  }
}

let looked = 0;

/** Ask for the new build that the server seems to have. */
function look() {
  if (Date.now() - looked < LOOK_MS) return;
  looked = Date.now();
  worker.registration.update().catch(() => {});
}

// --- the files of this build

/** @param {string} name @param {string} digest @returns {File} */
function fileOf(name, digest) {
  return {url: SCOPE + name, key: `${new URL(name, SCOPE)}?v=${digest}`, digest, store: STORE, size: 0, shared: false};
}

/** @param {string} id */
function packOf(id) {
  return SITE.games[id].pack;
}

/** @param {string} folder @param {string} name */
function runtimeUrl(folder, name) {
  return `${SCOPE}${SITE.runtime?.at}${folder}/${name}`;
}

/** What a reader may ask to keep. @returns {Part[]} */
function parts() {
  const games = Object.entries(SITE.games).map(([id, {title, pack, size, digest}]) => {
    return {id, title, files: [{url: SCOPE + pack, key: SCOPE + pack, digest, store: STORE, size, shared: false}]};
  });
  if (!SITE.runtime) return games;
  const {folder, files} = SITE.runtime;
  const runtime = Object.entries(files).map(([name, {size, digest}]) => {
    return {url: runtimeUrl(folder, name), key: runtimeUrl(folder, name), digest, store: FAMILY + folder, size, shared: true};
  });
  return [...games, {id: CALCULATORS, title: '', files: runtime}];
}

/** @param {string} id @returns {Part} */
function partOf(id) {
  return /** @type {Part} */ (parts().find(part => part.id === id) ?? {id, title: '', files: []});
}

/** The file of a name, and the game whose page it is. @param {string} name */
function listed(name) {
  if (Object.hasOwn(SITE.shell, name)) return {file: fileOf(name, SITE.shell[name]), game: ''};
  const [game] = name.split('/', 1);
  const rest = name.slice(game.length + 1);
  if (!Object.hasOwn(SITE.games, game) || !Object.hasOwn(SITE.games[game].pages, rest)) return undefined;
  return {file: fileOf(name, SITE.games[game].pages[rest]), game};
}

/** @param {URL} url */
function nameOf({pathname}) {
  const name = pathname.slice(PATH.length).replace(/(^|\/)index\.html$/, '$1');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

// --- keeping

/** @type {Map<string, Promise<void>>} */
const pending = new Map();
/** What is on its way, for a calculator that asks for it meanwhile. @type {Map<string, Promise<Response>>} */
const streams = new Map();

/** @param {File} file */
function stored({key, store}) {
  return caches.match(key, {cacheName: store, ignoreVary: true});
}

/** Keep a file, once however many ask. @param {File} file @param {Options} [options] */
function save(file, options) {
  const known = pending.get(file.key);
  if (known) return known;
  const work = (async () => {
    if (await stored(file)) return;
    const response = (await salvaged(file)) ?? (await fetched(file, options));
    await (await caches.open(file.store)).put(file.key, response);
  })();
  pending.set(file.key, work);
  const done = () => void pending.delete(file.key);
  work.then(done, done);
  return work;
}

/** Fetch a file of this build. @param {File} file @param {Options} [options] @returns {Promise<Response>} */
async function fetched(file, {tell, signal} = {}) {
  /** @type {Response | undefined} */
  let other;
  // What the browser remembers is asked first; if it is of another build, the server is asked.
  for (const cache of /** @type {RequestCache[]} */ (['default', 'reload'])) {
    const coming = fetch(file.url, {cache, signal});
    if (file.shared) {
      const shared = coming.then(response => response.clone());
      shared.catch(() => {}); // it may fail before anyone asks for it
      streams.set(file.url, shared);
    }
    const response = await coming;
    if (!response.ok && response.status !== 404) throw new Error(`${file.url}: ${response.status}`);
    const copy = response.clone();
    const isSound = await sound(response, file, tell).finally(() => streams.delete(file.url));
    if (isSound) {
      // A page is refused an answer that was redirected.
      return copy.redirected ? new Response(copy.body, {headers: copy.headers}) : copy;
    }
    other = copy;
  }
  throw new OtherBuild(/** @type {Response} */ (other));
}

/** Read an answer to its end; whether it is the file. @param {Response} response @param {File} file @param {Options['tell']} [tell] */
async function sound(response, file, tell) {
  if (!response.ok || !response.body) return false;
  const pieces = [];
  let loaded = 0;
  for (const reader = response.body.getReader(); ; ) {
    const {done, value} = await reader.read();
    if (done) break;
    pieces.push(value);
    loaded += value.length;
    tell?.(loaded);
  }
  const digest = await crypto.subtle.digest('SHA-256', await new Blob(pieces).arrayBuffer());
  const told = Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
  return told.startsWith(file.digest);
}

/** A file of the runtime that another build has kept and that did not change. @param {File} file */
async function salvaged(file) {
  if (!file.shared) return undefined;
  const name = file.url.slice(file.url.lastIndexOf('/') + 1);
  for (const family of await caches.keys()) {
    if (!family.startsWith(FAMILY) || family === file.store) continue;
    const old = await caches.match(runtimeUrl(family.slice(FAMILY.length), name), {cacheName: family});
    if (old && (await sound(old.clone(), file))) return old;
  }
  return undefined;
}

/** @param {Part} part @param {Options} [options] */
async function keepPart({id, files}, {tell, signal} = {}) {
  let before = 0;
  for (const file of files) {
    await save(file, {signal, tell: loaded => tell?.(before + Math.min(loaded, file.size))});
    before += file.size;
    tell?.(before);
  }
  if (!Object.hasOwn(SITE.games, id)) return;
  // Its pages need not be kept one by one any more.
  packs.delete(id);
  const store = await caches.open(STORE);
  for (const request of await store.keys()) {
    const found = listed(nameOf(new URL(request.url)));
    if (found?.game === id && found.file.key === request.url) await store.delete(request);
  }
}

/** @type {Map<string, Promise<Pack | undefined>>} */
const packs = new Map();

/** The pages of a game, if they are kept. @param {string} id */
function opened(id) {
  const known = packs.get(id);
  if (known) return known;
  const work = (async () => {
    const [file] = partOf(id).files;
    const body = (await stored(file))?.body;
    return body && new Response(body.pipeThrough(new DecompressionStream('gzip'))).json();
  })().catch(() => undefined); // unreadable: the network may still have the page
  packs.set(id, work);
  work.then(pack => pack || packs.delete(id));
  return work;
}

/** @type {Promise<boolean> | undefined} */
let renounced;

function isRenounced() {
  renounced ??= caches.match(RENOUNCED, {cacheName: STORE}).then(Boolean);
  return renounced;
}

/** @param {boolean} wanted */
async function renounce(wanted) {
  if ((await isRenounced()) === wanted) return;
  renounced = Promise.resolve(wanted);
  const store = await caches.open(STORE);
  await (wanted ? store.put(RENOUNCED, new Response('')) : store.delete(RENOUNCED));
}

// --- answering

worker.addEventListener('fetch', event => {
  const {request} = event;
  if (request.method !== 'GET' || !request.url.startsWith(SCOPE) || request.headers.has('range')) return;
  event.respondWith(answer(event, new URL(request.url)));
});

/** @param {FetchEvent} event @param {URL} url @returns {Promise<Response>} */
async function answer(event, url) {
  const {request, clientId, resultingClientId} = event;
  const navigates = request.mode === 'navigate';
  if (!navigates && (await strangers()).has(clientId)) {
    // Its workers are strangers too.
    if (resultingClientId) await estrange(resultingClientId);
    return fetch(request);
  }
  const name = nameOf(url);
  if (SITE.runtime && name.startsWith(SITE.runtime.at) && !Object.hasOwn(SITE.shell, name)) return runtime(event, name);
  const found = listed(name);
  if (!found) return unlisted(event, url, name);
  const kept = (await stored(found.file)) ?? (found.game && (await packed(found.game, name)));
  if (kept) return kept;
  try {
    const response = await fetched(found.file);
    if (!(await isRenounced()) || !found.game) {
      const copy = response.clone();
      event.waitUntil(caches.open(STORE).then(store => store.put(found.file.key, copy)));
    }
    return response;
  } catch (error) {
    if (error instanceof OtherBuild) {
      look();
      if (navigates) await estrange(resultingClientId);
      if (navigates || !found.game) return error.response;
    }
    if (navigates) return fallback(url);
    // A page that a page asks for: its tab must load it whole.
    (await worker.clients.get(clientId))?.postMessage({op: 'load', url: url.href});
    return Response.error();
  }
}

/** @param {string} game @param {string} name */
async function packed(game, name) {
  const pack = await opened(game);
  const numbers = pack?.pages[name.slice(game.length + 1)];
  if (!pack || !numbers) return undefined;
  return new Response(numbers.map(number => pack.lines[number]).join('\n'), {headers: {'content-type': 'text/html; charset=utf-8'}});
}

/** @param {FetchEvent} event @param {URL} url @param {string} name */
async function unlisted({request}, url, name) {
  if (listed(`${name}/`)) return Response.redirect(`${SCOPE}${name}/${url.search}`);
  try {
    return await fetch(request);
  } catch (error) {
    if (request.mode === 'navigate') return fallback(url);
    throw error;
  }
}

/** The page that says what is kept, in the place of one that is not. @param {URL} url */
async function fallback(url) {
  const file = listed(SITE.fallback)?.file;
  if (!SITE.fallback || !file || !(await stored(file))) return Response.error();
  return Response.redirect(`${SCOPE}${SITE.fallback}?page=${encodeURIComponent(url.href.slice(SCOPE.length))}`);
}

/** A file of the runtime, kept as it passes. @param {FetchEvent} event @param {string} name */
async function runtime(event, name) {
  const url = SCOPE + name;
  const [folder] = name.slice(SITE.runtime?.at.length).split('/', 1);
  const kept = await caches.match(url, {cacheName: FAMILY + folder, ignoreVary: true});
  if (kept) return kept;
  const flowing = streams.get(url);
  if (flowing) {
    streams.delete(url);
    return flowing;
  }
  const work = pending.get(url);
  if (work) {
    await work.catch(() => {});
    return runtime(event, name);
  }
  const response = await fetch(event.request);
  if (response.status === 404) look();
  const file = partOf(CALCULATORS).files.find(({key}) => key === url);
  if (file && response.ok && !pending.has(url)) {
    const [read, copy] = [response.clone(), response.clone()];
    const passing = sound(read, file).then(async isSound => {
      if (isSound) await (await caches.open(file.store)).put(file.key, copy);
    });
    const done = () => void pending.delete(url);
    pending.set(url, passing);
    event.waitUntil(passing.then(done, done));
  }
  return response;
}

/** @type {Promise<Set<string>> | undefined} */
let strange;

/** The tabs that show a page of another build; told to the store, because a worker often ends. */
function strangers() {
  strange ??= (async () => {
    const keys = (await (await caches.open(STORE)).keys()).map(({url}) => url);
    return new Set(keys.filter(key => key.startsWith(STRANGER)).map(key => key.slice(STRANGER.length)));
  })();
  return strange;
}

/** @param {string} id */
async function estrange(id) {
  if (!id) return;
  (await strangers()).add(id);
  await (await caches.open(STORE)).put(STRANGER + id, new Response(''));
}

// --- what pages ask: {op, …} in, {loaded} and at last {done} or {failed} out

let asked = new AbortController();

function stop() {
  asked.abort();
  asked = new AbortController();
}

/** @type {Record<string, (order: any, port: MessagePort) => any>} */
const OPERATIONS = {
  state,
  /** Keep a part because the reader wants it. */
  async keep({part}, port) {
    await renounce(false);
    await keepPart(partOf(part), {signal: asked.signal, tell: loaded => port.postMessage({loaded})});
  },
  stop,
  async forget() {
    stop();
    await renounce(true);
    const store = await caches.open(STORE);
    for (const request of await store.keys()) {
      if (request.url !== RENOUNCED && !request.url.startsWith(STRANGER) && !Object.hasOwn(SITE.shell, nameOf(new URL(request.url)))) await store.delete(request);
    }
    packs.clear();
    for (const name of await caches.keys()) if (name.startsWith(FAMILY)) await caches.delete(name);
  },
  /** A page is read: keep it, and unless the network is dear, its game and what calculators need. */
  async read({url, metered}) {
    if (await isRenounced()) return;
    const found = listed(nameOf(new URL(url)));
    if (metered) {
      if (found && !(found.game && (await opened(found.game)))) await save(found.file);
      return;
    }
    if (found?.game) await keepPart(partOf(found.game));
    await keepPart(partOf(CALCULATORS));
  },
  /** How many tabs show the site. */
  async tabs() {
    const all = await worker.clients.matchAll({type: 'window', includeUncontrolled: true});
    return all.filter(({url}) => url.startsWith(SCOPE)).length;
  },
  activate() {
    return worker.skipWaiting();
  },
};

worker.addEventListener('message', event => {
  const {data, ports} = event;
  const [port] = ports;
  const work = (async () => OPERATIONS[data.op]?.(data, port))();
  event.waitUntil(
    work.then(
      done => port?.postMessage({done}),
      error => {
        if (error instanceof OtherBuild) look();
        port?.postMessage({failed: reason(error)});
      },
    ),
  );
});

/** @param {unknown} error */
function reason(error) {
  if (error instanceof OtherBuild) return 'changed';
  if (error instanceof DOMException && error.name === 'AbortError') return 'stopped';
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'full';
  return 'network';
}

async function state() {
  const told = parts().map(async ({id, title, files}) => {
    const kept = await Promise.all(files.map(async file => ((await stored(file)) ? file.size : 0)));
    return {id, title, size: sum(files.map(({size}) => size)), kept: sum(kept)};
  });
  const store = await caches.open(STORE);
  const pages = [];
  for (const request of await store.keys()) {
    const name = nameOf(new URL(request.url));
    const found = listed(name);
    if (!found?.game || found.file.key !== request.url) continue;
    const html = (await (await store.match(request))?.text()) ?? '';
    pages.push({url: SCOPE + name, title: html.match(/<title>([^<]*)/)?.[1] ?? name});
  }
  return {version: SITE.version, renounced: await isRenounced(), parts: await Promise.all(told), pages};
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** @template T @param {T[]} items @param {(item: T) => Promise<unknown>} task */
async function each(items, task) {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({length: LANES}, lane));
}
