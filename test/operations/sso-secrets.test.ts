// Single sign-on by a link has tokens in its query, which must not appear in the log or in reports of failures.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { recordPurchase, signIn, signUp } from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-sso-'));
const program = await startProgram(['src/main.js', 'start'], {
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'debug',
});
const database = openDatabase({ url: databaseUrl, connections: 1, onBackgroundError: () => undefined });
after(async () => {
  await program.end('SIGKILL');
  await database.close();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const url = program.readyValues.url as string;
const client = new Client(url, { 'x-api-key': program.readyValues.adminApiKey as string });
const { data: ada } = await client.call(signUp, {
  body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
});
const PATH = '/v1/auth/signin-sso';
/** Texts that must not appear anywhere. */
const secrets = ['canary-access-4711', 'canary-refresh-4711'];

test('refused links have a Referrer-Policy', async () => {
  const query = `userId=${ada.user.id}&accessToken=${secrets[0]}&refreshToken=${secrets[1]}`;
  const refused = [
    `${PATH}?${query}&platform=web`,
    `${PATH}/?${query.replace('accessToken', 'access%54oken')}&platform=web`,
    `${PATH}?${query}&platform=nowhere`,
    `${PATH}?${query}&${query}&platform=web`,
    `${PATH}?${query}&platform=web&x=%zz`,
    `${PATH}s?${query}`,
    `/v1/errors/${ada.user.id}?${query}`,
  ];
  for (const [place, target] of refused.entries()) {
    const asking = client.with({
      referer: url + target,
      'x-request-id': `sso-${place}`,
      cookie: `accessToken=${secrets[0]}`,
    });
    const { status, headers } = await asking.raw('GET', target);
    assert.ok(status >= 400 && status < 500, `${status} ${target}`);
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
  }
  assert.ok((await client.raw('POST', refused[0] as string)).status >= 400);
});

test('the redirect of a link contains a token of its own only, and is not stored', async () => {
  const { adminEmail, adminPassword } = program.readyValues;
  const { data: admin } = await client.call(signIn, {
    body: { email: adminEmail as string, password: adminPassword as string, platform: 'web' },
  });
  const purchase = {
    sku: 'XHSET303',
    product_name: 'All of it',
    last_purchased_date: new Date().toISOString(),
  };
  await client
    .as(admin.accessToken)
    .call(recordPurchase, { params: { userId: ada.user.id }, body: purchase });
  const { accessToken, refreshToken } = ada;
  const query = new URLSearchParams({
    userId: ada.user.id,
    platform: 'livestream',
    accessToken,
    refreshToken,
  });
  const landed = await fetch(`${url}${PATH}?${query}`, { headers: client.headers, redirect: 'manual' });
  assert.equal(landed.status, 302);
  const location = landed.headers.get('location') ?? '';
  const { searchParams } = new URL(location);
  assert.deepEqual(
    [...searchParams.keys()].filter((name) => name !== 'from'),
    ['token'],
  );
  assert.equal(landed.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(landed.headers.get('cache-control'), 'no-store');
  secrets.push(accessToken, refreshToken);
  for (const secret of secrets) assert.ok(!location.includes(secret));
  secrets.push(searchParams.get('token') ?? '');
});

test('neither the log nor the reports contain a token of these links', async () => {
  assert.equal(secrets.length, 5);
  await until(() => program.complaints().includes('"requestId":"sso-6"'), 'the lines are written');
  assert.equal(await program.end('SIGTERM'), 0); // which stores the reports that wait
  const reports = await database.all<{ report: string }>('select report::text from gateway.error_report');
  assert.ok(reports.some(({ report }) => report.includes('sso-0')));
  for (const secret of secrets) {
    assert.ok(!program.complaints().includes(secret), 'the log has it');
    assert.ok(!reports.some(({ report }) => report.includes(secret)), 'a report has it');
  }
});
