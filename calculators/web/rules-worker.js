// @ts-check
// The rules, in Python, in a thread of their own: {id, text} in, {id, text} out, both texts JSON.
//
// It is published in the folder of the runtime, so every address is a neighbour of this file, and all
// the neighbours match each other. It starts from the snapshot of a started Python when the browser has
// kept one, else from the archive; what it read is kept once the reader pauses.

/** @typedef {{size: number, sha256: string}} File */
/** @typedef {{folder: string, lock: object, files: Record<string, File>}} Manifest */

const FOLDER = new URL('./', import.meta.url);
// Under Pyodide's control are the two scripts, which it imports; the others are read here, checked, and
// handed over when it asks for them.
const SCRIPTS = ['pyodide.mjs', 'pyodide.asm.js'];
const READ = ['pyodide.asm.wasm', 'app.zip'];
const SNAPSHOT = 'snapshot.bin';
// A pause this long after the last answer means that the network and the processor are free.
const PAUSE_MS = 2000;
// While Pyodide boots, `fetch` is ours.
const network = self.fetch.bind(self);

/** @type {Manifest} */
let manifest;
/** @type {Cache | undefined} */
let store;
let storeName = '';
// A service worker may have kept the runtime of the version to come, and removes the last one itself.
let tidy = true;
/** @type {Map<string, Promise<Uint8Array>>} */
const contents = new Map();
/** @type {((text: string) => string) | undefined} */
let handle;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;
let loaded = 0;

/** The network did not give a file: the browser is not to blame. */
class Lost extends Error {}

addEventListener('message', ({data}) => {
  if (data.start) start(data.start);
  else if (handle) answer(data.id, data.text);
});

/** @param {number} id @param {string} text */
function answer(id, text) {
  try {
    postMessage({id, text: handle?.(text)});
  } catch (error) {
    postMessage({id, failure: String(error)});
  }
  keepLater();
}

/** @param {{manifest: Manifest, store: string, snapshot: boolean, tidy: boolean}} order */
async function start(order) {
  manifest = order.manifest;
  storeName = order.store;
  tidy = order.tidy;
  try {
    // Only a secure context has Cache Storage: a site read over plain http from a neighbour's machine
    // works without.
    store = self.caches && (await caches.open(storeName));
  } catch {
    store = undefined;
  }
  try {
    const snapshot = order.snapshot && Boolean(await store?.match(address(SNAPSHOT)));
    await (snapshot ? fromSnapshot().catch(fromArchiveAfter) : fromArchive());
    keepLater();
  } catch (error) {
    postMessage({state: 'failed', lost: error instanceof Lost, reason: String(error)});
  }
}

async function fromSnapshot() {
  const pyodide = await boot(content(SNAPSHOT).then(unpack));
  ready(pyodide, 'snapshot');
}

/** @param {unknown} error */
async function fromArchiveAfter(error) {
  console.warn(`${SNAPSHOT} is of no use: ${error}`);
  await store?.delete(address(SNAPSHOT));
  contents.clear();
  await fromArchive();
}

async function fromArchive() {
  const read = content('rules.json');
  const [pyodide, rules] = await Promise.all([boot(undefined, read), read]);
  pyodide.pyimport('calculators.browser').load(new TextDecoder().decode(rules));
  ready(pyodide, 'archive');
}

/** @param {any} pyodide @param {string} way */
function ready(pyodide, way) {
  handle = pyodide.pyimport('calculators.browser').handle;
  postMessage({state: 'ready', way});
}

/**
 * @param {Promise<Uint8Array>} [snapshot]
 * @param {Promise<Uint8Array>} [meanwhile]  what else is being read: the download is over when it is
 */
async function boot(snapshot, meanwhile) {
  // The loader asks for the archive even with a snapshot: a module that was not in memory then is read
  // from it.
  const read = READ.map(content);
  Promise.all([...read, snapshot, meanwhile]).then(() => postMessage({state: 'starting'}), () => {});
  // A failed read must end the boot: Pyodide logs it and waits for ever.
  const failed = new Promise((_, reject) => read.forEach(promise => promise.catch(reject)));
  failed.catch(() => {}); // it may fail before anyone waits for it
  self.fetch = (input, init) => {
    const name = String(input).replace(FOLDER.href, '');
    return READ.includes(name) ? response(name) : network(input, init);
  };
  try {
    const {loadPyodide} = await import(address(SCRIPTS[0]));
    return await Promise.race([
      failed,
      loadPyodide({
        indexURL: FOLDER.href,
        packageBaseUrl: FOLDER.href,
        stdLibURL: address('app.zip'),
        lockFileContents: {info: manifest.lock, packages: {}},
        _loadSnapshot: snapshot,
      }),
    ]);
  } finally {
    self.fetch = network;
  }
}

