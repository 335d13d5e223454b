// @ts-check
// The menu of a narrow window, from the keyboard: the theme's labels that open it and lead back in it take the
// focus, and Escape puts it away.
import {onPage, say} from './words.js';

const OPENER = '.md-header__button[for="__drawer"]';
const BACK = '.md-nav--primary .md-nav__title:is([for^="__nav_"], [for="__toc"])';
const LABELS = `${OPENER}, ${BACK}, .md-nav--primary .md-nav__link[for="__toc"]`;
// What opens the pages of a section stands beside the link to it, and bears no words.
const SECTIONS = '.md-nav--primary .md-nav__container > label.md-nav__link';
// Where the theme makes a drawer of its menu.
const narrow = matchMedia('(max-width: 76.234375em)');
const drawer = /** @type {HTMLInputElement | null} */ (document.getElementById('__drawer'));

function takeFocus() {
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(LABELS))) {
    label.toggleAttribute('tabindex', narrow.matches);
    if (narrow.matches) label.tabIndex = 0;
    label.setAttribute('role', 'button');
  }
  for (const label of document.querySelectorAll(SECTIONS)) {
    label.setAttribute('role', 'button');
    label.setAttribute('aria-label', label.previousElementSibling?.textContent?.trim() ?? '');
  }
  document.querySelector(OPENER)?.setAttribute('aria-label', say('menu'));
  tell();
}

function tell() {
  document.querySelector(OPENER)?.setAttribute('aria-expanded', String(Boolean(drawer?.checked)));
}

drawer?.addEventListener('change', tell);
narrow.addEventListener('change', takeFocus);
document.addEventListener('keydown', event => {
  const {key, target} = event;
  if (key === ' ' && target instanceof HTMLLabelElement && target.matches(`${LABELS}, ${SECTIONS}`)) {
    // The theme hears the other key of a button.
    event.preventDefault();
    target.click();
  } else if (key === 'Escape' && drawer?.checked) {
    drawer.click();
    /** @type {HTMLElement | null} */ (document.querySelector(OPENER))?.focus();
  }
});
onPage(takeFocus);
