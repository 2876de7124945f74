import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { S3Fault } from './faults.ts';

/** Values that a body is checked against while it is stored. */
export interface Expected {
  sha256?: string | undefined;
  md5?: string | undefined;
  bytes?: number | undefined;
}

/** Stores a body in a new file and returns its size and MD5 digest; a truncated body leaves nothing. */
export async function storeBody(body: Readable, target: string, expected: Expected) {
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

/** Returns the content of a JSON file; undefined if there is none. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Replaces a file as a whole. */
export async function writeJson(path: string, value: object): Promise<void> {
  const aside = `${path}@${randomUUID()}`;
  await writeFile(aside, JSON.stringify(value));
  await rename(aside, path);
}
