import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { passkeySignIn } from './passkey-sign-in.ts';

// What a sign-in does when the single statement for ordinary sign-ins cannot open its session.

/** Signs in while the statement answers so, and the passkey is judged and used so. */
function signIn(answer: () => Promise<object[]>, { isJudged = true, isUsed = true } = {}) {
  const done: string[] = [];
  const judged = { user: { id: 'ada', credentialVersion: 3 }, use: { id: 'k', counter: 1, backedUp: false } };
  const rule = passkeySignIn({
    database: { all: answer } as never,
    passkeys: { judge: async () => (isJudged ? judged : undefined), use: async () => isUsed } as never,
    users: {
      mustBeAdmitted: async () => {
        done.push('admitted');
      },
    } as never,
    sessions: {
      prepare: async () => {
        done.push('prepared');
      },
      draft: (userId: string) => ({
        session: { id: 's1', userId, address: '192.0.2.1' },
        refreshToken: 'r',
        stored: { digest: Buffer.from('d'), at: new Date(), expiresAt: new Date() },
      }),
      openDrafted: async (_drafted: unknown, store: () => Promise<unknown>) => store(),
      open: async (_verified: unknown, { also }: { also: (tx: unknown) => Promise<void> }) => {
        await also('tx');
        done.push('opened alone');
        return 'alone';
      },
    } as never,
    throttle: { guard: async (_subjects: unknown, work: () => unknown) => work() } as never,
  });
  const facts = { network: '192.0.2.1' } as never;
  const result = rule({} as never, { platform: 'web' } as never, facts).then(
    ({ opened }) => opened as unknown,
    (error: Failure) => error.code ?? error.message,
  );
  return result.then((opened) => ({ opened, done }));
}
const rolledBack = (code: string) => async (): Promise<object[]> => {
  throw Object.assign(new Error('rolled back'), { code });
};

test('an ordinary sign-in is opened by the statement alone', async () => {
  const opened = { id: 's1', hasReplaced: false };
  assert.deepEqual(await signIn(async () => [opened]), { opened, done: ['admitted', 'prepared'] });
});

test('a sign-in that the statement leaves out, or that is rolled back, is opened alone', async () => {
  for (const answer of [
    async () => [],
    async () => [{ id: 'other', hasReplaced: true }],
    rolledBack('23505'),
  ])
    assert.deepEqual((await signIn(answer)).opened, 'alone');
});

test('another fault of the statement is not covered up', async () => {
  const { opened, done } = await signIn(rolledBack('42703'));
  assert.notEqual(opened, 'alone');
  assert.equal(done.includes('opened alone'), false);
});

test('a passkey that is rejected, or that a copy has used meanwhile, opens nothing', async () => {
  const rejected = await signIn(async () => [], { isJudged: false });
  assert.deepEqual([typeof rejected.opened, rejected.done], ['string', []]);
  const copied = await signIn(async () => [], { isUsed: false });
  assert.deepEqual([copied.opened, copied.done.includes('opened alone')], [rejected.opened, false]);
});
