// `npm run bench:compare -- <folder of another worktree>...`: transfers, a mixed load and history of this worktree and
// others, in turns, each with its own database. `NAME=value,NAME=value` in place of a folder is this worktree with these
// settings. BENCH_KINDS names the loads. On a shared machine, compare CPU rather than rates.
import { LOADS } from './loads.ts';
import { cpuText, interleave, median, rate } from './paired.ts';
import { loadOnce } from './scene.ts';
import { startVersions } from './versions.ts';

const KINDS = (process.env.BENCH_KINDS ?? 'transfers,hot,mixed,history').split(',');

const versions = await startVersions(['.', ...process.argv.slice(2)]);
try {
  const rows = [];
  for (const kind of KINDS) {
    const prepare = LOADS[kind];
    if (!prepare) throw new Error(`no load is called ${kind}; there are ${Object.keys(LOADS).join(', ')}`);
    const nexts = await versions.each(prepare);
    const variants = versions.variants(({ url }, place) => loadOnce(url, 32, nexts[place] as () => Buffer));
    const turns = await interleave(variants, { title: kind, postmasterPid: 0 });
    const own = turns['.'] ?? [];
    for (const [version, of = []] of Object.entries(turns)) {
      const ratios = own.map(({ perSecond }, round) => perSecond / (of[round]?.perSecond ?? Number.NaN));
      rows.push({
        kind,
        version,
        rate: rate(median(of.map(({ perSecond }) => perSecond))),
        'CPU us (server + PostgreSQL + generator)': cpuText(of),
        'p99 ms': median(of.map(({ p99Ms = 0 }) => p99Ms)).toFixed(1),
        'ours, times this': `${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
      });
    }
  }
  console.table(rows);
} finally {
  await versions.stop();
}
