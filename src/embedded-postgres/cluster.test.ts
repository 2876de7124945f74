import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCluster } from './cluster.ts';

test('a first start succeeds while the initdb of one that was killed still writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const former = join(folder, 'data.partial');
  const writing = setInterval(() => {
    mkdirSync(former, { recursive: true });
    writeFileSync(join(former, 'postgresql.conf'), '');
  }, 1);
  try {
    const cluster = await startCluster({ folder });
    await cluster.stop();
    clearInterval(writing);
    assert.ok(readdirSync(folder).includes('data'));
  } finally {
    clearInterval(writing);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a first start removes what interrupted ones have left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  for (const name of ['data.partial', 'data.partial-0f0f0f0f'])
    mkdirSync(join(folder, name, 'base'), { recursive: true });
  try {
    const cluster = await startCluster({ folder });
    await cluster.stop();
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('data')),
      ['data'],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
