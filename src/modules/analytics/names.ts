import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Cache } from '../../kernel/shared/cache.ts';
import { type Clock, DAY_MS } from '../../kernel/time.ts';
import type { EventName, NameStore, NumberedName } from './names.store.ts';

export const tooManyNames = failure(
  422,
  'TOO_MANY_EVENT_NAMES',
  'Too many distinct event names; move the variable part into the metadata',
);

/** Limit on names of all clients together: reports list them, and they are kept permanently. */
const MAX_NAMES = 5_000;
/** Limit on names that one member may add within a day. */
const MAX_NEW_OF_MEMBER = 200;

interface NameDeps {
  store: NameStore;
  cache: Pick<Cache, 'consumeSliding'>;
  clock: Clock;
}

const keyOf = ({ name, type }: EventName): string => JSON.stringify([name, type]);

/** The dictionary of event names: events store a number instead of the name. Names are never removed. */
export function nameRules({ store, cache, clock }: NameDeps) {
  const known = new Map<string, number>();
  let isRead: Promise<void> | undefined;
  const learn = (names: NumberedName[]): void => {
    for (const one of names) known.set(keyOf(one), one.no);
  };
  const read = async (): Promise<void> => {
    isRead ??= store.all().then(learn);
    await isRead.catch((error) => {
      isRead = undefined;
      throw error;
    });
  };

  /** Assigns numbers to names that none has yet; a member may cause only so many a day. @throws tooManyNames */
  async function numberNew(names: EventName[], userId: ObjectId): Promise<void> {
    if (known.size + names.length > MAX_NAMES) throw tooManyNames();
    for (const _ of names) {
      const limit = { lengthMs: DAY_MS, limit: MAX_NEW_OF_MEMBER };
      const { admitted } = await cache.consumeSliding(`analytics:names:${userId}`, limit, clock.now());
      if (!admitted) throw tooManyNames();
    }
    const numbered = await store.number(names, MAX_NAMES);
    if (!numbered) throw tooManyNames();
    learn(numbered);
  }

  return {
    /** Returns the numbers of the names, in the same order. @throws tooManyNames */
    async numbersOf(names: EventName[], userId: ObjectId): Promise<number[]> {
      await read();
      const missing = new Map(names.filter((one) => !known.has(keyOf(one))).map((one) => [keyOf(one), one]));
      if (missing.size > 0) {
        // Another process may have numbered them in the meantime.
        learn(await store.all());
        for (const key of missing.keys()) if (known.has(key)) missing.delete(key);
      }
      if (missing.size > 0) await numberNew([...missing.values()], userId);
      return names.map((one) => known.get(keyOf(one)) as number);
    },
  };
}

export type NameRules = ReturnType<typeof nameRules>;
