// `npm run bench:gate [-- <commit> [<load> ...]]`: has anything become more expensive since the last release? Eight loads, or
// those that are named, on this worktree and on that commit (by default the newest tag; the branch `main` if there is none),
// in turns, each with its own database. All take some ten minutes on two idle cores. It fails if a request of any load needs
// over 5 % more CPU.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drain } from './backlog.ts';
import { LOADS } from './loads.ts';
import { interleave, median, type Turn } from './paired.ts';
import { loadOnce } from './scene.ts';
import { startVersions, type Versions } from './versions.ts';

/** The part by which a request may need more CPU. */
const ALLOWED = 0.05;

/** Hashing a password is most of a sign-in, and differs more from turn to turn than what is looked for here. */
const GATED = Object.keys(LOADS).filter((load) => load !== 'sign-ins');

interface Compared {
  load: string;
  'CPU before, us': number;
  'CPU now, us': number;
  ratio: string;
  isDearer: boolean;
}

const [commit = lastRelease(), ...named] = process.argv.slice(2);
const loads = named.length > 0 ? named : GATED;
const unknown = loads.filter((load) => !(load in LOADS));
if (unknown.length > 0)
  throw new Error(`There is no load ${unknown.join(', ')}; there are ${Object.keys(LOADS).join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'platform-gate-'));
const before = join(folder, 'before');
git('worktree', 'add', '--detach', before, commit);
try {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: before,
    stdio: 'inherit',
  });
  const versions = await startVersions(['.', before]);
  try {
    process.exitCode = (await isCheapEnough(versions)) ? 0 : 1;
  } finally {
    await versions.stop();
  }
} finally {
  git('worktree', 'remove', '--force', before);
  rmSync(folder, { recursive: true, force: true });
}

/** A load that seems dearer is measured once more, since other programs of the machine may have caused it. */
async function isCheapEnough(versions: Versions): Promise<boolean> {
  const rows: Compared[] = [];
  for (const load of loads) {
    const first = await measure(versions, load);
    rows.push(first.isDearer ? await measure(versions, load) : first);
  }
  console.table(rows.map(({ isDearer, ...row }) => ({ ...row, verdict: isDearer ? 'DEARER' : 'ok' })));
  const dearer = rows.filter(({ isDearer }) => isDearer).map(({ load }) => load);
  console.log(
    dearer.length === 0
      ? `No load needs over ${100 * ALLOWED} % more CPU a request than at ${commit}.`
      : `Needs over ${100 * ALLOWED} % more CPU a request than at ${commit}: ${dearer.join(', ')}.`,
  );
  return dearer.length === 0;
}

/** What a load leaves to be done, such as notifications, counts as a part of its requests. */
async function measure(versions: Versions, load: string): Promise<Compared> {
  const nexts = await versions.each(async (fixture) => {
    await fixture.renewTokens();
    return LOADS[load]?.(fixture);
  });
  const variants = versions.variants(async (fixture, place) => {
    const result = await loadOnce(fixture.url, 32, nexts[place] as () => Buffer);
    await drain(fixture);
    return result;
  });
  const turns = await interleave(variants, { title: load, postmasterPid: 0 });
  const [now, then] = [turns['.'] as Turn[], turns[before] as Turn[]];
  const ratios = now.map((turn, round) => cpuOf(turn) / cpuOf(then[round] as Turn));
  return {
    load,
    'CPU before, us': Math.round(median(then.map(cpuOf))),
    'CPU now, us': Math.round(median(now.map(cpuOf))),
    ratio: `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    isDearer: median(ratios) > 1 + ALLOWED,
  };
}

/** Of the server and PostgreSQL, for a request, in microseconds. */
function cpuOf({ cpuUs }: Turn): number {
  return (cpuUs?.server ?? 0) + (cpuUs?.postgres ?? 0);
}

function lastRelease(): string {
  try {
    return git('describe', '--tags', '--abbrev=0');
  } catch {
    return 'main';
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
