import assert from 'node:assert/strict';
import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { exportJWK, generateKeyPair } from 'jose';
import type { Failure } from '../../../kernel/failures.ts';
import { expiredToken, invalidToken } from '../../../kernel/operations/access.ts';
import { systemClock } from '../../../kernel/time/time.ts';
import { SIGNING_ALGORITHM } from './key-ring.ts';
import { signedTokens, type TokenKind } from './signed-tokens.ts';
import type { SigningKeys } from './signing-keys.ts';

const NOW_MS = 1_800_000_000_000;
const NOW = NOW_MS / 1_000;
const clock = { ...systemClock, now: () => NOW_MS };
const KIND: TokenKind = {
  type: 'at+jwt',
  audience: 'test',
  lifetimeMs: 900_000,
  requiredClaims: ['sid'],
  invalid: invalidToken,
  expired: expiredToken,
};

const [current, previous] = await Promise.all(['current', 'previous'].map(newKey));

async function newKey(kid: string) {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = (await exportJWK(pair.privateKey)) as JsonWebKey;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { kid, createdAt: new Date(NOW_MS), publicKey: pair.publicKey, privateKey };
}
type Key = Awaited<ReturnType<typeof newKey>>;

/** Tokens that are signed again where that is possible, or left to the library alone. */
function tokensOf(signingNow: Key | undefined) {
  const keys: Pick<SigningKeys, 'signing' | 'signingNow' | 'verifying'> = {
    signing: async () => current as Key,
    signingNow: () => signingNow,
    verifying: async (kid) => [current, previous].find((key) => key?.kid === kid)?.publicKey,
  };
  return signedTokens(keys as SigningKeys, clock, KIND);
}
const both = tokensOf(current);
const library = tokensOf(undefined);

/** Returns the claims of a token, or the code of its failure. */
async function outcome(tokens: typeof both, token: string): Promise<unknown> {
  try {
    return await tokens.verify(token);
  } catch (error) {
    return (error as Failure).code;
  }
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

function signedBy({ kid, privateKey }: Key, claims: unknown, header: object = {}): string {
  const signed = `${encoded({ alg: SIGNING_ALGORITHM, typ: KIND.type, kid, ...header })}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

test('a token is valid with its claims by the current key and by the one before', async () => {
  const token = await both.sign('ada', { sid: 'one' });
  const payload = { sid: 'one', iss: 'platform-api', aud: 'test', sub: 'ada', iat: NOW, exp: NOW + 900 };
  assert.deepEqual(await both.verify(token), { payload, kid: 'current' });
  assert.deepEqual(await both.verify(signedBy(previous as Key, payload)), { payload, kid: 'previous' });
});

test('a token of a former key has expired, so that clients refresh it; one that is valid for too long is invalid', async () => {
  const keys: Pick<SigningKeys, 'signing' | 'signingNow' | 'verifying'> = {
    signing: async () => current as Key,
    signingNow: () => current,
    verifying: async () => 'former',
  };
  const tokens = signedTokens(keys as SigningKeys, clock, KIND);
  const claims = { sid: 'one', iss: 'platform-api', aud: 'test', sub: 'ada', iat: NOW, exp: NOW + 900 };
  assert.equal(await outcome(tokens, signedBy(previous as Key, claims)), 'TOKEN_EXPIRED');
  for (const key of [current, previous])
    assert.equal(await outcome(both, signedBy(key as Key, { ...claims, exp: NOW + 901 })), 'INVALID_TOKEN');
});

test('a token from the future has expired, so that it cannot outlive its minutes and a clock set back signs nobody out', async () => {
  const claims = { sid: 'one', iss: 'platform-api', aud: 'test', sub: 'ada' };
  for (const key of [current, previous]) {
    const from = (iat: number) => signedBy(key as Key, { ...claims, iat, exp: iat + 900 });
    assert.equal(await outcome(both, from(NOW + 61)), 'TOKEN_EXPIRED');
    assert.equal(await outcome(both, from(NOW + 800)), 'TOKEN_EXPIRED');
    // The clocks of two processes may differ by a minute.
    assert.equal(((await outcome(both, from(NOW + 60))) as { kid: string }).kid, key?.kid);
  }
});

test('a token of the current key is checked without the library', async () => {
  const withoutLibrary: Pick<SigningKeys, 'signing' | 'signingNow' | 'verifying'> = {
    signing: async () => current as Key,
    signingNow: () => current,
    verifying: () => assert.fail('the library was asked'),
  };
  const tokens = signedTokens(withoutLibrary as SigningKeys, clock, KIND);
  const { payload } = await tokens.verify(await tokens.sign('ada', { sid: 'one' }));
  assert.equal(payload.sub, 'ada');
});

test('a token whose last character is changed is invalid, whatever it was', async () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  const claims = { iss: 'platform-api', aud: 'test', sub: 'ada', sid: 'one', iat: NOW, exp: NOW + 900 };
  for (const key of [current, previous]) {
    const token = signedBy(key as Key, claims);
    const outcomes = await Promise.all(letters.map((letter) => outcome(both, token.slice(0, -1) + letter)));
    const accepted = letters.filter((_letter, place) => outcomes[place] !== 'INVALID_TOKEN');
    assert.deepEqual(accepted, [token.at(-1)]);
  }
});

test('whatever is signed, signing again decides as the library does', async () => {
  const valid = { iss: 'platform-api', aud: 'test', sub: 'ada', sid: 'one', iat: NOW, exp: NOW + 900 };
  const others = fc.oneof(
    fc.constantFrom(undefined, null, 'test', 'platform-api', ['test'], ['other', 'test'], '', true),
    fc.constantFrom(NOW - 1, NOW, NOW + 1, NOW + 0.5, NOW + 60, NOW + 61, -1, 0, 1e300, String(NOW + 900)),
  );
  const name = fc.constantFrom('iss', 'aud', 'sub', 'sid', 'iat', 'exp', 'nbf', 'more');
  const changes = fc.array(fc.tuple(name, others), { maxLength: 2 });
  const claims = fc.oneof(
    { weight: 9, arbitrary: changes.map((some) => ({ ...valid, ...Object.fromEntries(some) })) },
    { weight: 1, arbitrary: fc.constantFrom(null, [], 'text', 5) },
  );
  const header = fc.constantFrom(
    {},
    {},
    {},
    { typ: 'sso+jwt' },
    { alg: 'none' },
    { kid: 'x' },
    { crit: ['x'] },
  );
  await fc.assert(
    fc.asyncProperty(claims, header, fc.boolean(), async (some, changed, isCurrent) => {
      const token = signedBy((isCurrent ? current : previous) as Key, some, changed);
      assert.deepEqual(await outcome(both, token), await outcome(library, token));
    }),
    { numRuns: 500 },
  );
});

test('whatever is changed in a token, signing again decides as the library does', async () => {
  const token = await both.sign('ada', { sid: 'one' });
  const place = fc.nat({ max: token.length });
  const text = fc.string({ unit: fc.constantFrom(...'AZaz09-_.=+/ \u00e9'), maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(place, fc.nat({ max: 2 }), text, async (from, length, inserted) => {
      const changed = token.slice(0, from) + inserted + token.slice(from + length);
      assert.deepEqual(await outcome(both, changed), await outcome(library, changed));
    }),
    { numRuns: 500 },
  );
});
