import type { Chain } from './packed.store.ts';

const PERSON_RANGE = 2 ** 31;
/** Later than any event of an hour. */
const NEVER = 2 ** 31 - 1;
/** Reading so many events takes some milliseconds. */
const EVENTS_AT_ONCE = 100_000;

interface FunnelStatesOptions {
  /** The steps, from 0, of each event name by its number. */
  stepsOf: ReadonlyMap<number, number[]>;
  steps: number;
  /** Maximum time from the first step to the last. */
  windowMs: number;
  /** Only events from here count, and those before `toMs`. */
  fromMs: number;
  toMs: number;
  /** Only members with these numbers count: `members` of them from `firstMember` on. */
  firstMember: number;
  members: number;
}

/** Pairs of an instant within the hour and a member's number, in the order of time. */
const pairsOf = (chain: Buffer): Int32Array => {
  const pairs = new Int32Array(chain.length / 4);
  // The database sends the most significant byte first.
  const bytes = Buffer.from(pairs.buffer);
  bytes.set(chain);
  bytes.swap32();
  return pairs;
};

/** Merges several lists of pairs, as of names that are one step, into one in the order of time. */
function merged(lists: Int32Array[]): Int32Array {
  if (lists.length === 1) return lists[0] as Int32Array;
  const codes = new Float64Array(lists.reduce((sum, { length }) => sum + length / 2, 0));
  let place = 0;
  for (const list of lists)
    for (let at = 0; at < list.length; at += 2)
      codes[place++] = (list[at] as number) * PERSON_RANGE + (list[at + 1] as number);
  codes.sort();
  const pairs = new Int32Array(codes.length * 2);
  codes.forEach((code, number) => {
    pairs[2 * number] = Math.floor(code / PERSON_RANGE);
    pairs[2 * number + 1] = code % PERSON_RANGE;
  });
  return pairs;
}

/** Returns the place of the smallest number, the first of several. */
function earliestOf(instants: Int32Array): number {
  let earliest = 0;
  for (let place = 1; place < instants.length; place++)
    if ((instants[place] as number) < (instants[earliest] as number)) earliest = place;
  return earliest;
}

/**
 * Tracks how far members got in a funnel, from their events in order of time. For each step it suffices to know the
 * latest start of a chain that reached it, because whatever continues a chain with an earlier start continues that
 * one, too.
 */
export function funnelStates(options: FunnelStatesOptions) {
  const { stepsOf, steps, windowMs, fromMs, toMs, firstMember, members } = options;
  const began = new Float64Array(members * steps).fill(Number.NEGATIVE_INFINITY);
  const depths = new Uint8Array(members);

  /** The events of an hour by step, later steps first. */
  function streamsOf(chains: Chain[]): { step: number; pairs: Int32Array }[] {
    const lists = Array.from({ length: steps }, (): Int32Array[] => []);
    for (const { name, chain } of chains) {
      const pairs = pairsOf(chain);
      for (const step of stepsOf.get(name) ?? []) lists[step]?.push(pairs);
    }
    return lists
      .flatMap((ofStep, step) => (ofStep.length === 0 ? [] : [{ step, pairs: merged(ofStep) }]))
      .reverse();
  }

  function reach(member: number, step: number, atMs: number): void {
    if (member < 0 || member >= members || atMs < fromMs || atMs >= toMs) return;
    const state = member * steps + step;
    if (step === 0) began[state] = atMs;
    else {
      const beganAt = began[state - 1] as number;
      if (atMs - beganAt > windowMs) return;
      began[state] = beganAt;
    }
    if ((depths[member] as number) <= step) depths[member] = step + 1;
  }

  /**
   * Adds the events of an hour, which must be later than all before; yields in between, so that the process can do other
   * work. At one instant later steps come first: no event follows itself or another of the same instant.
   */
  function* add(hourMs: number, chains: Chain[]): Generator<void> {
    const streams = streamsOf(chains);
    const places = streams.map(() => 0);
    const next = Int32Array.from(streams, ({ pairs }) => pairs[0] ?? NEVER);
    for (let count = 1; ; count++) {
      const stream = earliestOf(next);
      const at = next[stream] ?? NEVER;
      if (at === NEVER) return;
      const { step, pairs } = streams[stream] as { step: number; pairs: Int32Array };
      const place = places[stream] as number;
      places[stream] = place + 2;
      next[stream] = pairs[place + 2] ?? NEVER;
      reach((pairs[place + 1] as number) - firstMember, step, hourMs + at);
      if (count % EVENTS_AT_ONCE === 0) yield;
    }
  }

  return {
    add,
    /** Returns the number of members by the furthest step that they reached. */
    depths(): { depth: number; members: number }[] {
      const counts = new Array<number>(steps + 1).fill(0);
      for (const depth of depths) counts[depth] = (counts[depth] as number) + 1;
      return counts.map((count, depth) => ({ depth, members: count })).slice(1);
    },
  };
}
