// @ts-check
// The menu of a narrow window, from the keyboard: what opens it and leads back in it are buttons, and Escape puts it away.
import {onPage, say} from './words.js';

const OPENER = '.md-header__button[for="__drawer"]';
const BACK = '.md-nav--primary .md-nav__title:is([for^="__nav_"], [for="__toc"])';
// What opens the pages of a section stands beside the link to it, and bears no words.
const SECTIONS = '.md-nav--primary .md-nav__container > .md-nav__link[for]';
const ALL = `${OPENER}, ${BACK}, ${SECTIONS}, .md-nav--primary .md-nav__link[for="__toc"]`;
const drawer = /** @type {HTMLInputElement | null} */ (document.getElementById('__drawer'));

/**
 * Put a button in the place of a label, which takes no focus and has no role.
 * The theme's styles choose by the class and by `for`: both stay.
 * @param {HTMLLabelElement} label
 */
function asButton(label) {
  const button = document.createElement('button');
  button.type = 'button';
  for (const {name, value} of label.attributes) button.setAttribute(name, value);
  button.append(...label.childNodes);
  button.addEventListener('click', () => document.getElementById(label.htmlFor)?.click());
  label.replaceWith(button);
}

function makeButtons() {
  for (const label of document.querySelectorAll(ALL)) if (label instanceof HTMLLabelElement) asButton(label);
  for (const button of document.querySelectorAll(SECTIONS)) {
    button.setAttribute('aria-label', button.previousElementSibling?.textContent?.trim() ?? '');
  }
  document.querySelector(OPENER)?.setAttribute('aria-label', say('menu'));
  tell();
}

function tell() {
  document.querySelector(OPENER)?.setAttribute('aria-expanded', String(Boolean(drawer?.checked)));
}

drawer?.addEventListener('change', tell);
document.addEventListener('keydown', ({key}) => {
  if (key !== 'Escape' || !drawer?.checked) return;
  drawer.click();
  /** @type {HTMLElement | null} */ (document.querySelector(OPENER))?.focus();
});
onPage(makeButtons);
