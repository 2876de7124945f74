import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, test } from 'node:test';
import { exportOwnData, presignProfilePicture, signIn } from '../../sdk/src/index.ts';
import { storageNotConfigured } from '../../src/external/storage/port.ts';
import { sandboxStorage } from '../../src/sandbox/index.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';
import { assertRefused } from '../support/refused.ts';

// The sandbox of this platform contains the storage that the programs use.
const platform = await startPlatform();
const right = sandboxStorage({ url: platform.sandboxUrl });
const { url: databaseUrl, drop } = await newDatabase();
after(drop);

/** Accepts connections and never answers. */
const silent = createServer(() => undefined).listen(0, '127.0.0.1');
await once(silent, 'listening');
silent.unref();

/** Answers every request alike, as the sign-in page of a network does. */
async function pageWith(status: number): Promise<string> {
  const page = createHttpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'text/html', etag: '"1"' }).end('<html>Sign in</html>');
  }).listen(0, '127.0.0.1');
  await once(page, 'listening');
  page.unref();
  return `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
}

async function startWith(storage: Record<string, string>) {
  const program = await startProgram(['src/main.js', 'start'], {
    ...PRODUCTION,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    STORAGE_ENDPOINT: right.endpoint,
    STORAGE_REGION: right.region,
    STORAGE_BUCKET: right.bucket,
    STORAGE_ACCESS_KEY_ID: right.accessKeyId,
    STORAGE_SECRET_ACCESS_KEY: right.secretAccessKey,
    ...storage,
  });
  return {
    ...program,
    /** The storage's problems according to the log. */
    reasons: () =>
      program
        .complaints()
        .split('\n')
        .filter((line) => line.includes('the storage is unavailable'))
        .map((line) => JSON.parse(line).reason as string),
    degraded: async () =>
      ((await (await fetch(`${program.readyValues.url}/health/ready`)).json()) as { degraded?: string[] })
        .degraded ?? [],
    up: async () =>
      /^storage_up (\d)$/m.exec(await (await fetch(`${program.readyValues.url}/metrics`)).text())?.[1],
  };
}

const faults: [string, Record<string, string>, RegExp][] = [
  ['has no such bucket', { STORAGE_BUCKET: 'another' }, /there is no bucket another; check STORAGE_BUCKET/],
  [
    'refuses the secret',
    { STORAGE_SECRET_ACCESS_KEY: 'not the right secret' },
    /the credentials are refused; check STORAGE_ACCESS_KEY_ID, STORAGE_SECRET_ACCESS_KEY/,
  ],
  [
    'refuses connections',
    { STORAGE_ENDPOINT: 'http://127.0.0.1:1' },
    /127\.0\.0\.1:1 cannot be used; check STORAGE_ENDPOINT/,
  ],
  [
    'hangs',
    { STORAGE_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
    /cannot be used; check STORAGE_ENDPOINT and the service \(no answer within/,
  ],
  [
    'is a page that answers 200 to everything',
    { STORAGE_ENDPOINT: await pageWith(200) },
    /cannot be used; check STORAGE_ENDPOINT and the service \(200 for an object that does not exist/,
  ],
  [
    'is a page that answers 404 to everything',
    { STORAGE_ENDPOINT: await pageWith(404) },
    /cannot be used; check STORAGE_ENDPOINT and the service \(platform-check-\w+: 404/,
  ],
];

for (const [what, settings, reason] of faults) {
  test(`a storage that ${what} is reported at the start, in readiness and by a metric`, async () => {
    const { reasons, degraded, up, readyValues, end } = await startWith(settings);
    assert.match(reasons()[0] ?? '', reason);
    assert.deepEqual([await degraded(), await up()], [['storage'], '0']);
    assert.equal((await fetch(`${readyValues.url}/health/ready`)).status, 200, 'everything else works');
    await end('SIGTERM');
  });
}

test('a storage outage is detected without traffic, logged once, and its end noticed', async () => {
  const { reasons, degraded, up, complaints, end } = await startWith({});
  assert.deepEqual([await degraded(), await up(), reasons()], [[], '1', []]);
  await platform.standIn('storage', { mode: 'fail' });
  await until(async () => (await degraded()).includes('storage'), 'the loss');
  assert.equal(await up(), '0');
  await platform.standIn('storage', { mode: 'ok' });
  await until(async () => (await degraded()).length === 0, 'the recovery');
  assert.equal(await up(), '1');
  assert.equal(reasons().length, 1);
  assert.match(complaints(), /the storage is available again/);
  await end('SIGTERM');
});

test('without a storage exports and uploads are refused for good, instead of until later', async () => {
  const program = await startProgram(['src/main.js', 'start'], {
    ...PRODUCTION,
    DATABASE_URL: databaseUrl,
    DRAIN_SECONDS: '0',
  });
  after(() => program.end('SIGKILL'));
  const api = new Client(program.readyValues.url as string, { 'x-api-key': PRODUCTION.API_KEY });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = PRODUCTION;
  const { accessToken } = (await api.call(signIn, { body: { email, password, platform: 'backoffice' } }))
    .data;
  const admin = api.as(accessToken);
  const body = { fileName: 'a.jpg', fileSize: 5, contentType: 'image/jpeg' } as const;
  for (const refused of [
    await admin.attempt(exportOwnData),
    await admin.attempt(presignProfilePicture, { body }),
  ]) {
    assertRefused(refused, storageNotConfigured);
    assert.equal(refused.headers.get('retry-after'), null);
  }
});
