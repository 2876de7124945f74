import type pg from 'pg';
import { wordOf } from './analytics-data.ts';
import { fts5, runFor } from './analytics-fts5.ts';
import { searchPath, startGroonga } from './analytics-groonga.ts';
import type { Fixture } from './fixture.ts';
import { load, request } from './load.ts';
import { interleave, median, rate, SECONDS, type Turn, type Variants, WARM_UP_SECONDS } from './paired.ts';

interface SearchDeps {
  client: pg.Client;
  fixture: Fixture;
  headers: Record<string, string>;
  record: (what: string, ours: string, beside: string, limit?: string) => void;
  /** Whether others are measured too. */
  isBeside: boolean;
}

/** Number of concurrent clients in the second measurement of each kind of search. */
const CLIENTS = 20;
const RESULTS = 20;
const SUGGESTIONS = 10;

interface Kind {
  what: string;
  limit: string;
  /** Returns words of any frequency. */
  words: () => string;
  ours: (words: string) => string;
  /** Missing where Groonga would collect every document with a word that begins so, which takes over a second. */
  groonga?: (words: string) => string;
  fts5: (words: string) => [query: string, limit: number];
}

const word = () => wordOf(Math.random());
const KINDS: Kind[] = [
  {
    what: 'search, words by their frequency',
    limit: 'p99 50 ms',
    words: word,
    ours: (words) => `/v1/search?q=${words}&page=2`,
    groonga: (words) => searchPath(words, RESULTS),
    fts5: (words) => [words, RESULTS],
  },
  {
    what: 'search, two words',
    limit: 'p99 50 ms',
    words: () => `${word()} ${word()}`,
    ours: (words) => `/v1/search?q=${words.replace(' ', '+')}`,
    groonga: (words) => searchPath(words, RESULTS),
    fts5: (words) => [words, RESULTS],
  },
  {
    what: 'suggestions',
    limit: 'p99 10 ms',
    words: () => word().slice(0, 1 + Math.floor(Math.random() * 6)),
    ours: (words) => `/v1/search/suggestions?q=${words}`,
    fts5: (words) => [`title: ${words}*`, SUGGESTIONS],
  },
];

/** Measures searches by one client and by many at once, beside Groonga over HTTP and FTS5 in process, in turns. */
export async function searching({ client, fixture, headers, record, isBeside }: SearchDeps): Promise<void> {
  const groonga = isBeside ? await startGroonga(client) : 'not measured';
  const inProcess = isBeside ? await fts5(client) : undefined;
  const over = async (url: string, connections: number, next: () => Buffer, closes = false) => {
    const options = { url, connections, seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS, closes, next };
    const { statuses, ...result } = await load(options);
    if (Object.keys(statuses).some((status) => status !== '200')) throw new Error(JSON.stringify(statuses));
    return result;
  };
  const variantsOf = (kind: Kind, clients: number): Variants => {
    const ours = () => request('GET', kind.ours(kind.words()), headers);
    const variants: Variants = {
      ours: { run: () => over(fixture.url, clients, ours), serverPid: fixture.pid },
    };
    const { groonga: pathOf } = kind;
    if (typeof groonga !== 'string' && pathOf) {
      const { url, pid } = groonga;
      const next = () => request('GET', pathOf(kind.words()), {});
      variants.Groonga = { run: () => over(url, clients, next, true), serverPid: pid };
    }
    if (inProcess && clients === 1)
      variants['FTS5 in process'] = {
        run: async () => runFor(SECONDS, () => inProcess(...kind.fts5(kind.words()))),
        serverPid: process.pid,
      };
    return variants;
  };
  try {
    for (const kind of KINDS)
      for (const clients of [1, CLIENTS]) {
        const what = clients === 1 ? kind.what : `${kind.what}, ${clients} clients`;
        const turns = await interleave(variantsOf(kind, clients), {
          postmasterPid: fixture.postmasterPid,
          title: what,
        });
        const [ours, ...others] = Object.entries(turns).map(([name, of]) => `${name}: ${textOf(of ?? [])}`);
        const lacking = typeof groonga === 'string' && kind.groonga ? [`Groonga: ${groonga}`] : [];
        record(what, (ours as string).replace('ours: ', ''), [...others, ...lacking].join('; '), kind.limit);
      }
  } finally {
    if (typeof groonga !== 'string') await groonga.stop();
  }
}

/** Medians over the rounds; CPU is that of the server and of PostgreSQL. */
function textOf(turns: Turn[]): string {
  const of = (figure: (turn: Turn) => number | undefined) => median(turns.map((turn) => figure(turn) ?? 0));
  const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  const us = (value: number): string => Math.round(value).toLocaleString('en-US');
  const cpu = `${us(of(({ cpuUs }) => cpuUs?.server))} + ${us(of(({ cpuUs }) => cpuUs?.postgres))} us`;
  return `${rate(of(({ perSecond }) => perSecond))}, p50 ${ms(of(({ p50Ms }) => p50Ms))}, p99 ${ms(of(({ p99Ms }) => p99Ms))}, CPU ${cpu}`;
}
