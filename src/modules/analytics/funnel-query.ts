import { setImmediate as breathe } from 'node:timers/promises';
import type { Queries } from '../../kernel/database/queries.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import { funnelStore } from './funnel.store.ts';
import { funnelStates } from './funnel-states.ts';
import type { Source } from './names.model.ts';
import { type Chain, type CountedHour, packedStore } from './packed.store.ts';
import type { Span } from './spans.model.ts';

/** Parameters of a funnel query; the end is excluded. */
export interface FunnelQuestion {
  eventSequence: string[];
  source: Source;
  from: Date;
  to: Date;
  windowMs: number;
}

type Depths = { depth: number; members: number }[];

/** Maximum number of events that are read at once: some megabytes, and some tens of milliseconds. */
const PACKED_AT_ONCE = 200_000;
const UNPACKED_AT_ONCE = 50_000;
/** Members and steps whose state is held at once: 64 megabytes. More members are read in several passes. */
const MAX_STATES = 8_000_000;
const MAX_FUNNEL_MS = MINUTE_MS;

/** Consecutive hours that are read by one statement. */
interface Portion extends Span {
  isPacked: boolean;
}

/** Divides hours into portions of limited size, each either packed or not. */
function portionsOf(hours: CountedHour[]): Portion[] {
  const portions: (Portion & { events: number })[] = [];
  for (const { hourMs, events, isPacked } of hours) {
    const last = portions.at(-1);
    const to = new Date(hourMs + HOUR_MS);
    const limit = isPacked ? PACKED_AT_ONCE : UNPACKED_AT_ONCE;
    if (last?.isPacked === isPacked && last.events + events <= limit) {
      last.to = to;
      last.events += events;
    } else portions.push({ from: new Date(hourMs), to, events, isPacked });
  }
  return portions;
}

/** Yields the events of each hour; reads the next portion while the caller works on one. */
async function* readHours(
  queries: Queries,
  portions: Portion[],
  names: number[],
): AsyncGenerator<[hourMs: number, chains: Chain[]]> {
  const read = async (portion: Portion | undefined): Promise<Chain[]> => {
    if (!portion) return [];
    return portion.isPacked
      ? packedStore.packedChains(queries, portion, names)
      : packedStore.chains(queries, portion, names);
  };
  let reading = read(portions[0]);
  for (let number = 1; number <= portions.length; number++) {
    const chains = await reading;
    reading = read(portions[number]);
    reading.catch(() => undefined); // reported when it is awaited
    yield* Map.groupBy(chains, ({ hourMs }) => hourMs);
  }
}

/**
 * Reads the events of the steps in order of time: packed events where they exist, otherwise the events themselves.
 * @returns the number of members by the furthest step that they reached
 * @throws 503 when it takes longer than a minute, or the reason of an aborted `signal`
 */
export async function funnelDepths(
  queries: Queries,
  { eventSequence, source, from, to, windowMs }: FunnelQuestion,
  signal: AbortSignal,
): Promise<Depths> {
  const untilMs = performance.now() + MAX_FUNNEL_MS;
  const steps = eventSequence.length;
  const numbered = await funnelStore.steps(queries, eventSequence, source);
  const stepsOf = new Map(
    [...Map.groupBy(numbered, ({ no }) => no)].map(([no, all]) => [no, all.map(({ step }) => step)]),
  );
  const names = [...stepsOf.keys()];
  const wholeHours = {
    from: new Date(Math.floor(from.getTime() / HOUR_MS) * HOUR_MS),
    to: new Date(Math.ceil(to.getTime() / HOUR_MS) * HOUR_MS),
  };
  const portions = portionsOf(await packedStore.hours(queries, wholeHours, names));
  const lastMember = await funnelStore.lastMember(queries);
  const all: Depths = [];
  const atOnce = Math.floor(MAX_STATES / steps);
  for (let firstMember = 1; firstMember <= lastMember; firstMember += atOnce) {
    const states = funnelStates({
      stepsOf,
      steps,
      windowMs,
      fromMs: from.getTime(),
      toMs: to.getTime(),
      firstMember,
      members: Math.min(atOnce, lastMember - firstMember + 1),
    });
    for await (const [hourMs, chains] of readHours(queries, portions, names)) {
      for (const _ of states.add(hourMs, chains)) await breathe();
      signal.throwIfAborted();
      if (performance.now() > untilMs) throw serviceUnavailable();
    }
    all.push(...states.depths());
  }
  return all;
}
