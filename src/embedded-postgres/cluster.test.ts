import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { until } from '../../test/support/live.ts';
import { runningClusterUrl, startCluster } from './cluster.ts';
import { isPostmasterOf } from './postmaster-file.ts';

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

test('a process that ends in any way but kill -9 leaves no PostgreSQL behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const module = pathToFileURL(join(import.meta.dirname, 'cluster.ts')).href;
  const program = `import { startCluster } from ${JSON.stringify(module)};
    const { pid } = await startCluster({ folder: ${JSON.stringify(folder)} });
    console.log(pid);
    process.exit(1);`;
  const [, ...printed] = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  }).output;
  const pid = Number(printed[0]);
  assert.ok(pid > 0, printed.join(''));
  try {
    await until(() => !isPostmasterOf(join(folder, 'data'), pid), 'the end of PostgreSQL');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a start says why PostgreSQL exits, after a few seconds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  try {
    await (await startCluster({ folder })).stop();
    writeFileSync(join(folder, 'data', 'PG_VERSION'), '9\n');
    await assert.rejects(startCluster({ folder, retryMs: 300 }), {
      name: 'OperatorFault',
      message: /did not start.*database files are incompatible with server/s,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a PostgreSQL that is starting has no URL before its file says where its socket is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  const directory = join(folder, 'data');
  mkdirSync(directory);
  const starting = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', directory]);
  try {
    const lines = [starting.pid, directory, '1700000000', '5432'];
    await until(() => isPostmasterOf(directory, starting.pid as number), 'a process of this directory');
    writeFileSync(join(directory, 'postmaster.pid'), lines.join('\n'));
    assert.equal(runningClusterUrl(folder, 'platform'), undefined);
    writeFileSync(join(directory, 'postmaster.pid'), [...lines, '/run/sockets', ''].join('\n'));
    assert.match(runningClusterUrl(folder, 'platform') ?? '', /host=%2Frun%2Fsockets/);
  } finally {
    starting.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
