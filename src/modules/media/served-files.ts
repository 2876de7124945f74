import { LRUCache } from 'lru-cache';
import {
  ObjectChanged,
  type ObjectFacts,
  type ObjectStorage,
  type ReadOptions,
  StorageFault,
  type StoredObject,
} from '../../external/storage/port.ts';
import { semaphore } from '../../kernel/concurrency/semaphore.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import { fileNotFound } from './failures.ts';
import { HEAD_BYTES, isContentOf } from './file-content.ts';
import { type Edit, etagWith, withEdits } from './metadata/edits.ts';
import { metadataEdits } from './metadata/removal.ts';
import { Unreadable, windowedSource } from './metadata/source.ts';
import { STORAGE_DEADLINE_MS } from './names.ts';
import { bytesOf } from './stored-answers.ts';

/** How many edits of files this process remembers, some hundred bytes each; a file counts as one besides. */
const MAX_REMEMBERED = 100_000;
/** How many files are looked at at once: the tables of a video take up to some 50 MiB meanwhile. */
const MAX_AT_ONCE = 8;
const MAX_WAITING = 1_000;
/** Videos are looked at in few places, far apart; pictures from the beginning to the end. */
const VIDEO_WINDOW_BYTES = 128 * 1024;

type Facts = Pick<ObjectFacts, 'key' | 'etag' | 'bytes'>;

/** How a file is served: with these edits and this ETag, or not at all. */
type Verdict = { edits: Edit[]; etag: string } | 'refused';

/**
 * Public files as others may have them: only those whose content is of their type, and without the metadata of cameras. What
 * is removed is overwritten while the file is sent, so that this holds for every file, however and whenever it came into the
 * storage.
 * @param onRefused told once for each file that is not served, with the reason
 */
export function servedFiles(
  storage: Pick<ObjectStorage, 'head' | 'read'>,
  onRefused: (key: string, reason: string) => void = () => undefined,
) {
  /**
   * Returns exactly the bytes of a range: what is not looked at might be sent with everything that is in it.
   * @throws ObjectChanged, StorageFault
   */
  async function readRange({ key, etag }: Facts, range: { first: number; last: number }): Promise<Buffer> {
    const found = await storage.read(key, { range, deadlineMs: STORAGE_DEADLINE_MS });
    if (found?.etag !== etag) {
      found?.body.destroy();
      throw new ObjectChanged(key);
    }
    const length = range.last - range.first + 1;
    const content = await bytesOf(found, length);
    if (content.length < length || (found.range?.first ?? 0) !== range.first)
      throw new StorageFault(`${key}: another range than the requested one`);
    return content;
  }

  async function inspect(facts: Facts): Promise<Verdict> {
    const { key, etag, bytes } = facts;
    // The next upload by the link would be served with the edits of this one.
    if (etag === '') throw new StorageFault(`${key}: no ETag`);
    const extension = key.slice(key.lastIndexOf('.') + 1);
    const windowBytes = extension === 'mp4' ? VIDEO_WINDOW_BYTES : HEAD_BYTES;
    const source = windowedSource({ bytes, windowBytes, fetch: (range) => readRange(facts, range) });
    try {
      if (!isContentOf(extension, await source.read(0, windowBytes))) throw new Unreadable('not of its type');
      const edits = await metadataEdits(extension, source);
      return { edits, etag: etagWith(etag, edits) };
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      onRefused(key, error.message);
      return 'refused';
    }
  }

  const takeTurn = semaphore(MAX_AT_ONCE, MAX_WAITING, serviceUnavailable);

  /** @throws serviceUnavailable (503) when too many others are looked at for too long */
  async function inspectInTurn(facts: Facts): Promise<Verdict> {
    const endTurn = await takeTurn(AbortSignal.timeout(STORAGE_DEADLINE_MS));
    try {
      return await inspect(facts);
    } finally {
      endTurn();
    }
  }

  const verdicts = new LRUCache<string, Verdict, Facts>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (verdict) => (verdict === 'refused' ? 1 : 1 + verdict.edits.length),
    // Requests for a file that is being inspected wait for the same verdict.
    fetchMethod: (_name, _old, { context }) => inspectInTurn(context),
    ignoreFetchAbort: true,
  });

  async function verdictOn(facts: Facts): Promise<Verdict> {
    try {
      return (await verdicts.fetch(nameOf(facts), { context: facts })) ?? 'refused';
    } catch (error) {
      if (error instanceof ObjectChanged) return 'refused';
      throw error;
    }
  }

  /** @throws fileNotFound (404) for a file that is not served */
  async function admitted(facts: Facts): Promise<Exclude<Verdict, 'refused'>> {
    const verdict = await verdictOn(facts);
    if (verdict === 'refused') throw fileNotFound('content');
    return verdict;
  }

  return {
    /** @throws fileNotFound (404) for a file that is not served */
    editsOf: async (facts: Facts): Promise<Edit[]> => (await admitted(facts)).edits,

    /** Whether a stored file is served. */
    admits: async (facts: Facts): Promise<boolean> => (await verdictOn(facts)) !== 'refused',

    /** @throws fileNotFound (404) for a file that is not served */
    async head(key: string, options?: Pick<ReadOptions, 'deadlineMs'>): Promise<ObjectFacts | undefined> {
      const facts = await storage.head(key, options);
      return facts && { ...facts, etag: (await admitted(facts)).etag };
    },

    /** @throws fileNotFound (404) for a file that is not served */
    async read(key: string, options?: ReadOptions): Promise<StoredObject | undefined> {
      let found = await storage.read(key, options);
      if (found && !verdicts.has(nameOf(found))) {
        // Not kept open meanwhile: looking at a long film may take longer than a connection may be idle.
        found.body.destroy();
        await admitted(found);
        found = await storage.read(key, options);
      }
      if (!found) return undefined;
      try {
        const { edits, etag } = await admitted(found);
        return { ...found, etag, body: withEdits(found.body, edits, found.range?.first ?? 0) };
      } catch (error) {
        found.body.destroy();
        throw error;
      }
    },
  };
}

export type ServedFiles = ReturnType<typeof servedFiles>;

const nameOf = ({ key, etag }: Facts): string => `${key} ${etag}`;
