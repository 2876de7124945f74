import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { needsFfmpeg, newFolder, workFolder } from '../../../test/support/videos.ts';
import { findConfinement, limitsPrefix } from './confinement.ts';
import { runProgram } from './process.ts';

const ffmpeg = String(process.env.TEST_FFMPEG);
const run = async (
  command: string[],
  folder: string,
  { wallMs = 30_000, cpuSeconds }: { wallMs?: number; cpuSeconds?: number } = {},
) => {
  const lines: string[] = [];
  const outcome = await runProgram({
    ...{ command, folder, wallMs, cpuSeconds, signal: new AbortController().signal },
    onLine: (line) => lines.push(line) > 0,
  });
  return { ...outcome, lines };
};

test('a confined program has limits and no network, privileges or environment', needsFfmpeg, async (t) => {
  process.env.SECRET_OF_THE_TEST = 'must not be seen';
  const root = workFolder();
  // Like the programs' folders: others can traverse it, only we can read it.
  const confinement = findConfinement(ffmpeg, root);
  const limits = limitsPrefix({ niceness: 5, threads: 1, cpuSeconds: 100 }, confinement);
  const script =
    'id -u; ls /sys/class/net 2>/dev/null | wc -l; cut -d: -f1 /proc/net/dev | tail -n +3; env; ulimit -a';
  const { code, lines } = await run([...limits, ...confinement.prefix, 'sh', '-c', script], '/');
  assert.equal(code, 0);
  const text = lines.join('\n');
  assert.doesNotMatch(text, /SECRET_OF_THE_TEST|TEST_FFMPEG/);
  if (confinement.account) assert.equal(lines[0], String(confinement.account.uid));
  if (confinement.prefix.includes('unshare')) assert.doesNotMatch(text, /^\s*(eth|ens|enp|wlan)/m);
  else t.diagnostic('this system allows no network namespace');
  if (confinement.hasLimits) assert.match(text, /nofiles.* 256|open files.* 256/);
});

test('a program that takes too long or makes no progress is killed', async () => {
  const folder = newFolder();
  assert.equal((await run(['sleep', '60'], folder, { wallMs: 200 })).endedBy, 'wall limit');
  const silent = await runProgram({
    ...{
      command: ['sh', '-c', 'while :; do echo same; sleep 0.05; done'],
      folder,
      wallMs: 60_000,
      stallMs: 500,
    },
    ...{ signal: new AbortController().signal, onLine: () => false },
  });
  assert.equal(silent.endedBy, 'stall limit');
});

test('a program that was killed reports the signal', async () => {
  const killed = await run(['sh', '-c', 'kill -KILL $$'], newFolder());
  assert.deepEqual([killed.code, killed.ending], [null, 'was killed by SIGKILL']);
});

test('a program that an operator interrupts has not reached its limit', async () => {
  for (const code of ['255', '123']) {
    const outcome = await run(['sh', '-c', `exit ${code}`], newFolder(), { cpuSeconds: 30 });
    assert.deepEqual([outcome.endedBy, outcome.code], ['itself', Number(code)]);
  }
});

test('a program that has used its CPU time reports that limit', async () => {
  const limits = limitsPrefix({ niceness: 0, threads: 1, cpuSeconds: 1 }, { hasLimits: true });
  const command = [...limits, 'sh', '-c', 'while :; do :; done'];
  const { endedBy } = await run(command, newFolder(), { cpuSeconds: 1 });
  assert.equal(endedBy, 'CPU limit');
});

test('a program that floods its output is killed', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'x'));
  assert.equal((await run(['sh', '-c', 'yes'], join(folder, 'x'))).endedBy, 'too much output');
});