/** @param {string} name */
function address(name) {
  return new URL(name, FOLDER).href;
}

/** @param {string} name */
function content(name) {
  const known = contents.get(name) ?? read(name);
  contents.set(name, known);
  return known;
}

/** @param {string} name */
async function response(name) {
  return new Response(/** @type {BodyInit} */ (await content(name)), {headers: {'content-type': type(name)}});
}

/** @param {string} name */
function type(name) {
  // The types that streaming compilation and module scripts insist on.
  if (name.endsWith('.wasm')) return 'application/wasm';
  return /\.m?js$/.test(name) ? 'text/javascript' : 'application/octet-stream';
}

/** Read a file from the store or the network, and refuse it unless it is the one of the manifest.
 * @param {string} name */
async function read(name) {
  const {size, sha256} = manifest.files[name];
  const kept = await store?.match(address(name));
  if (kept) {
    const bytes = new Uint8Array(await kept.arrayBuffer());
    if (await isSound(bytes, sha256)) {
      progress(size);
      return bytes;
    }
    await store?.delete(address(name));
  }
  // `integrity` holds the body back until its last byte is checked, which leaves no progress to show:
  // it serves where a page may not compute a digest itself.
  /** @param {unknown} error @returns {never} */
  const lost = error => {
    throw new Lost(`${name}: ${error}`);
  };
  const got = await network(address(name), crypto.subtle ? {} : {integrity: integrity(sha256)}).catch(lost);
  if (!got.ok || !got.body) return lost(got.status);
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const reader = got.body.getReader(); ; ) {
    const {done, value} = await reader.read().catch(lost);
    if (done) break;
    if (end + value.length > size) throw new Error(`${name}: longer than ${size} bytes`);
    bytes.set(value, end);
    end += value.length;
    progress(value.length);
  }
  if (end < size) lost(`${end} of ${size} bytes`);
  if (!(await isSound(bytes, sha256))) throw new Error(`${name}: not the file of the manifest`);
  return bytes;
}

/** @param {number} bytes */
function progress(bytes) {
  // The two scripts count from the start: nobody sees how much of an import has come.
  const total = [...READ, ...SCRIPTS, 'rules.json'].reduce((sum, name) => sum + manifest.files[name].size, 0);
  const scripts = SCRIPTS.reduce((sum, name) => sum + manifest.files[name].size, 0);
  loaded += bytes;
  if (!handle) postMessage({state: 'download', loaded: Math.min(scripts + loaded, total), total});
}

/** @param {Uint8Array} bytes @param {string} sha256 */
async function isSound(bytes, sha256) {
  if (!crypto.subtle) return true;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes)));
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('') === sha256;
}

/** @param {string} sha256 */
function integrity(sha256) {
  return `sha256-${btoa(String.fromCharCode(...(sha256.match(/../g) ?? []).map(pair => parseInt(pair, 16))))}`;
}

/** @param {Uint8Array} bytes */
async function unpack(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function keepLater() {
  clearTimeout(pause);
  if (store) pause = setTimeout(() => keep().catch(error => console.warn(`not kept: ${error}`)), PAUSE_MS);
}

/** Keep every file of the runtime for later visits and for reading without a network. */
async function keep() {
  const mine = store;
  store = undefined; // once
  // @ts-ignore: not every browser says so
  const saving = self.navigator.connection?.saveData;
  for (const name of Object.keys(manifest.files)) {
    if (saving && name === SNAPSHOT) continue;
    if (!(await mine?.match(address(name)))) await mine?.put(address(name), await response(name));
  }
  contents.clear();
  const family = storeName.slice(0, storeName.lastIndexOf(' ') + 1);
  for (const name of await caches.keys()) {
    if (tidy && name.startsWith(family) && name !== storeName) await caches.delete(name);
  }
  postMessage({state: 'kept'});
}
