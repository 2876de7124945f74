import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { getProfile, refreshToken as refreshTokenOperation, signIn } from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { SECRET_KEY, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { secretsOf } from '../../../kernel/secrets.ts';
import { invalidRefreshToken } from './refresh-tokens.ts';

const platform = await startPlatform();
const { client } = platform;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const renew = async (refreshToken: string) =>
  (await client.call(refreshTokenOperation, { body: { refreshToken } })).data;
const refresh = (refreshToken: string) => client.attempt(refreshTokenOperation, { body: { refreshToken } });

test('refreshing replaces both tokens, and reusing an old one ends the session', async () => {
  const ada = await platform.newMember();
  const first = await renew(ada.refreshToken);
  assert.deepEqual(Object.keys(first), ['accessToken', 'refreshToken']);
  const renewed = client.as(first.accessToken);
  assert.equal((await renewed.call(getProfile)).status, 200);
  const reused = await refresh(ada.refreshToken);
  assertRefused(reused, invalidRefreshToken);
  assertRefused(await renewed.attempt(getProfile), invalidToken, 'its access tokens are refused at once');
  assertRefused(await refresh(first.refreshToken), invalidRefreshToken);
  assertRefused(await refresh('nonsense'), invalidRefreshToken);
});

test('of fifty concurrent refreshes with one token one succeeds, and the session ends', async () => {
  const ada = await platform.newMember();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => untilAvailable(() => refresh(ada.refreshToken))),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(49).fill(401)]);
  assertRefused(await ada.client.attempt(getProfile), invalidToken);
});

test('refreshes and sign-ins in any order agree with a simple model', async () => {
  // Every token ever given, in order; a session is alive with one current token, or over.
  interface Given {
    token: string;
    session: { current: string | undefined };
  }
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.nat({ max: 30 }) },
    { weight: 1, arbitrary: fc.constant('sign in' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const ada = await platform.newMember();
      const given: Given[] = [{ token: ada.refreshToken, session: { current: ada.refreshToken } }];
      for (const one of steps) {
        if (one === 'sign in') {
          const body = { email: ada.email, password: PASSWORD, platform: 'web' as const };
          const token = (await client.call(signIn, { body })).data.refreshToken as string;
          for (const { session } of given) session.current = undefined;
          given.push({ token, session: { current: token } });
          continue;
        }
        const { token, session } = given[one % given.length] as Given;
        const { status, data } = await refresh(token);
        assert.equal(status, session.current === token ? 200 : 401);
        session.current = data?.refreshToken;
        if (data) given.push({ token: data.refreshToken, session });
      }
    }),
    { numRuns: 40 },
  );
});

test('access tokens last 15 minutes, refresh tokens 30 days', async () => {
  const ada = await platform.newMember();
  const { exp, iat } = decodeJwt(ada.accessToken);
  assert.equal((exp as number) - (iat as number), 15 * 60);
  platform.clock.advance(14 * MINUTE_MS + 50_000);
  assert.equal((await ada.client.call(getProfile)).status, 200);
  platform.clock.advance(20_000);
  const expired = await ada.client.attempt(getProfile);
  assert.deepEqual(
    [expired.status, expired.body.error, expired.body.message],
    [401, 'TOKEN_EXPIRED', 'User authentication required'],
  );
  platform.clock.advance(29 * DAY_MS);
  const second = await renew(ada.refreshToken);
  platform.clock.advance(31 * DAY_MS);
  assertRefused(await refresh(second.refreshToken), invalidRefreshToken);
});

test('forged tokens are 401', async () => {
  const ada = await platform.newMember();
  const { privateKey, publicKey } = await generateKeyPair('EdDSA');
  const [head = '', payload = '', signature = ''] = ada.accessToken.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = decodeJwt(ada.accessToken);
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
    .sign(privateKey);
  const symmetric = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
    .sign(new TextEncoder().encode('x'.repeat(32)));
  const own = { alg: 'EdDSA', typ: 'at+jwt', jwk: await exportJWK(publicKey) };
  const bad = {
    forged,
    'with its own key': await new SignJWT(claims).setProtectedHeader({ ...own, kid }).sign(privateKey),
    'with its own key alone': await new SignJWT(claims).setProtectedHeader(own).sign(privateKey),
    symmetric,
    none: `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
    'no key id': `${encode({ alg: 'EdDSA', typ: 'at+jwt' })}.${payload}.${signature}`,
    'unknown key': `${encode({ alg: 'EdDSA', typ: 'at+jwt', kid: 'x' })}.${payload}.${signature}`,
    'changed claims': `${head}.${encode({ ...claims, sub: platform.adminId })}.${signature}`,
    'not a token': 'abc',
    long: 'a'.repeat(5000),
  };
  for (const [name, token] of Object.entries(bad)) {
    const { status, body } = await client.as(token).attempt(getProfile);
    assert.deepEqual(
      [status, body.error, body.message],
      [401, 'INVALID_TOKEN', 'User authentication required'],
      name,
    );
  }
  for (const authorization of ['Basic eDp5', 'Bearer', ada.accessToken, 'Bearer a b']) {
    const { status } = await client.with({ authorization }).attempt(getProfile);
    assert.equal(status, 401, authorization);
  }
  assert.equal((await ada.client.call(getProfile)).status, 200);
});

test('tokens signed with our key for another audience, purpose or time are 401', async () => {
  const ada = await platform.newMember();
  const claims = decodeJwt(ada.accessToken);
  const { kid } = JSON.parse(Buffer.from(ada.accessToken.split('.')[0] as string, 'base64url').toString());
  const rows = await platform.database.all('select sealed from identity.signing_key where kid = $1', [kid]);
  const jwk = secretsOf([SECRET_KEY])
    .sealer('identity.signing-key')
    .open(rows[0]?.sealed as Buffer);
  const privateKey = await importJWK(JSON.parse(jwk), 'EdDSA');
  const status = async (changed: object, typ = 'at+jwt') => {
    const token = await new SignJWT({ ...claims, ...changed })
      .setProtectedHeader({ alg: 'EdDSA', typ, kid })
      .sign(privateKey);
    return (await client.as(token).attempt(getProfile)).status;
  };
  const nowSeconds = Math.floor(platform.clock.now() / 1000);
  assert.equal(await status({}), 200);
  assert.equal(await status({ iss: 'someone-else' }), 401);
  assert.equal(await status({ aud: 'production' }), 401, 'of another environment');
  assert.equal(await status({ aud: 'live-platform' }), 401);
  assert.equal(await status({}, 'sso+jwt'), 401);
  assert.equal(await status({ nbf: nowSeconds + 60 }), 401, 'not yet valid');
  assert.equal(await status({ exp: nowSeconds - 1 }), 401);
  assert.equal(await status({ exp: undefined }), 401);
  assert.equal(await status({ sid: 'f'.repeat(24) }), 401);
  assert.equal(await status({ sub: platform.adminId }), 401, "a session is its user's");
});
