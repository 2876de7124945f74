import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchPatterns } from './searchable.ts';

test('a search is for parts of words, or for beginnings if it is short, without the spaces around it', () => {
  assert.deepEqual(searchPatterns('Ann'), ['%ann%']);
  assert.deepEqual(searchPatterns(' Ann\t'), ['%ann%']);
  assert.deepEqual(searchPatterns('An '), ['an%', '% an%']);
  assert.deepEqual(searchPatterns(' \t'), []);
  assert.deepEqual(searchPatterns('50%_\\'), ['%50\\%\\_\\\\%']);
});

test('spaces within a search are those of names, which are stored as they were typed', () => {
  for (const name of ['山田\u3000太郎', 'jean\u00a0luc', 'gold  silver'])
    assert.deepEqual(searchPatterns(name), [`%${name}%`]);
});

test('an e-mail address is looked for as it was typed and as it is stored', () => {
  assert.deepEqual(searchPatterns('Ann@Example.com '), ['%ann@example.com%']);
  assert.deepEqual(searchPatterns('ann@bücher.example'), [
    '%ann@bücher.example%',
    '%ann@xn--bcher-kva.example%',
  ]);
});
