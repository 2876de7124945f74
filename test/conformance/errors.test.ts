import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buyKeys, createWallet, getBalance, getError, listErrors } from '../../sdk/src/index.ts';
import { adminKeyRequired } from '../../src/gateway/authentication.ts';
import { invalidId, notFound } from '../../src/kernel/failures.ts';
import { insufficientBalance } from '../../src/modules/wallet/contract.ts';
import type { Answer } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid, assertRefused } from '../support/refused.ts';

const platform = await startPlatform();
const { client } = platform;
const ada = await platform.newMemberWith(5);
const SECRET = 'do-not-store-me';
const reportOf = async ({ body }: Pick<Answer, 'body'>) =>
  (await client.call(getError, { params: { errorId: body.errorId as string } })).data;

test('a failure is found by its errorId, with the request redacted at any depth and in any letter case', async () => {
  const failed = await ada.client.with({ cookie: SECRET }).raw('POST', '/v1/wallets/transfer', {
    toUserId: platform.adminId,
    amount: 50,
    PassWord: SECRET,
    metadata: {
      deep: [{ accessToken: SECRET, refresh_token: SECRET, note: 'kept' }],
      'CLIENT-SECRET': SECRET,
    },
    description: `mine is ${ada.accessToken}`,
  });
  assertRefused(failed, insufficientBalance);
  const { stack, timestamp, request, ...rest } = await reportOf(failed);
  assert.deepEqual(rest, {
    errorId: failed.body.errorId,
    serviceName: 'Wallet',
    operation: 'transferKeys',
    errorType: 'Failure',
    errorCode: 'INSUFFICIENT_BALANCE',
    errorMessage: 'Insufficient balance',
    statusCode: 400,
    user: { id: ada.id, name: 'Test Member', userId: ada.id, email: ada.email },
    severity: 'medium',
  });
  assert.ok(stack?.includes('postings.ts'));
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
  assert.deepEqual([request.method, request.path], ['POST', '/v1/wallets/transfer']);
  const refused = await ada.client.raw('GET', `/v1/wallets/transactions?access_token=${SECRET}&page=2`);
  assertInvalid(refused);
  assert.equal(
    (await reportOf(refused)).request.path,
    '/v1/wallets/transactions?access_token=[REDACTED]&page=2',
  );
  const ofNobody = await ada.client
    .with({ authorization: 'Bearer unknown' })
    .raw('GET', `/v1/search?q=${encodeURIComponent(ada.email)}`);
  assert.equal(ofNobody.status, 401);
  assert.equal((await reportOf(ofNobody)).request.path, '/v1/search');
  assert.deepEqual(request.body, {
    toUserId: platform.adminId,
    amount: 50,
    PassWord: '[REDACTED]',
    metadata: {
      deep: [{ accessToken: '[REDACTED]', refresh_token: '[REDACTED]', note: 'kept' }],
      'CLIENT-SECRET': '[REDACTED]',
    },
    description: 'mine is [REDACTED]',
  });
  for (const header of ['authorization', 'x-api-key', 'cookie'])
    assert.equal(request.headers[header], '[REDACTED]');
  const rows = await platform.database.all('select report::text from gateway.error_report');
  assert.ok(!JSON.stringify(rows).includes(SECRET));
});

test('a secret under a misspelt name, or in the query, is in no report of a request that carries secrets', async () => {
  const { email } = ada;
  for (const [path, body] of [
    ['/v1/auth/signin', { email, passwort: SECRET, platform: 'web' }],
    ['/v1/auth/refresh-token', { refresh: SECRET }],
    ['/v1/auth/verify-email', { otc: SECRET }],
    ['/auth/reset-password', { email, code: '000000', neu: SECRET }],
    ['/auth/change-password', { old: SECRET, new: [SECRET] }],
    ['/v1/auth/step-up', { motDePasse: { value: SECRET } }],
  ] as const) {
    const refused = await ada.client.raw('POST', `${path}?p=${SECRET}`, body);
    const { request } = await reportOf(refused);
    assert.ok(!JSON.stringify(request).includes(SECRET), path);
    if ('email' in body) assert.equal((request.body as { email: string }).email, email);
  }
});

test('what looks like a token in a query or a header that the request does not have is in no report', async () => {
  const token = randomBytes(32).toString('base64url');
  const kept = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko', 'idempotency-key': randomUUID() };
  const refused = await ada.client
    .with({ ...kept, 'x-session': token, referer: `https://app.example.com/in?s=${token}&page=2` })
    .raw('GET', `/v1/trades?session=${token}&before=17`);
  const { request } = await reportOf(refused);
  assert.ok(!JSON.stringify(request).includes(token));
  assert.equal(request.path, '/v1/trades?session=[REDACTED]&before=17');
  const { referer, 'x-session': session, ...headers } = request.headers as Record<string, string>;
  assert.deepEqual([referer, session], ['https://app.example.com/in?s=[REDACTED]&page=2', '[REDACTED]']);
  for (const [name, value] of Object.entries(kept)) assert.equal(headers[name], value);
});

