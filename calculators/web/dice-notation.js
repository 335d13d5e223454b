// @ts-check
// Finding dice like 2D6 or 1d8+8 in a sentence.

// One kind of dice and a bonus, as the rules can roll it. A minus sign must touch its number unless it is
// the typographic one: else it is a dash of the sentence.
const ROLL = String.raw`\d{0,2}[dD][1-9]\d{0,2}(?:(?:\s?[+−]\s?|-)\d{1,3}(?![\p{L}\p{N}]))?`;
const BEFORE = String.raw`(?<![\p{L}\p{N}_.,])`;
// No word goes on, nothing is multiplied.
const AFTER = String.raw`(?![\p{L}\p{N}_]|[.,]\d|\s?[×*/]\s?\d+(?![dD\d]))`;
// The lookahead with its group keeps the longest match whole, so that "1D6+2 × 3" is not taken for 1D6.
const DICE = new RegExp(`${BEFORE}(?=(${ROLL}))\\1${AFTER}`, 'gu');

/** The pieces of *text*, the dice at the odd places.
 * @param {string} text @returns {string[]} */
export function split(text) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(DICE)) {
    pieces.push(text.slice(end, match.index), match[0]);
    end = match.index + match[0].length;
  }
  return [...pieces, text.slice(end)];
}

/** *dice* as the rules write them: "1d8+8".
 * @param {string} dice */
export function plain(dice) {
  return dice.replace(/\s/g, '').replace(/−/g, '-').toLowerCase().replace(/(?<!\d)d/g, '1d');
}
