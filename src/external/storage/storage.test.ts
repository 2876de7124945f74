// The contract of object storage. Runs against the local server or, if STORAGE_TEST_URL is set
// (http://key:secret@host:9000/bucket?region=...), against another S3-compatible service.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { until } from '../../../test/support/live.ts';
import { startStorage } from '../../../test/support/object-storage.ts';
import { ObjectChanged, StorageFault } from './port.ts';

const { storage, local, localUrl, bucket, folder, clock, credentials, prefix, onlyLocal, readAll } =
  await startStorage();
const upload = (url: string, headers: Record<string, string>, body: Buffer | string) =>
  fetch(url, { method: 'PUT', headers, body: typeof body === 'string' ? body : new Uint8Array(body) });

test('a stored object is returned with its type, length and ETag', async () => {
  const key = `${prefix}/a folder/ü+&=@.bin`;
  const content = randomBytes(100_000);
  await storage.write(key, content, { contentType: 'video/mp4', cacheControl: 'max-age=60' });
  const found = await readAll(key);
  assert.deepEqual(found?.content, content);
  assert.equal(found?.contentType, 'video/mp4');
  assert.equal(found?.cacheControl, 'max-age=60');
  assert.equal(found?.bytes, content.length);
  const facts = await storage.head(key);
  assert.equal(facts?.etag, found?.etag);
  assert.equal(facts?.bytes, content.length);
});

test('range requests return a part, the rest, or the whole object if the range is outside', async () => {
  const key = `${prefix}/range`;
  await storage.write(key, Buffer.from('0123456789'), { contentType: 'text/plain' });
  const part = await readAll(key, { first: 2, last: 4 });
  assert.equal(part?.content.toString(), '234');
  assert.deepEqual(part?.range, { first: 2, last: 4 });
  assert.equal(part?.bytes, 10);
  assert.equal((await readAll(key, { first: 7 }))?.content.toString(), '789');
  const outside = await readAll(key, { first: 50 });
  assert.equal(outside?.content.toString(), '0123456789');
  assert.equal(outside?.range, undefined);
});

test('a missing object is undefined, and removing it is not an error', async () => {
  assert.equal(await storage.head(`${prefix}/nothing`), undefined);
  assert.equal(await storage.read(`${prefix}/nothing`), undefined);
  await storage.remove([`${prefix}/nothing`]);
});

