// @ts-check
// The inputs of calculators in the query of an address: `?c=<calculator>&name=value…&c=<another>…`.
//
// What follows a `c` belongs to it, so that several calculators of a page keep apart. A single value is
// written as it is; a list, a record or a map is JSON. Parameters before the first `c` are somebody else's.

/** @typedef {{own: [string, string][], calculators: Map<string, [string, string][]>}} Query */

/** @param {string} search @returns {Query} */
export function parse(search) {
  /** @type {Query} */
  const query = {own: [], calculators: new Map()};
  let current = query.own;
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === 'c') query.calculators.set(value, (current = []));
    else current.push([name, value]);
  }
  return query;
}

/** @param {Query} query @returns {string} '' or '?…' */
export function format({own, calculators}) {
  const pairs = [...own];
  for (const [id, inputs] of calculators) pairs.push(['c', id], ...inputs);
  const text = pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
  return text && `?${text}`;
}

/** @param {Record<string, any>} values @returns {[string, string][]} */
export function encode(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}

/** @param {string | undefined} kind  of the input  @param {string} text @returns {any} */
export function decode(kind, text) {
  if (kind === 'boolean') return text === 'true' || text === '1';
  if (kind !== 'list' && kind !== 'record' && kind !== 'map') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a mangled address: the input keeps what the page says
  }
}

/** @param {string} text */
function escape(text) {
  // Commas, colons and slashes mean nothing in a query, and a person can read them.
  return encodeURIComponent(text).replace(/%(2C|3A|2F)/g, decodeURIComponent);
}
