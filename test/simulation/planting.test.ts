import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PLANTED } from './planted.ts';
import { plant } from './planting.ts';

test('each planted fault has its place in the source, and changes it', () => {
  for (const fault of PLANTED) {
    const source = readFileSync(fault.file, 'utf8');
    assert.notEqual(plant(fault, source), source, fault.name);
  }
});