test('large files are uploaded in parts and downloaded whole', async () => {
  const source = join(folder, 'large');
  const content = randomBytes(40 * 1024 * 1024 + 17);
  await writeFile(source, content);
  const key = `${prefix}/large`;
  await storage.write(key, { file: source }, { contentType: 'video/mp4' });
  const facts = await storage.head(key);
  assert.ok(facts);
  assert.match(facts.etag, /-3"$/, 'in three parts');
  const target = join(folder, 'downloaded');
  await storage.download(key, target, { etag: facts.etag });
  assert.ok(content.equals(await readFile(target)));
});

test('a download of an object that has changed is refused', async () => {
  const key = `${prefix}/changed`;
  await storage.write(key, Buffer.from('first'), { contentType: 'text/plain' });
  const facts = await storage.head(key);
  await storage.write(key, Buffer.from('second'), { contentType: 'text/plain' });
  const target = join(folder, 'never');
  await assert.rejects(storage.download(key, target, { etag: facts?.etag ?? '' }), ObjectChanged);
  await assert.rejects(storage.download(`${key}/gone`, target, { etag: facts?.etag ?? '' }), ObjectChanged);
});

test('objects are listed by prefix in key order, and can be removed by prefix', async () => {
  const keys = ['b', 'a/2', 'a/10', 'a.b', 'a', 'ä', 'a/1/x'].map((name) => `${prefix}/list/${name}`);
  for (const key of keys) await storage.write(key, Buffer.from(key), { contentType: 'text/plain' });
  const listed = async (below: string) => {
    const found: string[] = [];
    for await (const page of storage.list(below)) found.push(...page.map(({ key }) => key));
    return found;
  };
  const byBytes = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(await listed(`${prefix}/list/`), byBytes);
  assert.deepEqual(await listed(`${prefix}/list/a/1`), [`${prefix}/list/a/1/x`, `${prefix}/list/a/10`]);
  await storage.remove(keys.slice(0, 3));
  assert.equal((await listed(`${prefix}/list/`)).length, keys.length - 3);
});

test('a presigned upload accepts only the announced type, length, key and method', async () => {
  const key = `${prefix}/presigned.mp4`;
  const content = randomBytes(5_000);
  const signed = await storage.presignUpload({
    key,
    contentType: 'video/mp4',
    bytes: content.length,
    expiresInSeconds: 600,
  });
  assert.equal((await upload(signed.url, { 'content-type': 'video/webm' }, content)).status, 403);
  assert.equal((await upload(signed.url, signed.headers, content.subarray(1))).status, 403);
  assert.equal((await upload(signed.url, signed.headers, Buffer.concat([content, content]))).status, 403);
  assert.equal(
    (await upload(signed.url.replace('presigned', 'another'), signed.headers, content)).status,
    403,
  );
  assert.equal((await fetch(signed.url)).status, 403, 'GET');
  assert.equal((await fetch(signed.url, { method: 'DELETE' })).status, 403);
  assert.equal(await storage.head(key), undefined);
  const taken = await upload(signed.url, signed.headers, content);
  assert.equal(taken.status, 200, await taken.text());
  assert.deepEqual((await readAll(key))?.content, content);
});

test('a presigned upload expires', onlyLocal, async () => {
  const key = `${prefix}/late`;
  const signed = await storage.presignUpload({
    key,
    contentType: 'text/plain',
    bytes: 2,
    expiresInSeconds: 3600,
  });
  clock.advance(3_590_000);
  assert.equal((await upload(signed.url, signed.headers, 'ok')).status, 200);
  clock.advance(20_000);
  const late = await upload(signed.url, signed.headers, 'ok');
  assert.equal(late.status, 403);
  assert.match(await late.text(), /Request has expired/);
  clock.set(Date.now());
});

test('a presigned download sets the file name and supports ranges', async () => {
  const key = `${prefix}/named`;
  await storage.write(key, Buffer.from('0123456789'), { contentType: 'text/plain' });
  const url = await storage.presignDownload({ key, expiresInSeconds: 60, fileName: 'Übung 1.txt' });
  const whole = await fetch(url);
  assert.equal(await whole.text(), '0123456789');
  assert.match(whole.headers.get('content-disposition') ?? '', /filename\*=UTF-8''%C3%9Cbung%201\.txt/);
  const etag = whole.headers.get('etag') ?? '';
  const part = await fetch(url, { headers: { range: 'bytes=-3' } });
  assert.equal(part.status, 206);
  assert.equal(await part.text(), '789');
  assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
});

test('an upload whose file is missing fails, also when it is given up at once', async () => {
  const key = `${prefix}/missing.mp4`;
  const body = { file: join(folder, 'missing.mp4') };
  const options = { contentType: 'video/mp4' };
  await assert.rejects(storage.write(key, body, options), StorageFault);
  const given = new AbortController();
  const upload = storage.write(key, body, { ...options, signal: given.signal });
  given.abort();
  // Whether the missing file or the abort is noticed first does not matter, as long as the process goes on.
  await assert.rejects(upload);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await storage.head(key), undefined);
});

