import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { digestOf } from '../../../kernel/secrets.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import { type PresentedToken, REFRESH_TOKEN_MS, type Session } from './sessions.model.ts';
import { sessionRules } from './sessions.ts';

// How sessions open, are refreshed and end against requests of the same moment, without a platform around the rules.

const AT = new Date('2026-03-01T12:00:00Z');
const at = (ms: number) => new Date(AT.getTime() + ms);
const FACTS = { userAgent: 'x'.repeat(600), address: '203.0.113.7' } as never;
const PLACE = { platform: 'web', device: 'Laptop' } as const;
const TOKEN: PresentedToken = {
  sessionId: 's1',
  userId: 'ada',
  generation: 3,
  newestGeneration: 3,
  usedAt: null,
  expiresAt: at(1_000),
  isEnded: false,
  isActive: true,
} as PresentedToken;

interface State {
  locked?: { isActive?: boolean; credentialVersion?: number } | undefined;
  isParentActive?: boolean;
  hasReplaced?: boolean;
  token?: Partial<PresentedToken> | undefined;
  ended?: number;
  /** The session in place of another, each time that it is looked for. */
  successors?: { id: string; userId: string }[][];
  access?: object | Error;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const token = 'token' in state && state.token === undefined ? undefined : { ...TOKEN, ...state.token };
  const rules = sessionRules({
    store: {
      lockUser: async () =>
        'locked' in state && state.locked === undefined
          ? undefined
          : {
              isActive: true,
              credentialVersion: 1,
              email: 'ada@example.com',
              firstName: 'Ada',
              ...state.locked,
            },
      isActive: async (_tx: unknown, id: string) => {
        done.push(['parent', id]);
        return state.isParentActive !== false;
      },
      open: async (_tx: unknown, session: Session, stored: object, parentId?: string) => {
        done.push(['open', session, stored, parentId]);
        return state.hasReplaced === true;
      },
      raiseCredentialVersion: async () => done.push(['raise']),
      end: async (_tx: unknown, userId: string, target: object, { reason }: { reason: string }) => {
        done.push(['end', userId, target, reason]);
        return state.ended ?? 1;
      },
      endedOf: async (ids: string[]) => ids.filter((id) => id === 'gone'),
      successorsOf: async () => state.successors?.shift() ?? [],
      endPassedOn: async (_tx: unknown, { sessionId }: { sessionId: string }) =>
        done.push(['end passed on', sessionId]),
      findToken: async () => token,
      lockPresented: async () => token,
      spend: async (_tx: unknown, id: string, generation: number) => done.push(['spend', id, generation]),
      insertToken: async (_tx: unknown, id: string, { generation }: { generation: number }) =>
        done.push(['insert', id, generation]),
      pageOf: async (_userId: string, request: object) => ({
        ...request,
        items: [{ elevatedUntil: at(1) }, { elevatedUntil: at(-1) }, { elevatedUntil: null }],
        total: 3,
      }),
    } as never,
    tokens: {
      prepare: async () => undefined,
      issue: async ({ sessionId }: { sessionId: string }) => `token of ${sessionId}`,
      prepareRenewal: async () => undefined,
      verify: async () => {
        if (state.access instanceof Error) throw state.access;
        return state.access ?? { sessionId: 's1', userId: 'ada' };
      },
    } as never,
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    clock: manualClock(AT.getTime()),
    newId: () => 's9',
    newSignIns: {
      note: async () => [{ kind: 'device', name: 'Laptop' }],
      tell: async (_tx: unknown, { email }: { email: string }, { id }: Session, fresh: object[]) =>
        done.push(['mail', email, id, fresh.length]),
      forget: async (_tx: unknown, userId: string, { id }: { id: string }) =>
        done.push(['forget', userId, id]),
    } as never,
    reuseLeewaySeconds: 10,
    publishChange: async (userId) => void done.push(['tell', userId]),
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      (result) => result,
      ({ status, code, message }: Failure) => (code ? `${status} ${code}` : message),
    );
  return { rules, done, codeOf, kinds: () => done.map(([what]) => what) };
}
const USER = { id: 'ada', credentialVersion: 1 };
const OPENING = { place: PLACE, method: 'password', facts: FACTS } as const;

test('a session opens with its first refresh token, and its owner is mailed unless they have just signed up', async () => {
  const { rules, done, kinds } = ruling();
  const opened = await rules.open({ user: USER }, OPENING);
  assert.deepEqual([opened.sessionId, opened.accessToken], ['s9', 'token of s9']);
  const [, session, stored, parent] = done.find(([what]) => what === 'open') as [
    string,
    Session,
    { digest: Buffer; generation: number; expiresAt: Date },
    undefined,
  ];
  assert.deepEqual(
    [session.userAgent.length, session.deviceId, session.device, session.createdAt, parent],
    [500, null, 'Laptop', AT, undefined],
  );
  assert.ok(stored.digest.equals(digestOf(opened.refreshToken)));
  assert.deepEqual([stored.generation, stored.expiresAt], [1, at(REFRESH_TOKEN_MS)]);
  assert.deepEqual(done.at(-1), ['mail', 'ada@example.com', 's9', 1]);
  assert.ok(!kinds().includes('tell'));
  const first = ruling();
  await first.rules.open({ user: USER }, { ...OPENING, isSignUp: true });
  assert.ok(!first.kinds().includes('mail'));
  const replacing = ruling({ hasReplaced: true });
  await replacing.rules.open({ user: USER }, OPENING);
  assert.deepEqual(replacing.done.at(-1), ['tell', 'ada']);
});

test('what was verified must still hold as the session opens', async () => {
  for (const [state, code, parentSessionId] of [
    [{ locked: undefined }, '401 AUTHENTICATION_FAILED'],
    [{ locked: { isActive: false } }, '403 ACCOUNT_INACTIVE'],
    [{ locked: { credentialVersion: 2 } }, '401 AUTHENTICATION_FAILED'],
    [{ isParentActive: false }, '401 AUTHENTICATION_FAILED', 's0'],
  ] as [State, string, string?][]) {
    const { rules, codeOf, kinds } = ruling(state);
    const verified = { user: USER, ...(parentSessionId && { parentSessionId }) };
    assert.match(
      String(await codeOf(rules.open(verified, OPENING))),
      new RegExp(`${code}|INVALID_CREDENTIALS`),
    );
    assert.ok(!kinds().includes('mail') && !kinds().includes('tell'));
  }
  const { rules, done } = ruling();
  await rules.open({ user: USER, parentSessionId: 's0' }, OPENING);
  assert.deepEqual(
    done.find(([what]) => what === 'parent'),
    ['parent', 's0'],
  );
  assert.equal(done.find(([what]) => what === 'open')?.[3], 's0');
  const alone = ruling({ isParentActive: false });
  await alone.rules.open({ user: USER }, OPENING);
  assert.ok(!alone.kinds().includes('parent'));
});

test('a refresh token is exchanged once, and a repetition of the latest exchange within seconds is a retry', async () => {
  const { rules, done } = ruling();
  const { accessToken } = await rules.refresh('r');
  const exchanged = [
    ['spend', 's1', 3],
    ['insert', 's1', 4],
  ];
  assert.deepEqual([accessToken, done], ['token of s1', exchanged]);
  const used = (ms: number, fields: Partial<PresentedToken> = {}) =>
    ruling({ token: { generation: 2, usedAt: at(-ms), ...fields } });
  const retried = used(9_999);
  await retried.rules.refresh('r');
  assert.deepEqual(retried.done, exchanged);
  for (const reused of [
    used(10_000),
    used(1, { generation: 1 }),
    used(1, { generation: 3 }),
    used(1, { newestGeneration: 4 }),
  ]) {
    assert.equal(await reused.codeOf(reused.rules.refresh('r')), '401 INVALID_REFRESH_TOKEN');
    assert.deepEqual(reused.done, [
      ['end', 'ada', { sessionId: 's1' }, 'refresh token reused'],
      ['end passed on', 's1'],
      ['tell', 'ada'],
    ]);
  }
});

test('an unknown, ended or expired refresh token gives nothing, nor does one of an inactive account', async () => {
  for (const [token, code] of [
    [undefined, '401 INVALID_REFRESH_TOKEN'],
    [{ isEnded: true }, '401 INVALID_REFRESH_TOKEN'],
    [{ expiresAt: AT }, '401 INVALID_REFRESH_TOKEN'],
    [{ isActive: false }, '403 ACCOUNT_INACTIVE'],
  ] as const) {
    const { rules, done, codeOf } = ruling({ token });
    assert.equal(await codeOf(rules.refresh('r')), code);
    assert.deepEqual(done, []);
  }
});

test('two tokens are of one session if both are good and belong to it', async () => {
  const ofTokens = (state: State) => {
    const { rules, codeOf } = ruling(state);
    return codeOf(rules.ofTokens({ accessToken: 'a', refreshToken: 'r' }));
  };
  assert.deepEqual(await ofTokens({}), { sessionId: 's1', userId: 'ada' });
  for (const token of [undefined, { sessionId: 's2' }, { isEnded: true }, { usedAt: AT }, { expiresAt: AT }])
    assert.equal(await ofTokens({ token }), undefined, JSON.stringify(token));
  assert.equal(await ofTokens({ access: invalidToken() }), undefined);
  assert.equal(await ofTokens({ access: new Error('away') }), 'away');
});

test('the end of sessions is announced, and ending all of them ends pending sign-ins as well', async () => {
  for (const [target, kinds] of [
    [{}, ['raise', 'end', 'tell']],
    [{ except: 's1' }, ['raise', 'end', 'tell']],
    [{ platform: 'web' }, ['end', 'tell']],
    [{ device: 'Laptop' }, ['end', 'tell']],
    [{ sessionId: 's1' }, ['end', 'tell']],
  ] as const) {
    const made = ruling();
    assert.equal(await made.rules.signOut('ada', target as never), 1);
    assert.deepEqual(made.kinds(), kinds, JSON.stringify(target));
  }
  const none = ruling({ ended: 0 });
  assert.equal(await none.rules.signOut('ada', { platform: 'web' }), 0);
  assert.ok(!none.kinds().includes('tell'));
  const unknown = ruling({ ended: 0 });
  assert.equal(await unknown.codeOf(unknown.rules.signOut('ada', { sessionId: 's1' })), '404 NOT_FOUND');
  assert.deepEqual([await none.rules.hasEnded('gone'), await none.rules.hasEnded('s1')], [true, false]);
});

test('a disowned session, or the one in its place, ends, and its place is new again', async () => {
  const successors = [
    { id: 's2', userId: 'ada' },
    { id: 's3', userId: 'ada' },
  ];
  const { rules, done } = ruling({ successors: [successors, successors] });
  assert.equal(await rules.disown('s1'), 2);
  assert.deepEqual(done, [
    ['forget', 'ada', 's2'],
    ['end', 'ada', { sessionId: 's2' }, 'disowned'],
    ['end', 'ada', { sessionId: 's3' }, 'disowned'],
    ['tell', 'ada'],
  ]);
  for (const [state, ended] of [
    [{ successors: [] }, []],
    [{ successors: [successors] }, []],
    [{ successors: [successors, successors], ended: 0 }, ['forget', 'end', 'end']],
  ] as [State, string[]][]) {
    const made = ruling(state);
    assert.equal(await made.rules.disown('s1'), 0);
    assert.deepEqual(made.kinds(), ended);
  }
  assert.equal(await ruling({ successors: [successors] }).rules.canBeDisowned('s1'), true);
  assert.equal(await ruling().rules.canBeDisowned('s1'), false);
});

test('an elevation that is over is not shown', async () => {
  const { items } = await ruling().rules.pageOf('ada', { page: 1, limit: 9 });
  assert.deepEqual(
    items.map(({ elevatedUntil }) => elevatedUntil),
    [at(1), null, null],
  );
});