test('only a key of the Admin tier may look', async () => {
  const { key } = await platform.newKey('crm');
  const refused = await ada.client
    .with({ 'x-api-key': key })
    .attempt(getError, { params: { errorId: `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` } });
  assertRefused(refused, adminKeyRequired);
  const unknown = await client.attempt(getError, {
    params: { errorId: `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}` },
  });
  assertRefused(unknown, notFound('Error'));
  const malformed = await client.attempt(getError, { params: { errorId: '17' } });
  assertRefused(malformed, invalidId('error'));
});

test('an anonymous flood of one failure is sampled; all failures of known callers are stored', async () => {
  const bare = client.with({ 'x-api-key': undefined });
  await Promise.all(Array.from({ length: 100 }, () => bare.attempt(getBalance)));
  const answers = await Promise.all(Array.from({ length: 30 }, () => ada.client.raw('GET', '/v1/nothing')));
  await platform.standIn('payments', { mode: 'fail' });
  const outages = await Promise.all(
    Array.from({ length: 20 }, () => ada.client.attempt(buyKeys, { body: { amount: 50 } })),
  );
  for (const { status } of outages) assert.equal(status, 503);
  for (const answer of [...answers, ...outages]) assert.ok(await reportOf(answer));
  const rows = await platform.database.all(
    "select count(*)::int as count from gateway.error_report where report->>'errorCode' = 'API_KEY_REQUIRED'",
  );
  assert.ok((rows[0]?.count as number) <= 20, `${rows[0]?.count}`);
});

test('a failure is stored, and others with it, where its text or the name of a field is cut within an emoji', async () => {
  const long = `x${'😀'.repeat(5_000)}`;
  const refused = await Promise.all([
    ada.client.raw('POST', '/v1/wallets/transfer', { amount: -1, description: long }),
    ada.client.raw('POST', '/v1/wallets/transfer', { amount: -2 }),
    ada.client.raw('POST', '/v1/wallets/transfer', { amount: -3, [long]: 1 }),
  ]);
  for (const answer of refused) assert.equal((await reportOf(answer)).errorCode, 'INVALID_AMOUNT');
});

test('a connection reset by the client is not reported as a failure', async () => {
  const { hostname, port } = new URL(platform.url);
  const reset = async (afterMs: number): Promise<void> => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    // An unknown key is looked up in the database, during which the connection ends.
    socket.write(
      `GET /v1/search HTTP/1.1\r\nHost: x\r\nX-API-Key: pk_live_${randomBytes(12).toString('hex')}_x\r\n\r\n`,
    );
    await sleep(afterMs);
    socket.resetAndDestroy();
  };
  for (let round = 0; round < 30; round++) await reset(round % 3);
  // What comes later is stored later.
  const refused = await ada.client.attempt(listErrors);
  assert.ok(await reportOf(refused));
  const { status, body } = await platform.admin.call(listErrors, { query: { code: 'INTERNAL_ERROR' } });
  assert.equal(status, 200);
  assert.equal(body.pagination.total, 0, JSON.stringify(body.data[0]));
});

test('a report of an outage that was stored without a type is listed as well', async () => {
  const refused = await ada.client.raw('GET', '/v1/nothing');
  const errorId = refused.body.errorId as string;
  await reportOf(refused);
  await platform.database.execute(
    `update gateway.error_report set report = report - 'errorType' where error_id = $1`,
    [errorId],
  );
  assert.equal((await reportOf(refused)).errorType, 'Failure');
  const listed = (await platform.admin.call(listErrors)).data.find((one) => one.errorId === errorId);
  assert.equal(listed?.errorType, 'Failure');
});

test('work that loses to other transactions each time it is tried is answered 503', async (t) => {
  const { database } = platform;
  await database.execute(
    `create function deadlock() returns trigger language plpgsql as $$
     begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`,
  );
  await database.execute(
    'create trigger deadlock before insert on wallet.account for each row execute function deadlock()',
  );
  t.after(() => database.execute('drop function deadlock cascade'));
  const { client } = await platform.newMember();
  const refused = await client.attempt(createWallet);
  assert.deepEqual([refused.status, refused.body.error], [503, 'SERVICE_UNAVAILABLE']);
});
