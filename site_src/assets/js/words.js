// @ts-check
// The words the page gives its scripts: none is written here.

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById('site-words')?.textContent || '{}');

/** @param {string} name @param {Record<string, string | number>} [facts] */
export function say(name, facts = {}) {
  return (words[name] ?? '').replace(/\{(\w+)\}/g, (_, fact) => String(facts[fact] ?? ''));
}

/**
 * Call *task* for this page and for each page instant navigation brings.
 * @param {() => void} task
 */
export function onPage(task) {
  const pages = /** @type {any} */ (window).document$;
  if (pages) pages.subscribe(task);
  else task();
}

/** @param {string} text without accents, ligatures or capitals */
export function fold(text) {
  return text.toLowerCase().replace(/œ/g, 'oe').replace(/æ/g, 'ae').normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/[’']/g, ' ');
}
