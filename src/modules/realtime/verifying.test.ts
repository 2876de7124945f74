import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalidToken } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Authenticated } from '../identity/contract.ts';
import type { Connection } from './connection.ts';
import { verifying } from './verifying.ts';

const ADA: UserCaller = {
  kind: 'user',
  userId: 'ada',
  email: 'a@example.com',
  permissions: [],
  sessionId: 's',
  hasFactor: false,
  isElevated: false,
  lacksVerifiedEmail: false,
};

/** A connection, an identity that counts its reads, and a clock that both share. */
function scene() {
  const state = { nowMs: 0, reads: 0, isConnected: true, isEnded: false };
  const connection = { token: '', caller: undefined, verification: undefined } as unknown as Connection;
  const verifier = verifying({
    identity: {
      async authenticateUntil(): Promise<Authenticated> {
        state.reads++;
        const asOfMs = ++state.nowMs;
        if (state.isEnded) throw invalidToken();
        return { caller: ADA, expiresAt: new Date(), keyId: 'key', asOfMs };
      },
    },
    bus: { isConnected: () => state.isConnected },
  });
  const arrive = () => {
    connection.arrivedAtMs = ++state.nowMs;
  };
  return {
    state,
    connection,
    verifier,
    arrive,
    /** Signs in with a token. */
    async signIn(token = 'first'): Promise<void> {
      await verifier.authenticate(connection, token);
      connection.caller = ADA;
      connection.token = token;
    },
  };
}

test('a permission check covers messages that arrived before it began, and no later ones', async () => {
  const { state, connection, verifier, arrive, signIn } = scene();
  arrive();
  await signIn();
  assert.equal(await verifier.callerOf(connection), ADA);
  assert.equal(await verifier.callerOf(connection), ADA);
  assert.equal(state.reads, 1);
  arrive();
  state.isEnded = true;
  await assert.rejects(verifier.callerOf(connection), { code: invalidToken().code });
  assert.equal(state.reads, 2);
});

test('a message that arrived at the instant of the check is not covered', async () => {
  const { state, connection, verifier, signIn } = scene();
  await signIn();
  connection.arrivedAtMs = connection.verification?.asOfMs as number;
  await verifier.callerOf(connection);
  assert.equal(state.reads, 2);
});

test('a change notice invalidates the check, also one that is in progress', async () => {
  const { state, connection, verifier, arrive, signIn } = scene();
  arrive();
  const signingIn = signIn();
  verifier.noteChange();
  await signingIn;
  state.isEnded = true;
  await assert.rejects(verifier.callerOf(connection), { code: invalidToken().code });

  const later = scene();
  later.arrive();
  await later.signIn();
  later.verifier.noteChange();
  await later.verifier.callerOf(later.connection);
  assert.equal(later.state.reads, 2);
});

test('while change notices may be lost, each message is checked by itself', async () => {
  const { state, connection, verifier, arrive, signIn } = scene();
  arrive();
  await signIn();
  state.isConnected = false;
  await verifier.callerOf(connection);
  assert.equal(state.reads, 2);
});

test('the check of a rejected token covers no message', async () => {
  const { state, connection, verifier, arrive, signIn } = scene();
  arrive();
  await signIn();
  await verifier.authenticate(connection, 'of somebody else');
  assert.equal(connection.token, 'first');
  await verifier.callerOf(connection);
  assert.equal(state.reads, 3);
});

test('an unauthenticated connection has no caller', async () => {
  const { connection, verifier } = scene();
  await assert.rejects(verifier.callerOf(connection), { status: 401 });
});
