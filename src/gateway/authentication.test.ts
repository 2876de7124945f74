import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { USER } from '../../test/support/callers.ts';
import {
  Failure,
  type FailureMaker,
  insufficientPermissions,
  serviceUnavailable,
} from '../kernel/failures.ts';
import {
  type Access,
  accountInactive,
  administrator,
  administratorOrAdminKey,
  administratorOrInternal,
  adminKey,
  anyClient,
  authenticationRequired,
  authorized,
  expiredToken,
  holds,
  invalidToken,
  mailWebhookSecret,
  member,
  memberOrClient,
  memberOrInternal,
  permitted,
  signedLink,
  signedWebhook,
  webhookNotConfigured,
  webhookSecret,
  wrongWebhookSecret,
} from '../kernel/operations/access.ts';
import type { Caller } from '../kernel/operations/callers.ts';
import { stepUpRequired } from '../kernel/operations/step-up.ts';
import { emailNotVerified } from '../kernel/operations/verified-email.ts';
import { adminKeyRequired, admitCaller, authentication, type Credentials } from './authentication.ts';
import type { StoredKey } from './keys/api-keys.model.ts';
import { type ApiKeys, apiKeyRequired, invalidApiKey } from './keys/api-keys.ts';

const [ADMIN, READER] = [
  { ...USER, permissions: ['admin'] },
  { ...USER, permissions: ['reader'] },
];
const CLIENT: Caller = { kind: 'client' };
const SERVICE: Caller = { kind: 'service' };
const keyOf = (tier: string): StoredKey => ({ id: tier, tier }) as StoredKey;
const NOTHING: Credentials = { isService: false, hasWebhookSecret: undefined, hasMailSecret: undefined };
const [KEY, ADMIN_KEY] = [
  { ...NOTHING, key: keyOf('crm') },
  { ...NOTHING, key: keyOf('admin') },
];

/** Reads the credentials of a request with these headers and this query. */
const reading =
  ({
    internalKeys = ['internal', 'next'],
    webhookSecrets = ['old', 'new'],
    mailSecrets = ['earlier', 'later'],
  } = {}) =>
  (headers: Record<string, string | string[]>, query?: unknown) =>
    authentication({
      keys: {
        identify: async (key: string) => {
          if (key === 'broken') throw new Error('the database is away');
          if (key === 'busy') throw serviceUnavailable();
          if (key === 'faulty') throw new Failure(500, 'INTERNAL_SERVER_ERROR', 'An error');
          if (key !== 'crm' && key !== 'admin') throw invalidApiKey();
          return keyOf(key);
        },
      } as ApiKeys,
      authenticate: async (token) => {
        if (token === 'inactive') throw accountInactive();
        if (token !== 'good.token') throw invalidToken();
        return USER;
      },
      internalKeys,
      webhookSecrets,
      mailSecrets,
    })({ headers, query } as FastifyRequest);
const read = reading();
const codesOf = ({ keyFailure, tokenFailure }: Credentials) => [keyFailure?.code, tokenFailure?.code];

/** Asserts who is admitted, or how the call is refused. */
function assertAdmits(access: Access, credentials: Credentials, expected: Caller | FailureMaker): void {
  if (typeof expected !== 'function') {
    assert.deepEqual(admitCaller(access, credentials), expected);
    return;
  }
  const { status, code, message } = expected();
  assert.throws(
    () => admitCaller(access, credentials),
    (error: Failure) => {
      assert.deepEqual([error.status, error.code, error.message], [status, code, message]);
      return true;
    },
  );
}

test('keys and tokens are read from their headers, and wrong ones are distinguished from missing ones', async () => {
  const { key, user, ...rest } = await read({ 'x-api-key': 'crm', authorization: 'Bearer good.token' });
  assert.deepEqual(
    [key, user, rest],
    [keyOf('crm'), USER, { isService: false, hasWebhookSecret: false, hasMailSecret: false }],
  );
  assert.deepEqual(codesOf(await read({})), [apiKeyRequired().code, undefined]);
  assert.equal((await read({})).keyFailure?.status, 401);
  const wrong = await read({ 'x-api-key': 'wrong', authorization: 'Bearer wrong' });
  assert.deepEqual(codesOf(wrong), [invalidApiKey().code, invalidToken().code]);
  assert.deepEqual([wrong.key, wrong.user, wrong.keyFailure?.status], [undefined, undefined, 401]);
  for (const malformed of ['good.token', 'Bearer', 'Bearer a b', 'Basic good.token', ''])
    for (const [access, message] of [
      [member, authenticationRequired().message],
      [memberOrClient, authenticationRequired().message],
      [memberOrInternal, 'No token provided'],
    ] as const)
      assertAdmits(
        access,
        await read({ 'x-api-key': 'crm', authorization: malformed }),
        () => new Failure(401, 'AUTHENTICATION_REQUIRED', message),
      );
  assert.equal((await read({ authorization: 'Bearer inactive' })).tokenFailure?.status, 403);
  const both = await read({ authorization: 'bearer  good.token' });
  assert.deepEqual([both.user, 'key' in both], [USER, false]);
});

