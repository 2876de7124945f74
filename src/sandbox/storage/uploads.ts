import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '../../kernel/time/time.ts';
import { invalidArgument, noSuchUpload, S3Fault } from './faults.ts';
import { type Expected, readJson, storeBody, writeJson } from './files.ts';
import type { ObjectFiles, ObjectRecord } from './objects.ts';

/** An uploaded part of an object. */
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

type UploadId = Pick<UnfinishedUpload, 'uploadId' | 'key'>;

/** Multipart uploads: parts are stored as files in a folder until they are joined into an object. */
export function uploadFiles(
  folder: string,
  objects: Pick<ObjectFiles, 'put' | 'checkKey'>,
  clock: Pick<Clock, 'date'>,
) {
  const uploadsFolder = join(folder, '@uploads');

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
    async begin(
      draft: Pick<UnfinishedUpload, 'key' | 'contentType' | 'cacheControl'>,
    ): Promise<UnfinishedUpload> {
      objects.checkKey(draft.key);
      const upload = { ...draft, uploadId: randomUUID(), startedAt: clock.date().toISOString() };
      const directory = uploadFolder(upload.uploadId);
      await mkdir(directory, { recursive: true });
      await writeJson(join(directory, 'upload.json'), upload);
      return upload;
    },

    async putPart(
      { uploadId, key, number }: UploadId & { number: number },
      body: Readable,
      expected: Expected,
    ): Promise<Part> {
      await uploadOf(uploadId, key);
      const file = join(uploadFolder(uploadId), `${number}@${randomUUID()}`);
      const { bytes, md5 } = await storeBody(body, file, expected);
      await rename(file, join(uploadFolder(uploadId), `${number}.part`));
      const part = { number, bytes, etag: `"${md5.toString('hex')}"` };
      await writeJson(join(uploadFolder(uploadId), `${number}.json`), part);
      return part;
    },

    /** Joins the parts into the object. */
    async complete({ uploadId, key }: UploadId, parts: Omit<Part, 'bytes'>[]): Promise<ObjectRecord> {
      const upload = await uploadOf(uploadId, key);
      const directory = uploadFolder(uploadId);
      const hash = createHash('md5');
      const files: string[] = [];
      for (const [place, { number, etag }] of parts.entries()) {
        const stored = await readJson<Part>(join(directory, `${number}.json`));
        if (stored?.etag.replaceAll('"', '') !== etag.replaceAll('"', ''))
          throw new S3Fault(400, 'InvalidPart', 'One or more of the specified parts could not be found.');
        if (number <= (parts[place - 1]?.number ?? 0))
          throw new S3Fault(400, 'InvalidPartOrder', 'The list of parts was not in ascending order.');
        hash.update(Buffer.from(etag.replaceAll('"', ''), 'hex'));
        files.push(join(directory, `${number}.part`));
      }
      if (files.length === 0) throw invalidArgument('There are no parts.');
      const { contentType, cacheControl } = upload;
      const etag = `"${hash.digest('hex')}-${parts.length}"`;
      const body = Readable.from(contentsOf(files));
      const record = await objects.put({ key, contentType, cacheControl }, body, {}, etag);
      await rm(directory, { recursive: true, force: true });
      return record;
    },

    async abort({ uploadId, key }: UploadId): Promise<void> {
      await uploadOf(uploadId, key);
      await rm(uploadFolder(uploadId), { recursive: true, force: true });
    },

    async unfinished(): Promise<UnfinishedUpload[]> {
      const ids = await readdir(uploadsFolder).catch(() => []);
      const all = await Promise.all(
        ids.map((id) => readJson<UnfinishedUpload>(join(uploadsFolder, id, 'upload.json'))),
      );
      return all.filter((upload) => upload !== undefined);
    },
  };
}

export type UploadFiles = ReturnType<typeof uploadFiles>;

async function* contentsOf(files: string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file, { highWaterMark: 1024 * 1024 });
}
