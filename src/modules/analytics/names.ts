import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import type { Cache } from '../../kernel/distributed/cache.ts';
import { type RateWindow, secondsUntil } from '../../kernel/distributed/rate-limiter.ts';
import { tooManyRequests } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/time/time.ts';
import type { CandidateStore } from './candidates.store.ts';
import type { EventName, NumberedName } from './names.model.ts';
import type { NameStore } from './names.store.ts';
import { OTHER, type Vocabulary } from './vocabulary.ts';

export const tooManyNames = (retryAfterSeconds = 60) =>
  tooManyRequests('TOO_MANY_EVENT_NAMES', retryAfterSeconds);

/** Maximum number of unlisted names that one member may start to use within a day. */
const NEW_OF_MEMBER: RateWindow = { name: 'day', lengthMs: DAY_MS, limit: 200 };
/** How long a name that another process has listed may still be counted under `other`. */
const REFRESH_MS = MINUTE_MS / 6;
/** Maximum number of pairs of member and name that a process remembers as proposed. */
const MAX_REMEMBERED = 50_000;

interface NameDeps {
  store: Pick<NameStore, 'all' | 'enter'>;
  candidates: Pick<CandidateStore, 'unproposed' | 'propose'>;
  vocabulary: Vocabulary;
  cache: Pick<Cache, 'consume'>;
  clock: Clock;
}

/** The name under which an event is counted. */
export interface CountedName {
  no: number;
  /** The name and type that the client sent, if the event is counted under another name. */
  own: EventName | null;
}

export const keyOf = ({ name, type }: EventName): string => JSON.stringify([name, type]);

/**
 * The dictionary of event names: events store a number instead of the name. The first names that a member makes up are
 * listed at once, others once several members use them; until then their events are counted under `other` and store the
 * name themselves.
 */
export function nameRules({ store, candidates, vocabulary, cache, clock }: NameDeps) {
  const numbered = new Map<string, NumberedName>();
  const proposed = recentlyUsed<string, true>(MAX_REMEMBERED);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  /** Returns the name under which events with an unlisted name are counted; it is always in the dictionary. */
  const standInOf = ({ name, type }: EventName): EventName => ({
    name: vocabulary.names.has(name) ? name : OTHER,
    type: vocabulary.types.has(type) ? type : OTHER,
  });

  const learn = (names: NumberedName[]): void => {
    for (const one of names) numbered.set(keyOf(one), one);
  };
  /** Reads the dictionary, unless it was read recently; concurrent callers share one query. */
  async function refresh(): Promise<void> {
    if (clock.elapsedMs() - readAtMs < REFRESH_MS) return;
    reading ??= store
      .all()
      .then((names) => {
        learn(names);
        readAtMs = clock.elapsedMs();
      })
      .finally(() => {
        reading = undefined;
      });
    await reading;
  }

  /** Records that the member uses the names, and lists those that may be listed. @throws tooManyNames */
  async function propose(names: EventName[], userId: ObjectId): Promise<void> {
    const added = await candidates.unproposed(names, userId);
    if (added.length > 0) {
      const key = `analytics:names:${userId}`;
      const taken = await cache.consume(key, [NEW_OF_MEMBER], clock.now(), added.length);
      if (!taken.admitted) throw tooManyNames(secondsUntil(taken, clock.now()));
    }
    learn(await candidates.propose(names, userId, clock.date()));
  }

  return {
    standInOf,
    /** Adds the vocabulary to the dictionary. */
    prepare: (): Promise<void> => store.enter([...vocabulary.names, OTHER], [...vocabulary.types, OTHER]),

    /** Makes the next unknown name reload the dictionary; other processes reload it within seconds. */
    expire(): void {
      readAtMs = Number.NEGATIVE_INFINITY;
    },

    /**
     * Returns the names under which events of these names are counted, in the same order.
     * @throws tooManyNames if the member uses too many new ones
     */
    async countedNames(names: EventName[], userId: ObjectId): Promise<CountedName[]> {
      if (names.some((one) => !numbered.has(keyOf(one)))) await refresh();
      const fresh = new Map(
        names
          .map((one): [string, EventName] => [keyOf(one), one])
          .filter(([key]) => !numbered.has(key) && !proposed.has(`${userId}${key}`)),
      );
      if (fresh.size > 0) {
        await propose([...fresh.values()], userId);
        for (const key of fresh.keys()) proposed.set(`${userId}${key}`, true);
      }
      return names.map((one) => {
        const listed = numbered.get(keyOf(one));
        if (listed) return { no: listed.no, own: null };
        const standIn = numbered.get(keyOf(standInOf(one)));
        if (!standIn) throw new Error(`the dictionary lacks ${keyOf(standInOf(one))}`);
        return { no: standIn.no, own: one };
      });
    },
  };
}

export type NameRules = ReturnType<typeof nameRules>;
