// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import {decode, encode, format, parse} from '../../calculators/web/share-address.js';

test('calculators keep apart, and what comes first is somebody else’s', () => {
  const query = parse('?h=jet&c=jeu/un&trait=1&dice=[5,4]&c=jeu/deux&n=3');
  assert.deepEqual(query.own, [['h', 'jet']]);
  assert.deepEqual(query.calculators.get('jeu/un'), [['trait', '1'], ['dice', '[5,4]']]);
  assert.deepEqual(query.calculators.get('jeu/deux'), [['n', '3']]);
});

test('what is written is read again', () => {
  const values = {trait: -1, name: 'É & [x]=1+1', dice: [5, 4], hidden: true, map: {a: 1}, none: null};
  const search = format({own: [['h', 'jet']], calculators: new Map([['jeu/un', encode(values)]])});
  const kinds = {dice: 'list', hidden: 'boolean', map: 'map'};
  const read = parse(search).calculators.get('jeu/un') ?? [];
  const back = Object.fromEntries(read.map(([name, text]) => [name, decode(kinds[name], text)]));
  assert.deepEqual(back, {trait: '-1', name: 'É & [x]=1+1', dice: [5, 4], hidden: true, map: {a: 1}});
});

test('nothing to say is no query', () => {
  assert.equal(format({own: [], calculators: new Map()}), '');
});

test('a mangled value is not a value', () => {
  assert.equal(decode('list', '[5,'), undefined);
});
