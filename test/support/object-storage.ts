import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { s3Storage } from '../../src/external/storage/s3.ts';
import { manualClock } from '../../src/kernel/time/time.ts';
import { storageServer } from '../../src/sandbox/storage/index.ts';

/** Opens the object storage at `STORAGE_TEST_URL`, or else a local one that ends with the test file. */
export async function startStorage() {
  const folder = mkdtempSync(join(tmpdir(), 'platform-storage-test-'));
  const clock = manualClock();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'a secret of the tests' };
  const bucket = 'platform';
  const local = storageServer({
    folder: join(folder, 'objects'),
    basePath: '/storage',
    credentials,
    bucket,
    clock,
  });
  const server = createServer((request, response) => void local.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const localUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/storage`;

  const externalUrl = process.env.STORAGE_TEST_URL ? new URL(process.env.STORAGE_TEST_URL) : undefined;
  const endpoint = externalUrl ? externalUrl.origin : localUrl;
  const bucketName = externalUrl?.pathname.slice(1) ?? bucket;
  const storage = s3Storage({
    endpoint,
    publicEndpoint: endpoint,
    region: externalUrl?.searchParams.get('region') ?? 'us-east-1',
    bucket: bucketName,
    accessKeyId: externalUrl ? decodeURIComponent(externalUrl.username) : credentials.accessKeyId,
    secretAccessKey: externalUrl ? decodeURIComponent(externalUrl.password) : credentials.secretAccessKey,
    clock,
  });
  /** Options that skip tests that need control over the server's clock and folder. */
  const onlyLocal = { skip: externalUrl ? 'the storage is not the local one' : false };
  const prefix = `contract-test/${randomUUID()}`;

  after(async () => {
    storage.close();
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function readAll(key: string, range?: { first: number; last?: number }) {
    const found = await storage.read(key, { range });
    if (!found) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of found.body) chunks.push(chunk as Buffer);
    return { ...found, content: Buffer.concat(chunks) };
  }

  return {
    storage,
    local,
    localUrl,
    bucket,
    folder,
    clock,
    credentials,
    endpoint,
    bucketName,
    prefix,
    onlyLocal,
    readAll,
  };
}
