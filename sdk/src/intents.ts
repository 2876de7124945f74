import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import { randomId } from './host.ts';
import { isFinal } from './retrying.ts';
import type { Storage } from './storage.ts';

/** The platform keeps an answer under its key for 24 hours; an hour less allows for clocks that differ. */
const KEPT_MS = 23 * 3_600_000;

interface Note {
  key: string;
  at: number;
}

/**
 * Accesses to the stored keys run one after the other, so that two simultaneous calls of an intent share one key.
 */
let latest: Promise<unknown> = Promise.resolve();

function inTurn<T>(storage: Storage, work: () => Promise<T>): Promise<T> {
  const turn = latest.then(() => storage.alone?.(work) ?? work());
  latest = turn.catch(() => undefined);
  return turn;
}

/** Parses what is stored for an intent; the result has no key if the text is not valid. */
function noteOf(text: string): Partial<Note> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/**
 * Carries out an intent once. Calls with the same name have a single effect, even across restarts of the program,
 * because their Idempotency-Key is stored. The key is kept after the request has taken effect, and removed after a
 * refusal, so that the intent can be tried again. Processes that share a storage need its `alone`, as tabs have it.
 */
export async function once<Data>(
  { session: { storage } }: Pick<Caller, 'session'>,
  intent: string,
  call: (options: { idempotencyKey: string }) => PromiseLike<Data>,
): Promise<Data> {
  const place = `intent:${intent}`;
  const { key: idempotencyKey, at } = await inTurn(storage, async () => {
    const kept = await storage.get(place);
    if (kept) return noteOf(kept);
    const made = { key: randomId(), at: Date.now() };
    await storage.set(place, JSON.stringify(made));
    return made;
  });
  // A time far in the future was stored by a wrong clock and is ignored, as is an unreadable entry.
  if (!idempotencyKey || !(Math.abs(Date.now() - Number(at)) <= KEPT_MS))
    throw new PlatformError({
      message:
        'The intent was begun more than a day ago, or its stored key cannot be read: look up whether it took effect',
      kind: 'client',
      code: 'INTENT_EXPIRED',
      idempotencyKey,
    });
  try {
    return await call({ idempotencyKey });
  } catch (error) {
    if (error instanceof PlatformError && isFinal(error))
      await inTurn(storage, async () => {
        // Another call may have begun the intent again meanwhile.
        if (noteOf((await storage.get(place)) || '').key === idempotencyKey)
          await storage.set(place, undefined);
      }).catch(() => undefined); // The error of the call is more useful than that of the storage.
    throw error;
  }
}
