// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {plain, split} from '../../calculators/web/dice-notation.js';

/** @param {string} text */
const found = text => split(text).filter((_, index) => index % 2);

test('dice of a sentence are found with their bonus', () => {
  assert.deepEqual(found('Lancez 2D6 + 3 puis 1d8+8.'), ['2D6 + 3', '1d8+8']);
  assert.deepEqual(found('3d6−1, d’1D6 ; (D4)'), ['3d6−1', '1D6', 'D4']);
  assert.deepEqual(found('1D4/1D6 ou 2D6 + 1D4'), ['1D4', '1D6', '2D6', '1D4']);
});

test('a dash is not a minus, and words are not bonuses', () => {
  assert.deepEqual(found('2D6 - 3 joueurs, 2D6+Trait, 1D6/tour'), ['2D6', '2D6', '1D6']);
});

test('what is part of a word, of a number or of a product is left alone', () => {
  assert.deepEqual(found('AD6, 2D6x, D6s, D0, 3D, 1,2D6, 2D6 × 10, 2D6+1 × 10, 1D6 * 2'), []);
});

test('the pieces put together are the text', () => {
  const text = 'Un D20, puis 2D6+1 : 3D.';
  assert.equal(split(text).join(''), text);
});

test('dice are written plainly for the rules', () => {
  assert.deepEqual(['D4', '2D6 + 3', '3d6−1'].map(plain), ['1d4', '2d6+3', '3d6-1']);
});