test('a fault while keys are looked up is no wrong key', async () => {
  await assert.rejects(read({ 'x-api-key': 'broken' }), /the database is away/);
  await assert.rejects(read({ 'x-api-key': 'busy' }), ({ status }: Failure) => status === 503);
  await assert.rejects(read({ 'x-api-key': 'faulty' }), ({ status }: Failure) => status === 500);
});

test('a service has one of the internal keys, where there are any', async () => {
  const isService = async (given: Record<string, string>, one = read) => (await one(given)).isService;
  for (const key of ['internal', 'next']) assert.equal(await isService({ 'x-internal-api-key': key }), true);
  assert.equal(await isService({ 'x-internal-api-key': 'internal,next' }), false);
  assert.equal(await isService({ 'x-internal-api-key': 'other' }), false);
  assert.equal(await isService({}), false);
  const without = reading({ internalKeys: [] });
  assert.equal(await isService({ 'x-internal-api-key': 'undefined' }, without), false);
});

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

test('each secret of the backoffice is accepted in its header alone, and none of the mail service', async () => {
  const has = async (headers: Record<string, string | string[]>, query?: unknown) =>
    (await read(headers, query)).hasWebhookSecret;
  for (const secret of ['old', 'new']) {
    assert.equal(await has({ 'x-webhook-secret': secret }), true);
    assert.equal(await has({}, { secret }), false);
    assert.equal(await has(basic(`anybody:${secret}`)), false);
  }
  for (const secret of ['wrong', 'earlier']) assert.equal(await has({ 'x-webhook-secret': secret }), false);
  assert.equal(await has({}), false);
  const unconfigured = await reading({ webhookSecrets: [] })({ 'x-webhook-secret': '' });
  assert.deepEqual([unconfigured.hasWebhookSecret, unconfigured.hasMailSecret], [undefined, false]);
});

test('each secret of the mail service is accepted in its header, in the query or as a password', async () => {
  const has = async (headers: Record<string, string | string[]>, query?: unknown) =>
    (await read(headers, query)).hasMailSecret;
  for (const secret of ['earlier', 'later']) {
    assert.equal(await has({ 'x-webhook-secret': secret }), true);
    assert.equal(await has({}, { secret }), true);
    assert.equal(await has(basic(`anybody:${secret}`)), true);
    assert.equal(await has(basic(secret)), true);
  }
  assert.equal(await has({ 'x-webhook-secret': 'wrong' }, { secret: 'later' }), false);
  for (const none of [{}, basic('later:wrong'), basic('old'), { authorization: 'Bearer later' }])
    assert.equal(await has(none), false);
  for (const query of [undefined, null, { secret: ['earlier', 'later'] }, { secret: 5 }])
    assert.equal(await has({}, query), false);
  const one = await reading({ mailSecrets: ['earlier'] })({ 'x-webhook-secret': 'earlier' });
  assert.equal(one.hasMailSecret, true);
  const unconfigured = await reading({ mailSecrets: [] })({ 'x-webhook-secret': '' });
  assert.deepEqual([unconfigured.hasWebhookSecret, unconfigured.hasMailSecret], [false, undefined]);
});

test('without an API key nobody is admitted where one is needed', () => {
  for (const access of [anyClient, member, administrator, adminKey, memberOrInternal]) {
    assertAdmits(access, NOTHING, apiKeyRequired);
    assertAdmits(access, { ...NOTHING, user: ADMIN, keyFailure: invalidApiKey() }, invalidApiKey);
    assertAdmits(access, { ...NOTHING, hasWebhookSecret: true }, apiKeyRequired);
  }
});

test('an API key alone opens what clients may call, and one of the Admin tier what operators may', () => {
  assertAdmits(anyClient, KEY, CLIENT);
  assertAdmits(anyClient, { ...KEY, user: ADMIN }, CLIENT);
  assertAdmits(adminKey, ADMIN_KEY, CLIENT);
  assertAdmits(adminKey, KEY, adminKeyRequired);
  assertAdmits(adminKey, { ...KEY, user: ADMIN }, adminKeyRequired);
  assertAdmits(memberOrClient, KEY, CLIENT);
  assertAdmits(administratorOrAdminKey, ADMIN_KEY, CLIENT);
  assertAdmits(administratorOrAdminKey, KEY, authenticationRequired);
});

