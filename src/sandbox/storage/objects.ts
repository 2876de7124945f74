import { randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Clock } from '../../kernel/time/time.ts';
import { S3Fault } from './faults.ts';
import { type Expected, readJson, storeBody, writeJson } from './files.ts';

/** The metadata stored beside an object's bytes. */
export interface ObjectRecord {
  key: string;
  bytes: number;
  etag: string;
  contentType: string;
  cacheControl?: string;
  modifiedAt: string;
  /** The file with the bytes, beside the record. */
  data: string;
}

// `encodeURIComponent` escapes `@`, so neither suffix can be part of a key.
const RECORD = '@object';
const MAX_NAME_BYTES = 200;

type Draft = Pick<ObjectRecord, 'key' | 'contentType' | 'cacheControl'>;

/**
 * Stores objects as files: a record and a file of bytes that the record names. Renaming the record publishes the object
 * atomically. A killed process leaves the old object or the new one, and at worst an unreferenced file.
 */
export function objectFiles(folder: string, clock: Pick<Clock, 'date'>) {
  const pathOf = (key: string): string => {
    const names = key.split('/').map((name) => (/^\.*$/.test(name) ? `@${name}` : encodeURIComponent(name)));
    if (names.some((name) => name.length > MAX_NAME_BYTES))
      throw new S3Fault(400, 'KeyTooLongError', 'Your key is too long');
    return join(folder, 'objects', ...names);
  };

  async function recordOf(key: string): Promise<ObjectRecord | undefined> {
    return readJson<ObjectRecord>(pathOf(key) + RECORD);
  }

  /** Publishes the record as the object of its key. */
  async function publish(record: ObjectRecord): Promise<void> {
    const path = pathOf(record.key);
    const former = await recordOf(record.key);
    await writeJson(path + RECORD, record);
    if (former) await rm(join(dirname(path), former.data), { force: true });
  }

  /** Returns a new file for an object's bytes. */
  const newData = (key: string) => {
    const path = pathOf(key);
    const data = `${path.slice(dirname(path).length + 1)}@${randomUUID()}`;
    return { data, file: join(dirname(path), data) };
  };

  async function* walk(directory: string): AsyncGenerator<ObjectRecord> {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) yield* walk(path);
      else if (entry.name.endsWith(RECORD)) {
        const record = await readJson<ObjectRecord>(path);
        if (record) yield record;
      }
    }
  }

  /** Stores a body as the object of its key; the entity tag is its digest unless another one is given. */
  async function put(draft: Draft, body: Readable, expected: Expected, etag?: string): Promise<ObjectRecord> {
    const { data, file } = newData(draft.key);
    const { bytes, md5 } = await storeBody(body, file, expected);
    const record = {
      ...draft,
      bytes,
      etag: etag ?? `"${md5.toString('hex')}"`,
      modifiedAt: clock.date().toISOString(),
      data,
    };
    await publish(record);
    return record;
  }

  return {
    find: recordOf,
    put,
    /** @throws S3Fault when an object cannot have this key */
    checkKey: (key: string): void => void pathOf(key),

    /** Opens a range of bytes, both ends inclusive, before the response begins. */
    async open(record: ObjectRecord, range?: { first: number; last: number }): Promise<Readable> {
      const handle = await open(join(dirname(pathOf(record.key)), record.data));
      return handle.createReadStream(range ? { start: range.first, end: range.last } : {});
    },

    async remove(key: string): Promise<void> {
      const record = await recordOf(key);
      if (!record) return;
      const path = pathOf(key);
      await rm(path + RECORD, { force: true });
      await rm(join(dirname(path), record.data), { force: true });
    },

    /** Returns the objects below a prefix, ordered by the UTF-8 bytes of their keys. */
    async list(prefix: string): Promise<ObjectRecord[]> {
      // Skips folders that the prefix excludes.
      const parent = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const directory = parent === '' ? join(folder, 'objects') : pathOf(parent.slice(0, -1));
      const found: ObjectRecord[] = [];
      for await (const record of walk(directory)) if (record.key.startsWith(prefix)) found.push(record);
      return found.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    },

    /** Removes unreferenced files, left by a killed process. */
    async sweep(): Promise<void> {
      await sweepFolder(join(folder, 'objects'));
    },
  };
}

export type ObjectFiles = ReturnType<typeof objectFiles>;

async function sweepFolder(directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const named = new Set<string>();
  for (const { name } of entries.filter((entry) => entry.name.endsWith(RECORD)))
    named.add((await readJson<ObjectRecord>(join(directory, name)))?.data ?? '');
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await sweepFolder(path);
    else if (!entry.name.endsWith(RECORD) && !named.has(entry.name)) await rm(path, { force: true });
  }
}
