// @ts-check
// Small repairs the theme needs, on each page: names for its landmarks, keyboards for what scrolls.
import {onPage, say} from './words.js';

/** Boxes that scroll must be reachable from the keyboard, and say what they hold. */
function nameScrollers() {
  for (const box of document.querySelectorAll('.rl-scroll, .md-typeset__scrollwrap, .rl-block')) {
    if (!(box instanceof HTMLElement)) continue;
    if (box.matches('.rl-scroll')) {
      shade(box);
      box.onscroll = () => shade(box);
    }
    if (box.scrollWidth <= box.clientWidth) {
      for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name);
      continue;
    }
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', box.querySelector('caption')?.textContent?.trim() || say('scroll'));
  }
}

/** A shade says that a table goes on to the right. @param {HTMLElement} box */
function shade(box) {
  box.parentElement?.classList.toggle('rl-frame--more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/** The theme's menus point at labels that are not there at every width, and say states that are not theirs. */
function nameMenus() {
  for (const menu of document.querySelectorAll('nav.md-nav[aria-labelledby]')) {
    const title = menu.querySelector('.md-nav__title')?.textContent?.trim();
    menu.removeAttribute('aria-labelledby');
    menu.removeAttribute('aria-expanded');
    if (title) menu.setAttribute('aria-label', title);
  }
  const seen = new Map();
  for (const landmark of document.querySelectorAll('nav[aria-label]')) {
    const label = landmark.getAttribute('aria-label') ?? '';
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    if (count > 1) landmark.setAttribute('aria-label', `${label} (${count})`);
  }
}

/** Paper spells the addresses that lead out of the site. */
function markOutside() {
  for (const link of document.querySelectorAll('.md-content a[href^="http"]')) {
    if (link instanceof HTMLAnchorElement) link.toggleAttribute('data-rl-outside', link.origin !== location.origin);
  }
}

/** A sheet is printed by the browser; without scripts, by its own menu. */
function offerPrint() {
  for (const button of document.querySelectorAll('button[data-rl-print]')) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.onclick = () => print();
  }
}

/** What is folded is printed open, and folded again afterwards. */
function openForPrint() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll('.md-content details:not([open])')]);
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
    opened = [];
  });
}

onPage(() => {
  document.querySelector('.md-search')?.setAttribute('aria-label', say('search'));
  nameMenus();
  nameScrollers();
  offerPrint();
  markOutside();
  // The loading bar is for the eye only; the links of the foot say what they show.
  document.querySelector('.md-progress')?.setAttribute('aria-hidden', 'true');
  for (const link of document.querySelectorAll('.md-footer__link')) {
    link.setAttribute('aria-label', (link.textContent ?? '').replace(/\s+/g, ' ').trim());
  }
  for (const box of document.querySelectorAll('.task-list-item input:not([aria-label])')) {
    box.setAttribute('aria-label', box.parentElement?.textContent?.trim() ?? '');
  }
});
addEventListener('resize', nameScrollers);
openForPrint();