test('a token counts where tokens are taken, and a wrong one is not overlooked', () => {
  const failed = { tokenFailure: invalidToken() };
  for (const access of [member, memberOrClient, memberOrInternal]) {
    assertAdmits(access, { ...KEY, user: USER }, USER);
    assertAdmits(access, { ...ADMIN_KEY, ...failed }, invalidToken);
  }
  assertAdmits(member, KEY, authenticationRequired);
  assertAdmits(memberOrInternal, KEY, () => new Failure(401, 'AUTHENTICATION_REQUIRED', 'No token provided'));
  assertAdmits(administratorOrAdminKey, { ...ADMIN_KEY, ...failed }, invalidToken);
  assertAdmits(administratorOrAdminKey, { ...ADMIN_KEY, user: USER }, insufficientPermissions);
  assertAdmits(administratorOrAdminKey, { ...KEY, user: ADMIN }, ADMIN);
});

test('permissions are judged, and `admin` implies all of them', () => {
  const [reader, either] = [permitted('reader'), permitted('writer', { or: ['reader'] })];
  for (const access of [administrator, administratorOrInternal, reader, either, authorized('reader')])
    assertAdmits(access, { ...KEY, user: ADMIN }, ADMIN);
  for (const access of [administrator, administratorOrInternal, permitted('writer'), authorized('writer')])
    assertAdmits(access, { ...KEY, user: READER }, insufficientPermissions);
  for (const access of [reader, either, authorized('reader')])
    assertAdmits(access, { ...KEY, user: READER }, READER);
  assert.equal(holds(CLIENT, 'reader'), false);
  assert.equal(holds(READER), false);
  assert.deepEqual(
    [member, anyClient, administrator, reader].map(({ isSelective }) => isSelective),
    [false, false, true, true],
  );
});

test('a service is admitted with the internal key alone, where services are', () => {
  const service = { ...NOTHING, isService: true };
  for (const access of [memberOrInternal, administratorOrInternal, authorized('reader')]) {
    assertAdmits(access, service, SERVICE);
    assert.equal(access.allows(SERVICE), true);
    assert.equal(access.allows(CLIENT), access === memberOrInternal);
  }
  for (const access of [member, administrator, anyClient]) assertAdmits(access, service, apiKeyRequired);
});

test('signed calls need no key, and webhooks of the backoffice and the mail service need their secrets', () => {
  for (const access of [signedWebhook, signedLink]) assertAdmits(access, NOTHING, CLIENT);
  const either = {
    ...signedLink,
    credentials: [
      ['apiKey', 'bearer'],
      ['bearer', 'signedLink'],
    ],
  } as Access;
  assertAdmits(either, NOTHING, CLIENT);
  const shared = { ...webhookSecret, credentials: [['webhookSecret'], ['apiKey']] } as Access;
  assertAdmits(shared, { ...KEY, hasWebhookSecret: false }, wrongWebhookSecret);
  assertAdmits(webhookSecret, { ...NOTHING, hasWebhookSecret: true }, CLIENT);
  assertAdmits(webhookSecret, { ...KEY, hasWebhookSecret: false }, wrongWebhookSecret);
  assertAdmits(webhookSecret, { ...KEY, hasWebhookSecret: undefined }, webhookNotConfigured);
  assertAdmits(
    webhookSecret,
    { ...NOTHING, hasWebhookSecret: false, hasMailSecret: true },
    wrongWebhookSecret,
  );
  assertAdmits(
    mailWebhookSecret,
    { ...NOTHING, hasWebhookSecret: true, hasMailSecret: false },
    wrongWebhookSecret,
  );
  assertAdmits(mailWebhookSecret, { ...NOTHING, hasMailSecret: true }, CLIENT);
  assertAdmits(mailWebhookSecret, { ...NOTHING, hasWebhookSecret: true }, webhookNotConfigured);
});

test('what is missing or wrong is 401, what is not allowed 403, and what is not configured 503', () => {
  const statusesOf = (...failures: FailureMaker[]) => failures.map((failure) => failure().status);
  const unauthenticated = [apiKeyRequired, invalidApiKey, authenticationRequired, invalidToken, expiredToken];
  assert.deepEqual(new Set(statusesOf(...unauthenticated, wrongWebhookSecret)), new Set([401]));
  assert.equal(administratorOrInternal.unauthenticated().status, 401);
  const forbidden = [adminKeyRequired, accountInactive, stepUpRequired, emailNotVerified];
  assert.deepEqual(new Set(statusesOf(...forbidden)), new Set([403]));
  assert.equal(webhookNotConfigured().status, 503);
  assert.equal(accountInactive().details.repeatsStatus, true);
});
