import { type ObjectStorage, StorageFault, type StoredObject } from '../../external/storage/port.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time/time.ts';
import { STORAGE_DEADLINE_MS } from './names.ts';

/** A whole object in memory. It occupies its share of the limit until it is released. */
export interface HeldObject {
  etag: string;
  content: Buffer;
  /** Must be called once, when the content is no longer needed. */
  release(): void;
}

/** How long an object is served without checking that the storage still has it. */
const MAX_AGE_MS = MINUTE_MS;
/** Larger objects are not cached; a segment of the highest rendition has about 4 MiB. */
const MAX_OBJECT_BYTES = 16 * 1024 * 1024;
/** Share of the limit that one object may occupy. */
const MAX_SHARE = 1 / 4;
/** Approximate memory of an object besides its content. */
const ENTRY_BYTES = 1024;

interface Entry {
  key: string;
  readAtMs: number;
  /** Responses that need the object, including those that wait for it. */
  users: number;
  /** Its share of the limit; 0 until its size is known. */
  bytes: number;
  isListed: boolean;
  object?: { etag: string; content: Buffer };
  /** Resolves when the object is in memory; otherwise to undefined if it is missing, or to the opened object. */
  loading: Promise<'held' | StoredObject | undefined>;
}

interface RecentObjectsDeps {
  storage: ObjectStorage;
  clock: Clock;
  /** Limit of all objects in memory: cached ones, those being read and those being sent. */
  maxBytes: number;
}

/**
 * Caches recently used objects in memory, evicting the least recently used ones. Requests for an object that is being
 * read share that one read. Objects whose content a client is still receiving are not evicted; when they fill the
 * memory, further objects are streamed.
 */
export function recentObjects({ storage, clock, maxBytes }: RecentObjectsDeps) {
  const entries = new Map<string, Entry>();
  let bytesInUse = 0;
  let reads = 0;

  function free(entry: Entry): void {
    bytesInUse -= entry.bytes;
    entry.bytes = 0;
  }

  function unlist(entry: Entry): void {
    if (!entry.isListed) return;
    entry.isListed = false;
    entries.delete(entry.key);
    if (entry.users === 0) free(entry);
  }

  function release(entry: Entry): void {
    entry.users--;
    if (entry.users === 0 && !entry.isListed) free(entry);
  }

  /** Evicts unused objects until this many bytes fit; returns whether they do. */
  function makeRoom(bytes: number): boolean {
    if (bytes > Math.min(maxBytes * MAX_SHARE, MAX_OBJECT_BYTES)) return false;
    for (const entry of entries.values()) {
      if (bytesInUse + bytes <= maxBytes) break;
      if (entry.users === 0) unlist(entry);
    }
    return bytesInUse + bytes <= maxBytes;
  }

  async function load(entry: Entry): Promise<'held' | StoredObject | undefined> {
    reads++;
    const found = await storage.read(entry.key, { deadlineMs: STORAGE_DEADLINE_MS });
    if (!found || !makeRoom(found.bytes + ENTRY_BYTES)) {
      unlist(entry);
      return found;
    }
    entry.bytes = found.bytes + ENTRY_BYTES;
    bytesInUse += entry.bytes;
    entry.object = { etag: found.etag, content: await contentOf(found) };
    return 'held';
  }

  function newEntry(key: string): Entry {
    const entry: Entry = {
      key,
      readAtMs: clock.elapsedMs(),
      users: 0,
      bytes: 0,
      isListed: true,
      loading: Promise.resolve(undefined),
    };
    entries.set(key, entry);
    entry.loading = load(entry);
    // Waiting callers receive the failure.
    entry.loading.catch(() => unlist(entry));
    return entry;
  }

  /** Returns the entry if it is fresh, and marks it as the most recently used. */
  function listed(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (clock.elapsedMs() - entry.readAtMs > MAX_AGE_MS) {
      unlist(entry);
      return undefined;
    }
    entries.delete(key);
    entries.set(key, entry);
    return entry;
  }

  return {
    /** Whether the object is in memory or being read. */
    has: (key: string): boolean => listed(key) !== undefined,

    /**
     * Returns the object; undefined when there is none. If it cannot be held in memory, the caller whose request caused
     * the read receives the object as opened by the storage, and the others receive 'not held'.
     * @throws StorageFault
     */
    async open(key: string): Promise<HeldObject | StoredObject | 'not held' | undefined> {
      const remembered = listed(key);
      const entry = remembered ?? newEntry(key);
      entry.users++;
      try {
        const outcome = await entry.loading;
        if (outcome === 'held' && entry.object) {
          let isReleased = false;
          return {
            ...entry.object,
            release: () => {
              if (!isReleased) release(entry);
              isReleased = true;
            },
          };
        }
        release(entry);
        if (outcome === undefined || outcome === 'held') return undefined;
        return remembered ? 'not held' : outcome;
      } catch (error) {
        release(entry);
        throw error;
      }
    },

    /** Evicts the objects below a prefix, because they were removed; reads in progress are not cached. */
    forget(prefix: string): void {
      for (const entry of [...entries.values()]) if (entry.key.startsWith(prefix)) unlist(entry);
    },

    figures: () => ({ objects: entries.size, bytes: bytesInUse, reads }),
  };
}

export type RecentObjects = ReturnType<typeof recentObjects>;

/** @throws StorageFault when the content ends early */
async function contentOf({ key, bytes, body }: StoredObject): Promise<Buffer> {
  // Not from the shared pool, where a small slice would keep the whole pool alive.
  const content = Buffer.allocUnsafeSlow(bytes);
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) length += chunk.copy(content, length);
  } catch (error) {
    throw new StorageFault(`${key} was cut`, { cause: error });
  }
  if (length !== bytes) throw new StorageFault(`${key} was cut after ${length} of ${bytes} bytes`);
  return content;
}
