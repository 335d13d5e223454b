// @ts-check
// Words that explain themselves: what a link says of where it leads, on hover, on focus and at the first tap.
import {onPage, say} from './words.js';

const LINKS = '.md-content a[title]:not(.headerlink)';
const TOLD = 'a[data-rl-told]';
/** What a bubble must not cover: the sentence its word stands in. */
const TEXT = 'p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, figcaption, caption';
const SOON = 250;
const LATE = 500;
const GAP = 6;

/** @type {HTMLElement | undefined} */
let bubble;
/** @type {HTMLAnchorElement | undefined} */
let shown;
let timer = 0;
/** Whether a finger or a pen touched last: not every browser says it of a click. */
let touching = false;

/** The native tip of a title is slow, cannot be read by touch, and would stand over ours. */
function takeTitles() {
  hide();
  for (const link of document.querySelectorAll(LINKS)) {
    const told = link.getAttribute('title') ?? '';
    link.removeAttribute('title');
    link.setAttribute('data-rl-told', told);
    link.setAttribute('aria-description', told);
  }
}

function made() {
  if (bubble?.isConnected) return bubble;
  bubble = document.createElement('div');
  bubble.className = 'rl-told';
  bubble.popover = 'manual';
  // The word itself is described: the bubble would say it twice.
  bubble.setAttribute('aria-hidden', 'true');
  bubble.addEventListener('pointerenter', () => clearTimeout(timer));
  bubble.addEventListener('pointerleave', () => later(hide, LATE));
  document.body.append(bubble);
  return bubble;
}

/** @param {HTMLAnchorElement} link @param {boolean} touched */
function show(link, touched) {
  clearTimeout(timer);
  const box = made();
  const name = document.createElement('strong');
  name.textContent = link.textContent;
  box.replaceChildren(name, ' ', link.dataset.rlTold ?? '');
  if (touched) {
    const more = document.createElement('a');
    more.href = link.href;
    more.tabIndex = -1;
    more.textContent = say('term_more');
    box.append(' ', more);
  }
  box.classList.toggle('rl-told--touched', touched);
  shown = link;
  box.showPopover();
  place(box, link);
}

/** Below the sentence, or else above it, or else at the foot of the window. @param {HTMLElement} box @param {HTMLElement} link */
function place(box, link) {
  const text = (link.closest(TEXT) ?? link).getBoundingClientRect();
  const word = link.getBoundingClientRect();
  const {offsetWidth: width, offsetHeight: height} = box;
  const wide = document.documentElement.clientWidth;
  const low = text.bottom + GAP + height <= innerHeight;
  const high = text.top - GAP - height >= 0;
  const top = low ? text.bottom + GAP : high ? text.top - GAP - height : word.bottom < innerHeight / 2 ? innerHeight - height : 0;
  box.style.left = `${Math.max(GAP, Math.min(word.left, wide - width - GAP))}px`;
  box.style.top = `${top}px`;
  box.style.visibility = word.bottom < 0 || word.top > innerHeight ? 'hidden' : '';
}

function hide() {
  clearTimeout(timer);
  shown = undefined;
  if (bubble?.matches(':popover-open')) bubble.hidePopover();
}

/** @param {() => void} task @param {number} wait */
function later(task, wait) {
  clearTimeout(timer);
  timer = window.setTimeout(task, wait);
}

/** @param {Event} event */
function linkOf(event) {
  const link = event.target instanceof Element ? event.target.closest(TOLD) : null;
  return link instanceof HTMLAnchorElement ? link : undefined;
}

document.addEventListener('pointerover', (event) => {
  const link = linkOf(event);
  if (link && event.pointerType === 'mouse' && link !== shown) later(() => show(link, false), SOON);
});
document.addEventListener('pointerout', (event) => {
  if (linkOf(event) && event.pointerType === 'mouse') later(hide, LATE);
});
document.addEventListener('focusin', (event) => {
  const link = linkOf(event);
  if (link?.matches(':focus-visible')) show(link, false);
});
document.addEventListener('focusout', (event) => {
  if (linkOf(event)) later(hide, LATE);
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hide();
});
document.addEventListener('pointerdown', (event) => {
  touching = event.pointerType !== 'mouse';
}, true);
// The first tap explains, the second follows the link; a tap elsewhere puts the words away.
document.addEventListener('click', (event) => {
  const link = linkOf(event);
  // A click of the keyboard counts no press.
  const touched = touching && event.detail > 0;
  if (link && touched && !(shown === link && bubble?.classList.contains('rl-told--touched'))) {
    event.preventDefault();
    event.stopPropagation();
    show(link, true);
  } else if (!(event.target instanceof Node && bubble?.contains(event.target))) {
    hide();
  }
}, true);
// A word that the keyboard reaches is often brought into view after it is told.
addEventListener('scroll', () => {
  if (!bubble || !shown || bubble.classList.contains('rl-told--touched')) return;
  if (shown === document.activeElement) place(bubble, shown);
  else hide();
}, {passive: true, capture: true});
// Without popovers a link keeps its title, which the browser shows its own way.
if ('popover' in HTMLElement.prototype) onPage(takeTitles);