test('an interrupted upload is never visible and leaves no file', onlyLocal, async () => {
  const key = `${prefix}/cut`;
  const signed = await storage.presignUpload({
    key,
    contentType: 'text/plain',
    bytes: 100_000,
    expiresInSeconds: 60,
  });
  const { host, hostname, port, pathname, search } = new URL(signed.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: text/plain\r\ncontent-length: 100000\r\n\r\n`,
  );
  socket.write('x'.repeat(50_000));
  const names = async () =>
    (await readdir(join(folder, 'objects'), { recursive: true })).filter((name) => name.includes('cut'));
  await until(async () => (await names()).length > 0, 'the file of the upload');
  assert.equal(await storage.head(key), undefined);
  socket.destroy();
  await until(async () => (await names()).length === 0, 'the end of the file');
});

test(
  'multipart uploads that were begun before an instant and never completed are aborted',
  onlyLocal,
  async () => {
    const client = new S3Client({
      ...{ endpoint: localUrl, region: 'us-east-1', credentials, forcePathStyle: true },
    });
    const Key = `${prefix}/unfinished`;
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    const part = { Bucket: bucket, Key, UploadId, PartNumber: 1, Body: randomBytes(1024) };
    const { ETag } = await client.send(new UploadPartCommand(part));
    assert.equal(await storage.abortUnfinished(new Date(clock.now() - 60_000)), 0, 'begun after that');
    assert.equal(await storage.abortUnfinished(new Date(clock.now() + 60_000)), 1);
    assert.equal(await storage.abortUnfinished(new Date(clock.now() + 60_000)), 0);
    const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
    await assert.rejects(
      client.send(new CompleteMultipartUploadCommand({ Bucket: bucket, Key, UploadId, MultipartUpload })),
      { name: 'NoSuchUpload' },
    );
    assert.equal(await storage.head(Key), undefined);
    client.destroy();
  },
);

test('a refusal by the storage is a retryable fault', onlyLocal, async () => {
  local.setMode('fail');
  await assert.rejects(storage.head(`${prefix}/large`), StorageFault);
  await assert.rejects(
    storage.write(`${prefix}/x`, Buffer.from('x'), { contentType: 'text/plain' }),
    StorageFault,
  );
  local.setMode('ok');
  assert.ok(await storage.head(`${prefix}/large`));
});

test('nothing is read without a signature', onlyLocal, async () => {
  const key = `${prefix}/private.png`;
  await storage.write(key, Buffer.from('png'), { contentType: 'image/png' });
  const address = `${localUrl}/${bucket}/${key}`;
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
    assert.equal((await fetch(address, { method })).status, 403, method);
  for (const path of ['../contract-test/x', '%2e%2e/x', '..%2f..%2fetc/passwd', ''])
    assert.ok([403, 404].includes((await fetch(`${localUrl}/${bucket}/${path}`)).status), path);
  const seen = await fetch(await storage.presignDownload({ key, expiresInSeconds: 60 }));
  assert.equal(seen.headers.get('x-content-type-options'), 'nosniff');
});

test('object keys with special characters do not affect each other', onlyLocal, async () => {
  const segment = fc.oneof(
    fc.constantFrom('.', '..', '...', 'a', 'a@object', 'x@object', '%2e', ' '),
    fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  );
  const keyOf = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(keyOf, { minLength: 2, maxLength: 4 }), async (names) => {
      const keys = names
        .filter(
          (name) =>
            name.isWellFormed() &&
            !/[\0\\\p{Cc}]/u.test(name) &&
            !name.includes('//') &&
            !name.startsWith('/') &&
            !name.endsWith('/'),
        )
        .map((name) => `any/${name}`)
        // HTTP clients resolve dot segments of a path before sending it.
        .filter(
          (key) =>
            new URL(key.split('/').map(encodeURIComponent).join('/'), 'http://x/').pathname.slice(1) ===
            key.split('/').map(encodeURIComponent).join('/'),
        );
      for (const key of keys) await storage.write(key, Buffer.from(key), { contentType: 'text/plain' });
      for (const key of keys) assert.equal((await readAll(key))?.content.toString(), key);
      await storage.remove(keys);
      for (const key of keys) assert.equal(await storage.head(key), undefined);
    }),
    { numRuns: 30 },
  );
});
