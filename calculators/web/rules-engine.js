// @ts-check
// One worker for the whole tab: started when first asked, kept across pages, ended when it hangs.

/**
 * What the page says about itself, read once: with instant navigation the page changes under us,
 * and a relative address would point elsewhere.
 * @param {string} id
 * @returns {Record<string, any>}
 */
function read(id) {
  return JSON.parse(document.getElementById(id)?.textContent || '{}');
}

const config = read('rc-config');
const RUNTIME = config.runtime ? new URL(config.runtime, document.baseURI) : new URL('./', import.meta.url);
// One store a build, named by its folder. The site's service worker answers from it, and fills it too.
const STORE = `rules ${RUNTIME.pathname} `;
// A blocked download or compilation says nothing at all: this long a silence is a failed start.
const SILENCE_MS = config.silence ?? 40_000;
const ANSWER_MS = config.answer ?? 20_000;

/** The words shown by scripts, from the site's texts. @type {Record<string, string>} */
export const words = read('rc-words');

/** @param {string} name @param {Record<string, string | number>} [facts] */
export function say(name, facts = {}) {
  return (words[name] ?? '').replace(/\{(\w+)\}/g, (_, fact) => String(facts[fact] ?? ''));
}

/** Something the reader must be told: `name` is a word of the site. */
export class EngineError extends Error {
  /** @param {string} name @param {string} detail */
  constructor(name, detail) {
    super(`${name}: ${detail}`);
    this.name = name;
  }
}

/** The manifest of the build that the site has now. @returns {Promise<{folder: string}>} */
async function current() {
  const response = await fetch(new URL('current.json', RUNTIME), {cache: 'no-cache', signal: AbortSignal.timeout(SILENCE_MS)});
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void, timer: number}} Waiting */

class Engine extends EventTarget {
  /** @type {'off' | 'download' | 'starting' | 'ready' | 'failed'} */
  state = 'off';
  loaded = 0;
  total = 0;
  /** How the worker started: 'snapshot' or 'archive'. */
  way = '';
  /** @type {EngineError | undefined} */
  failure;

  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #started;
  /** @type {((error: EngineError) => void) | undefined} */
  #refuse;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #silence = 0;
  #count = 0;

  /** Start the worker unless it is there; after a failure, only `restart` tries again. */
  start() {
    this.#started ??= this.#boot(true).catch(error => {
      // What a browser refuses outright, a worker for instance, is told like any other failure.
      const failure = error instanceof EngineError ? error : new EngineError('failed_start', String(error));
      if (failure !== error) this.#fail(failure);
      throw failure;
    });
    return this.#started;
  }

  /** Start now if a start is kept: a reader who never touched a calculator has none, even if all else is kept. */
  async warm() {
    if (this.state !== 'off' || !self.caches) return;
    for (const name of (await caches.keys()).filter(name => name.startsWith(STORE))) {
      const kept = await (await caches.open(name)).keys();
      if (kept.some(({url}) => url.endsWith('/snapshot.bin'))) return void this.start().catch(() => {});
    }
  }

  restart() {
    this.#end(new EngineError('failed_start', 'restarted'));
    this.#started = undefined;
    return this.start();
  }

  /**
   * @param {object} request  see calculators/browser.py
   * @returns {Promise<any>} its answer
   */
  async ask(request) {
    await this.start();
    const id = ++this.#count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new EngineError('failed_answer', 'time-out')), ANSWER_MS);
      this.#waiting.set(id, {resolve, reject, timer});
      this.#worker?.postMessage({id, text: JSON.stringify(request)});
    });
  }

  /** @param {boolean} snapshot  whether a snapshot may be used */
  async #boot(snapshot) {
    this.#tell('download');
    const manifest = await current().catch(error => {
      const failure = new EngineError('failed_download', String(error));
      this.#fail(failure);
      throw failure;
    });
    await new Promise((resolve, reject) => {
      this.#refuse = reject;
      const worker = new Worker(new URL(`${manifest.folder}/rules-worker.js`, RUNTIME), {type: 'module'});
      this.#worker = worker;
      const watch = () => {
        clearTimeout(this.#silence);
        this.#silence = setTimeout(() => {
          // What was kept is the one thing a second try can do without.
          if (snapshot && self.caches) {
            worker.terminate();
            caches.delete(STORE + manifest.folder).catch(() => {}); // not waited for: it may be what hangs
            this.#boot(false).then(resolve, reject);
          } else {
            this.#fail(new EngineError('failed_start', 'silence'));
          }
        }, SILENCE_MS);
      };
      worker.onerror = event => this.#fail(new EngineError('failed_start', event.message));
      worker.onmessage = ({data}) => {
        if (data.id) return this.#receive(data);
        if (data.state === 'kept') return this.dispatchEvent(new Event('kept'));
        if (data.state === 'failed') return this.#fail(new EngineError(data.lost ? 'failed_download' : 'failed_start', data.reason));
        Object.assign(this, {loaded: data.loaded ?? this.loaded, total: data.total ?? this.total, way: data.way ?? ''});
        watch();
        if (data.state === 'ready') {
          clearTimeout(this.#silence);
          resolve(undefined);
        }
        this.#tell(data.state);
      };
      watch();
      worker.postMessage({start: {manifest, store: STORE + manifest.folder, snapshot, tidy: !navigator.serviceWorker?.controller}});
    });
  }

  /** @param {{id: number, text?: string, failure?: string}} message */
  #receive({id, text, failure}) {
    const waiting = this.#waiting.get(id);
    if (failure !== undefined || text === undefined) {
      // An error that Python did not turn into an answer may have left it in any state.
      this.#fail(new EngineError('failed_answer', failure ?? 'no text'));
    } else if (waiting) {
      this.#waiting.delete(id);
      clearTimeout(waiting.timer);
      waiting.resolve(JSON.parse(text));
    }
  }

  /** @param {EngineError} error */
  #fail(error) {
    console.warn(error.message);
    this.failure = error;
    this.#end(error);
    this.#tell('failed');
  }

  /** @param {EngineError} error */
  #end(error) {
    clearTimeout(this.#silence);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#refuse?.(error);
    for (const {reject, timer} of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
    // Whoever asks now is told the same; nobody else need hear of it.
    this.#started = Promise.reject(error);
    this.#started.catch(() => {});
  }

  /** @param {Engine['state']} state */
  #tell(state) {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

export const engine = new Engine();
