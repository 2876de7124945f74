import type { ObjectId } from '../../kernel/ids.ts';
import { type Clock, DAY_MS } from '../../kernel/time/time.ts';
import type { KeyUsageStore, KeyUse } from './key-usage.store.ts';

/** How long a process keeps counts to itself. */
const FLUSH_AFTER_MS = 5_000;

interface UsageDeps {
  store: KeyUsageStore;
  clock: Clock;
  onError: (error: Error) => void;
}

/** Counts the requests of API keys in memory, and adds the counts to the database every few seconds. */
export function keyUsage({ store, clock, onError }: UsageDeps) {
  let waiting = new Map<string, KeyUse>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;

  function add({ keyId, lastUsedAt, requests, rejected }: KeyUse): void {
    const place = `${keyId} ${Math.floor(lastUsedAt.getTime() / DAY_MS)}`;
    const use = waiting.get(place);
    if (!use) {
      waiting.set(place, { keyId, lastUsedAt, requests, rejected });
    } else {
      use.requests += requests;
      use.rejected += rejected;
      if (lastUsedAt > use.lastUsedAt) use.lastUsedAt = lastUsedAt;
    }
    if (!isClosed) timer ??= setTimeout(() => void flush(), FLUSH_AFTER_MS).unref();
  }

  async function write(): Promise<void> {
    const uses = [...waiting.values()];
    waiting = new Map();
    if (uses.length === 0) return;
    try {
      await store.addAll(uses);
    } catch (error) {
      onError(error as Error);
      // A closed process gives up, because a timer that goes on trying would keep all of it in memory.
      if (!isClosed) for (const use of uses) add(use);
    }
  }

  /** Stores the counts so far; counts that cannot be stored are retried later. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    writing = write();
    await writing;
  }

  return {
    count: (keyId: ObjectId, isRejected: boolean): void =>
      add({ keyId, lastUsedAt: clock.date(), requests: 1, rejected: isRejected ? 1 : 0 }),
    flush,
    /** Stores the counts so far for the last time; counts that cannot be stored are lost. */
    close(): Promise<void> {
      isClosed = true;
      return flush();
    },
  };
}
