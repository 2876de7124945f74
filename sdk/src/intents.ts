import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import { randomId } from './host.ts';
import { isFinal } from './retrying.ts';

/** The platform keeps an answer under its key for 24 hours; an hour less allows for clocks that differ. */
const KEPT_MS = 23 * 3_600_000;

interface Note {
  key: string;
  at: number;
}

/** The notes of keys, one after the other: two calls of one intent at once have one key. */
let notes: Promise<unknown> = Promise.resolve();

/**
 * Carries out an intent once: the same name stands for one effect, also after a restart of the program, since its
 * Idempotency-Key is kept in the storage. It is kept once it has taken effect, and given up when the request was
 * refused, so that it can be made again.
 */
export async function once<Data>(
  { session: { storage } }: Pick<Caller, 'session'>,
  intent: string,
  call: (options: { idempotencyKey: string }) => PromiseLike<Data>,
): Promise<Data> {
  const place = `intent:${intent}`;
  const note = async (): Promise<Note> => {
    const kept = await storage.get(place);
    if (kept) return JSON.parse(kept);
    const made = { key: randomId(), at: Date.now() };
    await storage.set(place, JSON.stringify(made));
    return made;
  };
  const noted = notes.then(() => storage.alone?.(note) ?? note());
  notes = noted.catch(() => undefined);
  const { key: idempotencyKey, at } = await noted;
  // A time far in the future was noted by a wrong clock, and says nothing.
  if (Math.abs(Date.now() - at) > KEPT_MS)
    throw new PlatformError({
      message: 'It was begun more than a day ago: look up whether it took effect',
      kind: 'client',
      code: 'INTENT_EXPIRED',
      idempotencyKey,
    });
  try {
    return await call({ idempotencyKey });
  } catch (error) {
    try {
      if (error instanceof PlatformError && isFinal(error)) await storage.set(place, undefined);
    } catch {
      // Why the call failed matters more.
    }
    throw error;
  }
}
