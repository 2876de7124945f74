// `npm run bench:compare -- <folder of another worktree>...`: transfers, a mixed load and history of this worktree and
// others, in turns, each with its own database. `NAME=value,NAME=value` in place of a folder is this worktree with these settings. On a shared machine, compare CPU rather than rates.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { startFixture } from './fixture.ts';
import { cpuText, interleave, median, rate, type Variant } from './paired.ts';
import { loadOnce, MEMBERS, requestsOf } from './scene.ts';

const folders = ['.', ...process.argv.slice(2)];
const KINDS = (process.env.BENCH_KINDS ?? 'uniform,hot,mixed,history').split(',');

const fixtures = [];
for (const folder of folders) {
  console.error(`${folder} starts`);
  fixtures.push(await startFixture(MEMBERS, variantOf(folder)));
  process.kill(fixtures.at(-1)?.pid as number, 'SIGSTOP');
}
try {
  const rows = [];
  for (const kind of KINDS) {
    const variants: Record<string, Variant & { postmasterPid: number }> = {};
    for (const [place, fixture] of fixtures.entries()) {
      const requests = requestsOf(fixture);
      const next = {
        uniform: requests.uniformTransfer,
        hot: requests.transferToHot,
        mixed: requests.mixed,
        history: requests.history,
      }[kind];
      if (!next) throw new Error(`no kind is called ${kind}`);
      variants[folders[place] as string] = {
        run: async () => {
          process.kill(fixture.pid, 'SIGCONT');
          try {
            return await loadOnce(fixture.url, 32, next);
          } finally {
            process.kill(fixture.pid, 'SIGSTOP');
          }
        },
        serverPid: fixture.pid,
        postmasterPid: fixture.postmasterPid,
      };
    }
    const turns = await interleave(variants, { title: kind, postmasterPid: 0 });
    const own = turns['.'] ?? [];
    for (const [folder, of = []] of Object.entries(turns)) {
      const ratios = own.map(({ perSecond }, round) => perSecond / (of[round]?.perSecond ?? Number.NaN));
      rows.push({
        kind,
        folder,
        rate: rate(median(of.map(({ perSecond }) => perSecond))),
        'CPU us (server + PostgreSQL + generator)': cpuText(of),
        'p99 ms': median(of.map(({ p99Ms = 0 }) => p99Ms)).toFixed(1),
        'ours, times this': `${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
      });
    }
  }
  console.table(rows);
} finally {
  for (const fixture of fixtures) {
    process.kill(fixture.pid, 'SIGCONT');
    await fixture.stop();
  }
}

/** Returns the program and the settings of a variant. */
function variantOf(text: string) {
  if (!text.includes('=')) return { program: programOf(text) };
  return { environment: Object.fromEntries(text.split(',').map((pair) => pair.split('='))) };
}

/** Returns the entry point of a worktree, which had another name until version 0.1. */
function programOf(folder: string): string {
  const [now, before] = ['src/main.js', 'src/main.ts'].map((file) => resolve(folder, file)) as [
    string,
    string,
  ];
  return existsSync(now) ? now : before;
}
