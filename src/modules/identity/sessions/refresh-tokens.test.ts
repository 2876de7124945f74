import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, serviceUnavailable } from '../../../kernel/failures.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { refreshTokenRules } from './refresh-tokens.ts';
import type { PresentedToken } from './sessions.model.ts';

// Each state of a refresh token, without a platform around the rules.

const NOW_MS = Date.parse('2026-03-01T12:00:00Z');
const at = (ms: number): Date => new Date(NOW_MS + ms);
const TOKEN: PresentedToken = {
  sessionId: 's1',
  userId: 'ada',
  isActive: true,
  isEnded: false,
  generation: 4,
  newestGeneration: 4,
  expiresAt: at(DAY_MS),
  usedAt: null,
};
const CLAIMS = { userId: 'ada', sessionId: 's1', expiresMs: NOW_MS + 1 };

/** Presents a token in a state, if there is one; the access token beside it is verified by `verify`. */
function presenting(
  fields: Partial<PresentedToken> | undefined,
  verify = async () => CLAIMS,
  prepareRenewal = async () => undefined as unknown,
) {
  const token = fields && { ...TOKEN, ...fields };
  const done: unknown[][] = [];
  const rules = refreshTokenRules({
    store: {
      findToken: async () => token,
      lockPresented: async () => token,
      end: async (_tx: unknown, userId: string, target: object, { reason }: { reason: string }) =>
        done.push(['end', userId, target, reason]),
      endPassedOn: async (_tx: unknown, { sessionId }: { sessionId: string }) =>
        done.push(['end passed on', sessionId]),
      spend: async (_tx: unknown, sessionId: string, generation: number) =>
        done.push(['spend', sessionId, generation]),
      insertToken: async (
        _tx: unknown,
        sessionId: string,
        { generation, at, expiresAt }: PresentedToken & { at: Date },
      ) => done.push(['insert', sessionId, generation, expiresAt.getTime() - at.getTime()]),
    } as never,
    tokens: { verify, prepareRenewal, issue: async () => 'an access token' } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    clock: { now: () => NOW_MS, date: () => at(0) } as never,
    reuseLeewaySeconds: 10,
    publishChange: async (userId) => {
      done.push(['publish', userId]);
    },
  });
  return {
    done,
    ofTokens: () => rules.ofTokens({ accessToken: 'a', refreshToken: 'r' }),
    refresh: () => rules.refresh('r').catch(({ status, code }: Failure) => `${status} ${code}`),
  };
}
const INVALID = '401 INVALID_REFRESH_TOKEN';
const RENEWED = [
  ['spend', 's1', 4],
  ['insert', 's1', 5, 30 * DAY_MS],
];

test('a refresh token is exchanged for the next generation', async () => {
  const { refresh, done } = presenting({});
  const pair = (await refresh()) as { accessToken: string; refreshToken: string };
  assert.equal(pair.accessToken, 'an access token');
  assert.ok(pair.refreshToken.length > 20);
  assert.deepEqual(done, RENEWED);
});

test('a refresh token is not spent while the signing keys cannot be read', async () => {
  const unreadable = presenting({}, undefined, () => Promise.reject(serviceUnavailable()));
  assert.equal(await unreadable.refresh(), '503 SERVICE_UNAVAILABLE');
  assert.deepEqual(unreadable.done, []);
});

test('unknown, expired and ended tokens are refused, and so are inactive accounts', async () => {
  for (const [fields, failure] of [
    [undefined, INVALID],
    [{ isEnded: true }, INVALID],
    [{ expiresAt: at(-1) }, INVALID],
    [{ expiresAt: at(0) }, INVALID],
    [{ isActive: false }, '403 ACCOUNT_INACTIVE'],
    [{ isActive: false, isEnded: true }, '403 ACCOUNT_INACTIVE'],
    [{ isActive: false, expiresAt: at(0) }, INVALID],
  ] as const) {
    const { refresh, done } = presenting(fields);
    assert.deepEqual([await refresh(), done], [failure, []]);
  }
});

test('the predecessor of the newest token is accepted for seconds, and any other reuse ends the session', async () => {
  const reused = { generation: 3, usedAt: at(-9 * SECOND_MS) };
  const retry = presenting(reused);
  assert.equal(typeof (await retry.refresh()), 'object');
  assert.deepEqual(retry.done, RENEWED);
  for (const fields of [
    { ...reused, usedAt: at(-10 * SECOND_MS) },
    { ...reused, usedAt: at(-11 * SECOND_MS) },
    { ...reused, generation: 2 },
    { ...reused, generation: 4 },
  ]) {
    const { refresh, done } = presenting(fields);
    assert.equal(await refresh(), INVALID);
    assert.deepEqual(done, [
      ['end', 'ada', { sessionId: 's1' }, 'refresh token reused'],
      ['end passed on', 's1'],
      ['publish', 'ada'],
    ]);
  }
});

test('two tokens name a session only if both belong to it and are good', async () => {
  assert.deepEqual(await presenting({}).ofTokens(), CLAIMS);
  for (const fields of [
    undefined,
    { sessionId: 's2' },
    { isEnded: true },
    { usedAt: at(-1) },
    { expiresAt: at(-1) },
    { expiresAt: at(0) },
  ])
    assert.equal(await presenting(fields).ofTokens(), undefined);
  const invalid = async () => Promise.reject(invalidToken());
  assert.equal(await presenting({}, invalid).ofTokens(), undefined);
  assert.equal(await presenting(undefined, invalid).ofTokens(), undefined);
  await assert.rejects(
    presenting({}, async () => Promise.reject(new Error('away'))).ofTokens(),
    /away/,
    'an outage is no answer',
  );
  assert.equal(await presenting({}, async () => Promise.reject(serviceUnavailable())).ofTokens(), undefined);
});
