// Variants measured in turns, so that other load on the machine affects all of them equally.
import { cpuUs, cpuWithChildrenUs, cpuWithEndedUs } from './cpu.ts';
import type { LoadResult } from './load.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
export const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
/** Enough for connections to open; the programs were warmed up by an unmeasured first turn. */
export const WARM_UP_SECONDS = 0.5;

/** One turn of one variant. */
export interface Turn {
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** CPU per request, in microseconds. */
  cpuUs?: Cpu;
}

interface Cpu {
  server: number;
  postgres: number;
  generator: number;
}

export interface Variant {
  /** Prepares a turn and cleans up after it, both unmeasured. */
  before?(): Promise<void>;
  after?(): Promise<void>;
  /** Runs one turn; an answer with a status other than 2xx ends the benchmark. */
  run(): Promise<Omit<LoadResult, 'statuses'> | { perSecond: number; answered: number }>;
  /** Returns the process whose CPU counts as the generator's, by default this one; called during the turn. */
  generatorPid?(): number;
  /** The process whose CPU counts as the server's, or several. */
  serverPid?: number | number[];
  /** The PostgreSQL whose CPU counts, if it differs from that of the other variants; 0 if there is none. */
  postmasterPid?: number;
  /** Processes to stop during the turn, because their backlog would cost this variant CPU. */
  stopped?: number[];
}

/** The turns of each variant; a missing variant has none. */
export type TurnsOf<Variants> = {
  [Name in keyof Variants]: undefined extends Variants[Name] ? Turn[] | undefined : Turn[];
};
export type Variants = Record<string, Variant | undefined>;

/** Runs each variant once per round, in reverse order every other round. */
export async function interleave<V extends Variants>(
  variants: V,
  { postmasterPid, title }: { postmasterPid: number; title: string },
): Promise<TurnsOf<V>> {
  const present = Object.entries(variants).filter((pair): pair is [string, Variant] => pair[1] !== undefined);
  const turns = new Map<string, Turn[]>(present.map(([name]) => [name, []]));
  for (const [, variant] of present) await turnOf(variant, postmasterPid);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, variant] of round % 2 ? present : present.toReversed())
      turns.get(name)?.push(await turnOf(variant, postmasterPid));
    const figures = [...turns].map(([name, of]) => `${name} ${rate((of.at(-1) as Turn).perSecond)}`);
    console.error(`${title}, round ${round} of ${ROUNDS}: ${figures.join(', ')}`);
  }
  return Object.fromEntries(turns) as unknown as TurnsOf<V>;
}

async function turnOf(
  { before: prepare, after: settle, run, generatorPid, serverPid, stopped = [], ...own }: Variant,
  sharedPostmasterPid: number,
): Promise<Turn> {
  const { postmasterPid = sharedPostmasterPid } = own;
  const now = (): Cpu => ({
    server: [serverPid ?? []].flat().reduce((sum, pid) => sum + cpuUs(pid), 0),
    postgres: postmasterPid === 0 ? 0 : cpuWithChildrenUs(postmasterPid),
    generator: cpuWithEndedUs(generatorPid?.() ?? process.pid),
  });
  await prepare?.();
  for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  try {
    const before = now();
    const result = await run();
    const after = now();
    const each = (part: keyof Cpu) => (after[part] - before[part]) / result.answered;
    return {
      ...result,
      cpuUs: { server: each('server'), postgres: each('postgres'), generator: each('generator') },
    };
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await settle?.();
  }
}

export const median = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle) - 1] as number)) / 2;
};

export const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en-US')}/s`;

/** Returns `server + PostgreSQL + generator` CPU per request, as medians over the rounds. */
export function cpuText(turns: Turn[]): string {
  const of = (part: keyof Cpu) => Math.round(median(turns.map(({ cpuUs }) => cpuUs?.[part] ?? 0)));
  return `${of('server')} + ${of('postgres')} + ${of('generator')}`;
}
