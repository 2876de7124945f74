import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { secretsOf } from '../../../kernel/secrets.ts';
import { DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import { authenticating } from './authenticating.ts';
import type { KnownSession } from './sessions.model.ts';
import { signInLinks } from './sign-in-links.ts';

// Who calls, by what is stored of their session at that moment, and what a link of a mail still opens.

const AT = new Date('2026-03-01T12:00:00Z');
let nowMs = AT.getTime();
const clock = { now: () => nowMs, date: () => new Date(nowMs), elapsedMs: () => nowMs };
const SESSION = {
  sessionId: 's1',
  userId: 'ada',
  email: 'ada@example.com',
  permissions: ['educator'],
  isActive: true,
  isEnded: false,
  hasFactor: true,
  elevatedUntil: null,
  isEmailVerified: true,
} as KnownSession;

function calling(session: Partial<KnownSession> | undefined, needsVerifiedEmail = true) {
  const found = session && { ...SESSION, ...session };
  return authenticating({
    store: { findAll: async (ids) => ids.map((id) => (id === 's1' ? found : undefined)) },
    tokens: {
      endedKeys: async () => new Set<string>(),
      verify: async (token) => {
        if (token === 'forged') throw invalidToken();
        return { sessionId: token, userId: 'ada', expiresMs: AT.getTime() + 5, kid: 'k' };
      },
    },
    clock,
    needsVerifiedEmail,
  });
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ status, code }: Failure) => `${status} ${code}`,
  );

test('a caller is the owner of an active session, with what is stored of them now', async () => {
  const { caller, expiresAt } = await calling({}).authenticateUntil('s1');
  const { userId, email, permissions, sessionId, hasFactor, isElevated, lacksVerifiedEmail } = caller;
  assert.deepEqual(
    [userId, email, permissions, sessionId, hasFactor, isElevated, lacksVerifiedEmail],
    ['ada', 'ada@example.com', ['educator'], 's1', true, false, false],
  );
  assert.deepEqual(expiresAt, new Date(AT.getTime() + 5));
  const elevated = { elevatedUntil: new Date(AT.getTime() + 1) };
  assert.equal((await calling(elevated).authenticate('s1')).isElevated, true);
});

test('a session that is unknown, ended or of another member is no caller, nor an inactive account', async () => {
  for (const [session, token, code] of [
    [{}, 'forged', '401 INVALID_TOKEN'],
    [{}, 's2', '401 INVALID_TOKEN'],
    [undefined, 's1', '401 INVALID_TOKEN'],
    [{ isEnded: true }, 's1', '401 INVALID_TOKEN'],
    [{ userId: 'ben' }, 's1', '401 INVALID_TOKEN'],
    [{ isActive: false }, 's1', '403 ACCOUNT_INACTIVE'],
    [{ isActive: false, isEnded: true }, 's1', '403 ACCOUNT_INACTIVE'],
    [{ isActive: false, userId: 'ben' }, 's1', '401 INVALID_TOKEN'],
  ] as const)
    assert.equal(await codeOf(calling(session).authenticate(token)), code, JSON.stringify(session));
});

test('a verified address is missed only where it is needed', async () => {
  const lacks = async (isEmailVerified: boolean, isNeeded: boolean) =>
    (await calling({ isEmailVerified }, isNeeded).authenticate('s1')).lacksVerifiedEmail;
  assert.deepEqual(
    [await lacks(false, true), await lacks(true, true), await lacks(false, false)],
    [true, false, false],
  );
});

test('of several sessions the active ones of active accounts have callers', async () => {
  const callers = async (session: Partial<KnownSession>) =>
    (await calling(session).callersOf(['s1', 's2'])).map(({ userId }) => userId);
  assert.deepEqual(await callers({}), ['ada']);
  for (const over of [{ isEnded: true }, { isActive: false }]) assert.deepEqual(await callers(over), []);
});

test('a link ends the session that it names for seven days, and no other', () => {
  const links = signInLinks(
    secretsOf(['a secret for this test, long enough']),
    clock,
    () => 'https://a.example/',
  );
  const [one, other] = ['a'.repeat(24), 'b'.repeat(24)];
  const link = links.of(one, AT);
  const [address, token = ''] = link.split('?token=');
  assert.equal(address, 'https://a.example/v1/auth/new-sign-in');
  assert.equal(links.read(token), one);
  for (const forged of [
    token.replace(one, other),
    token.replace(one, 'a'),
    `${token}.more`,
    token.split('.').slice(0, 2).join('.'),
    '',
  ])
    assert.equal(links.read(forged), undefined, forged);
  nowMs = AT.getTime() + 7 * DAY_MS - SECOND_MS;
  assert.equal(links.read(token), one);
  nowMs = AT.getTime() + 7 * DAY_MS;
  assert.equal(links.read(token), undefined);
});
