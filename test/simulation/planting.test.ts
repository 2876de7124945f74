import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PLANTED } from './planted.ts';
import { plant } from './planting.ts';

test('the text that each planted fault replaces is in the source exactly once', () => {
  for (const fault of PLANTED) {
    const source = readFileSync(fault.file, 'utf8');
    assert.notEqual(plant(fault, source), source, fault.name);
  }
});
