import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../kernel/replace-file.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { keep } from '../keeping.ts';

export const MODES = [
  'ok',
  'fail',
  'hang',
  'nonsense',
  'unknown-user',
  'session-expired',
  'denied',
  'limit',
  'lost',
  'failed-late',
  'late',
  'odd',
  'partial',
  'empty',
  'endless',
] as const;
export type Mode = (typeof MODES)[number];

interface Entry {
  username: string;
  created: string;
}

type Change =
  | { do: 'mode'; mode: Mode }
  | { do: 'add'; pineId: string; username: string; at: string }
  | { do: 'remove'; pineId: string; username: string }
  | { do: 'replace'; holders: Record<string, string[]>; at: string };

/**
 * Returns the state of the charting platform. If a file is named, changes are journaled there before a call is
 * answered, so that the state survives restarts.
 */
export function chartingState(file: string | undefined, clock: Pick<Clock, 'date'>) {
  /** Holders by script, then by handle in lower case. */
  const holders = new Map<string, Map<string, Entry>>();
  let mode: Mode = 'ok';

  const of = (pineId: string): Map<string, Entry> => {
    const entries = holders.get(pineId) ?? new Map<string, Entry>();
    holders.set(pineId, entries);
    return entries;
  };
  function apply(change: Change): void {
    if (change.do === 'mode') mode = change.mode;
    else if (change.do === 'add')
      of(change.pineId).set(change.username.toLowerCase(), { username: change.username, created: change.at });
    else if (change.do === 'remove') of(change.pineId).delete(change.username.toLowerCase());
    else {
      holders.clear();
      for (const [pineId, names] of Object.entries(change.holders))
        for (const username of names)
          of(pineId).set(username.toLowerCase(), { username, created: change.at });
    }
  }
  const asObject = (): Record<string, string[]> =>
    Object.fromEntries(
      [...holders]
        .filter(([, entries]) => entries.size > 0)
        .map(([pineId, entries]) => [pineId, [...entries.values()].map(({ username }) => username)]),
    );

  const now = () => clock.date().toISOString();
  if (file && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        if (line !== '') apply(JSON.parse(line) as Change);
      } catch {
        // The last line may be truncated by a kill.
      }
    }
    const whole: Change[] = [
      { do: 'mode', mode },
      { do: 'replace', holders: asObject(), at: now() },
    ];
    const journal = whole.map((change) => `${JSON.stringify(change)}\n`).join('');
    keep(file, () => replaceFile(file, journal, { mode: 0o600 }));
  }
  function change(one: Change): void {
    apply(one);
    if (file) keep(file, () => appendFileSync(file, `${JSON.stringify(one)}\n`, { mode: 0o600 }));
  }

  return {
    mode: () => mode,
    setMode: (next: Mode) => change({ do: 'mode', mode: next }),
    holders: asObject,
    entriesOf: (pineId: string): Entry[] => [...(holders.get(pineId)?.values() ?? [])],
    has: (pineId: string, username: string): boolean =>
      holders.get(pineId)?.has(username.toLowerCase()) ?? false,
    add: (pineId: string, username: string) => change({ do: 'add', pineId, username, at: now() }),
    remove: (pineId: string, username: string) => change({ do: 'remove', pineId, username }),
    replace: (next: Record<string, string[]>) => change({ do: 'replace', holders: next, at: now() }),
  };
}

export type ChartingState = ReturnType<typeof chartingState>;
