import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { invalidArgument, noSuchUpload, S3Fault } from './faults.ts';

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

/** Values that a body is checked against while it is stored. */
export interface Expected {
  sha256?: string | undefined;
  md5?: string | undefined;
  bytes?: number | undefined;
}

interface Part {
  number: number;
  etag: string;
  bytes: number;
}

/** A multipart upload that has not been completed. */
export interface UnfinishedUpload {
  uploadId: string;
  key: string;
  contentType: string;
  cacheControl?: string;
  startedAt: string;
}

// `encodeURIComponent` escapes `@`, so neither suffix can be part of a key.
const RECORD = '@object';
const MAX_NAME_BYTES = 200;

/** Stores a body in a new file of this folder and returns its size and MD5 digest; a truncated body leaves nothing. */
async function store(body: Readable, target: string, expected: Expected) {
  await mkdir(dirname(target), { recursive: true });
  const md5 = createHash('md5');
  const sha256 = expected.sha256 === undefined ? undefined : createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      md5.update(chunk);
      sha256?.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(body, measure, createWriteStream(target));
    const digest = md5.digest();
    if (expected.bytes !== undefined && bytes !== expected.bytes)
      throw new S3Fault(400, 'IncompleteBody', 'You did not provide the number of bytes of Content-Length.');
    if (sha256 && sha256.digest('hex') !== expected.sha256)
      throw new S3Fault(400, 'XAmzContentSHA256Mismatch', 'The body is not the one that was signed.');
    if (expected.md5 !== undefined && digest.toString('base64') !== expected.md5)
      throw new S3Fault(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
    return { bytes, md5: digest };
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

/**
 * Stores objects as files: a record and a file of bytes that the record names. Renaming the record publishes the object
 * atomically. A killed process leaves the old object or the new one, and at worst an unreferenced file.
 */
export function objectFiles(folder: string) {
  const uploadsFolder = join(folder, '@uploads');

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

  const uploadFolder = (uploadId: string): string => {
    if (!/^[0-9a-f-]{36}$/.test(uploadId)) throw noSuchUpload();
    return join(uploadsFolder, uploadId);
  };

  async function uploadOf(uploadId: string, key: string): Promise<UnfinishedUpload> {
    const upload = await readJson<UnfinishedUpload>(join(uploadFolder(uploadId), 'upload.json'));
    if (upload?.key !== key) throw noSuchUpload();
    return upload;
  }

  return {
    find: recordOf,

    async put(
      draft: Pick<ObjectRecord, 'key' | 'contentType' | 'cacheControl'>,
      body: Readable,
      expected: Expected,
    ): Promise<ObjectRecord> {
      const { data, file } = newData(draft.key);
      const { bytes, md5 } = await store(body, file, expected);
      const record = {
        ...draft,
        bytes,
        etag: `"${md5.toString('hex')}"`,
        modifiedAt: new Date().toISOString(),
        data,
      };
      await publish(record);
      return record;
    },

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

    async beginUpload(
      draft: Pick<UnfinishedUpload, 'key' | 'contentType' | 'cacheControl'>,
    ): Promise<UnfinishedUpload> {
      pathOf(draft.key);
      const upload = { ...draft, uploadId: randomUUID(), startedAt: new Date().toISOString() };
      const directory = uploadFolder(upload.uploadId);
      await mkdir(directory, { recursive: true });
      await writeJson(join(directory, 'upload.json'), upload);
      return upload;
    },

    async putPart(
      uploadId: string,
      key: string,
      number: number,
      body: Readable,
      expected: Expected,
    ): Promise<Part> {
      await uploadOf(uploadId, key);
      const file = join(uploadFolder(uploadId), `${number}@${randomUUID()}`);
      const { bytes, md5 } = await store(body, file, expected);
      await rename(file, join(uploadFolder(uploadId), `${number}.part`));
      const part = { number, bytes, etag: `"${md5.toString('hex')}"` };
      await writeJson(join(uploadFolder(uploadId), `${number}.json`), part);
      return part;
    },

    /** Joins the parts into the object. */
    async completeUpload(uploadId: string, key: string, parts: Omit<Part, 'bytes'>[]): Promise<ObjectRecord> {
      const upload = await uploadOf(uploadId, key);
      const directory = uploadFolder(uploadId);
      const hash = createHash('md5');
      const files: string[] = [];
      for (const [place, { number, etag }] of parts.entries()) {
        const known = await readJson<Part>(join(directory, `${number}.json`));
        if (known?.etag.replaceAll('"', '') !== etag.replaceAll('"', ''))
          throw new S3Fault(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
        if (number <= (parts[place - 1]?.number ?? 0))
          throw new S3Fault(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
        hash.update(Buffer.from(etag.replaceAll('"', ''), 'hex'));
        files.push(join(directory, `${number}.part`));
      }
      if (files.length === 0) throw invalidArgument('There are no parts.');
      const { data, file } = newData(key);
      const { bytes } = await store(Readable.from(contentsOf(files)), file, {});
      const { contentType, cacheControl } = upload;
      const etag = `"${hash.digest('hex')}-${parts.length}"`;
      const record = {
        key,
        contentType,
        cacheControl,
        bytes,
        etag,
        modifiedAt: new Date().toISOString(),
        data,
      };
      await publish(record);
      await rm(directory, { recursive: true, force: true });
      return record;
    },

    async abortUpload(uploadId: string, key: string): Promise<void> {
      await uploadOf(uploadId, key);
      await rm(uploadFolder(uploadId), { recursive: true, force: true });
    },

    async unfinishedUploads(): Promise<UnfinishedUpload[]> {
      const ids = await readdir(uploadsFolder).catch(() => []);
      const all = await Promise.all(
        ids.map((id) => readJson<UnfinishedUpload>(join(uploadsFolder, id, 'upload.json'))),
      );
      return all.filter((upload) => upload !== undefined);
    },

    /** Removes unreferenced files, left by a killed process. */
    async sweep(): Promise<void> {
      await sweepFolder(join(folder, 'objects'));
    },
  };
}

export type ObjectFiles = ReturnType<typeof objectFiles>;

async function* contentsOf(files: string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file, { highWaterMark: 1024 * 1024 });
}

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

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function writeJson(path: string, value: object): Promise<void> {
  const aside = `${path}@${randomUUID()}`;
  await writeFile(aside, JSON.stringify(value));
  await rename(aside, path);
}
