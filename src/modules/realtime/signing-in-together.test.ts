import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidToken } from '../../kernel/operations/access.ts';
import { authCommands } from './auth.commands.ts';

/** Signs members in; records in which turn of the event loop each was looked up. */
function scene(check: (token: string) => Promise<void>) {
  let turn = 0;
  const lookUps: number[] = [];
  const [auth] = authCommands({
    identity: { checkToken: check },
    verifier: {
      async authenticate(_connection: object, token: string) {
        lookUps.push(turn);
        void nextTurn().then(() => turn++);
        return { caller: { userId: token, sessionId: token }, expiresAt: new Date(), asOfMs: 0 };
      },
    },
    channels: { join: async () => undefined },
    members: { add: () => [] },
    places: { stopWaiting: () => undefined, wait: () => undefined, join: () => true },
  } as unknown as Parameters<typeof authCommands>[0]);
  const signIn = (token: string) => {
    const connection = { isOpen: true, signIn: () => undefined };
    return auth?.handle({ fields: { token }, caller: undefined, connection } as never);
  };
  return { signIn, lookUps };
}

test('members are looked up together although their signatures are verified one after another', async () => {
  const { signIn, lookUps } = scene(async (turns) => {
    for (let left = Number(turns); left > 0; left--) await nextTurn();
  });
  await signIn('0');
  // A busy machine may delay one of them beyond the time for which the others wait, but hardly each time.
  for (let round = 0; round < 20; round++) {
    await Promise.all(['1', '3', '5'].map(signIn));
    if (new Set(lookUps.slice(-3)).size === 1) return;
  }
  assert.fail('they never were');
});

test('a member whose token is invalid is not looked up', async () => {
  const { signIn, lookUps } = scene(async () => {
    throw invalidToken();
  });
  await assert.rejects(async () => signIn('0'), { code: 'INVALID_TOKEN' });
  assert.deepEqual(lookUps, []);
});
