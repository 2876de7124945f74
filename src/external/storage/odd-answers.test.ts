// What a storage, or a proxy before it, may answer besides what it should.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../kernel/time/time.ts';
import { StorageFault } from './port.ts';
import { s3Storage } from './s3.ts';

type Answer = (response: ServerResponse, query: URLSearchParams) => void;

let answer: Answer;
const server = createServer((request, response) => {
  request.resume();
  answer(response, new URL(request.url ?? '', 'http://storage').searchParams);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
const storage = s3Storage(
  {
    ...credentials,
    endpoint,
    publicEndpoint: endpoint,
    region: 'us-east-1',
    bucket: 'platform',
    clock: systemClock,
  },
  { attempts: 1, connectTimeoutMs: 2_000, idleTimeoutMs: 300, maxSockets: 8 },
);
after(() => {
  storage.close();
  server.closeAllConnections();
  server.close();
});

async function listed(prefix = 'videos/'): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of storage.list(prefix)) keys.push(...page.map(({ key }) => key));
  return keys;
}
const calls: Record<string, () => Promise<unknown>> = {
  list: listed,
  abort: () => storage.abortUnfinished(new Date()),
  remove: () => storage.remove(['videos/a']),
  write: () => storage.write('videos/a', Buffer.from('content'), { contentType: 'video/mp4' }),
  head: () => storage.head('videos/a'),
  read: () => storage.read('videos/a'),
};
const listing = (inner: string): string =>
  `<?xml version="1.0"?><ListBucketResult>${inner}</ListBucketResult>`;
const object = (key: string): string => `<Contents><Key>${key}</Key></Contents>`;
const says =
  (text: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end(text);

test('what is no answer of a storage is a fault, and neither an empty listing nor a success', async () => {
  for (const text of ['', '<html><body>Sign in</body></html>']) {
    answer = says(text);
    for (const [name, call] of Object.entries(calls))
      await assert.rejects(call(), StorageFault, `${name}: ${text}`);
  }
  // For one object it may mean that there is none; a proxy that knows no such place answers so, too.
  answer = says('<html><body>No such page</body></html>', 404);
  for (const name of ['list', 'abort', 'remove', 'write'])
    await assert.rejects(calls[name]?.() ?? assert.fail(), StorageFault, name);
});

test('a write whose parts have been removed is a fault', async () => {
  const started = '<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>';
  answer = (response, query) => {
    if (query.has('uploads')) response.end(started);
    else if (query.has('partNumber')) response.writeHead(200, { etag: '"part"' }).end();
    else says('<Error><Code>NoSuchUpload</Code></Error>', 404)(response, query);
  };
  const large = Buffer.alloc(17 * 1024 * 1024);
  await assert.rejects(storage.write('videos/a', large, { contentType: 'video/mp4' }), StorageFault);
});

test('a listing that leads nowhere or back ends with a fault', async () => {
  answer = says(listing(`<IsTruncated>true</IsTruncated>${object('videos/a')}`));
  await assert.rejects(listed(), StorageFault);
  let pages = 0;
  answer = (response, query) => {
    pages++;
    const token = `<NextContinuationToken>${pages % 3}</NextContinuationToken>`;
    says(listing(`<IsTruncated>true</IsTruncated>${token}${object('videos/a')}`))(response, query);
  };
  await assert.rejects(listed(), StorageFault);
  assert.equal(pages, 4);
  answer = says(
    '<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>a</NextKeyMarker></ListMultipartUploadsResult>',
  );
  await assert.rejects(storage.abortUnfinished(new Date()), StorageFault);
});

test('a listing that names objects outside of its prefix is refused, so that emptying the prefix removes none of them', async () => {
  answer = says(listing(`<IsTruncated>false</IsTruncated>${object('videos/a')}${object('uploads/b')}`));
  await assert.rejects(listed(), StorageFault);
  assert.deepEqual(await listed(''), ['videos/a', 'uploads/b']);
});

test('an answer without an end is not read to its end', async () => {
  for (const status of [200, 404, 503]) {
    let isOpen = true;
    answer = (response) => {
      response.on('close', () => {
        isOpen = false;
      });
      const more = (): void => {
        while (isOpen && response.write(Buffer.alloc(64 * 1024, 'x')));
        if (isOpen) response.once('drain', more);
      };
      response.writeHead(status);
      more();
    };
    for (const name of ['list', 'abort', 'remove', 'write'])
      await assert.rejects(calls[name]?.() ?? assert.fail(), StorageFault, `${name} ${status}`);
    await storage.read('videos/a').catch((error) => assert.ok(error instanceof StorageFault));
  }
});

test('an answer that trickles is not waited for', async () => {
  for (const status of [200, 403]) {
    answer = async (response) => {
      response.writeHead(status);
      while (!response.destroyed) {
        response.write(' ');
        await sleep(50);
      }
    };
    for (const name of ['list', 'remove', 'read'])
      await assert.rejects(calls[name]?.() ?? assert.fail(), StorageFault, `${name} ${status}`);
  }
});
