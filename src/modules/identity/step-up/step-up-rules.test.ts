import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import { type Proof, stepUpRules } from './step-up.ts';

// Steps up against requests of the same moment: what was true when the request was let in may have ended.

const UNTIL = new Date('2026-03-01T12:10:00Z');
const CALLER = { userId: 'ada', email: 'ada@example.com', sessionId: 's1', hasFactor: false } as UserCaller;

interface State {
  caller?: Partial<UserCaller>;
  /** The factors before the proof is looked at, and under the lock. */
  factors?: { totp?: boolean; recoveryCodesLeft?: number; passkeys?: number };
  lockedFactors?: State['factors'];
  isDeleted?: boolean;
  hasPasswordChanged?: boolean;
  isCodeRight?: boolean;
  isPasskeyUsed?: boolean;
  hasSignedInFrom?: boolean;
}

async function stepUp(proof: Proof, state: State = {}) {
  const guarded: object[] = [];
  const factorsOf = (factors: State['factors'] = {}) => ({
    totp: false,
    recoveryCodesLeft: 0,
    passkeys: 0,
    ...factors,
  });
  let elevated = 0;
  const { stepUp } = stepUpRules({
    database: { transaction: async (work: CallableFunction) => work('tx') } as never,
    users: { lock: async () => (state.isDeleted ? undefined : { id: 'ada' }) } as never,
    factors: {
      stateOf: async (_userId: string, tx?: unknown) =>
        factorsOf(tx ? (state.lockedFactors ?? state.factors) : state.factors),
      useCode: async () => state.isCodeRight !== false,
    } as never,
    passkeys: { verifyOf: async () => 'key', use: async () => state.isPasskeyUsed !== false } as never,
    elevation: {
      elevate: async () => {
        elevated++;
        return UNTIL;
      },
    } as never,
    prove: (async () => ({
      mustStillHold: async () => {
        if (state.hasPasswordChanged) throw new Error('the password has changed');
      },
    })) as never,
    throttle: {
      guard: async (subjects: object[], attempt: () => Promise<unknown>) => {
        guarded.push(...subjects);
        return attempt();
      },
    } as never,
    hasSignedInFrom: async () => state.hasSignedInFrom === true,
  });
  const outcome = await stepUp(
    { ...CALLER, ...state.caller },
    { network: 'net' } as RequestFacts,
    proof,
  ).then(
    ({ until }) => until,
    ({ code, status, message }: Failure) => (status ? `${status} ${code}` : message),
  );
  assert.equal(elevated, outcome === UNTIL ? 1 : 0);
  return { outcome, guarded };
}
const outcomeOf = async (proof: Proof, state?: State) => (await stepUp(proof, state)).outcome;

const PASSWORD: Proof = { password: 'p' };
const CODE: Proof = { mfaCode: '123456' };
const PASSKEY: Proof = { passkey: {} as never };
const WRONG = '400 WRONG_FACTOR';

test('exactly one proof is taken', async () => {
  for (const proof of [{}, { ...PASSWORD, ...CODE }, { ...CODE, ...PASSKEY }])
    assert.match(String(await outcomeOf(proof)), /^422/);
});

test('a password elevates only who has no other factor, also if it came in the same moment', async () => {
  assert.equal(await outcomeOf(PASSWORD), UNTIL);
  assert.equal(await outcomeOf(PASSWORD, { caller: { hasFactor: true } }), WRONG);
  for (const lockedFactors of [{ totp: true }, { passkeys: 1 }, { totp: true, passkeys: 2 }])
    assert.equal(await outcomeOf(PASSWORD, { lockedFactors }), WRONG);
  assert.equal(await outcomeOf(PASSWORD, { hasPasswordChanged: true }), 'the password has changed');
});

test('a code elevates who has an app or recovery codes, and a wrong one does not', async () => {
  assert.equal(await outcomeOf(CODE), WRONG);
  assert.equal(await outcomeOf(CODE, { factors: { passkeys: 1 } }), WRONG);
  for (const factors of [{ totp: true }, { recoveryCodesLeft: 1 }, { totp: true, recoveryCodesLeft: 3 }]) {
    assert.equal(await outcomeOf(CODE, { factors }), UNTIL);
    assert.match(String(await outcomeOf(CODE, { factors, isCodeRight: false })), /WRONG_MFA_CODE|INVALID/);
  }
});

test('a passkey elevates who has one, unless it was used or removed in the same moment', async () => {
  assert.equal(await outcomeOf(PASSKEY), WRONG);
  assert.equal(await outcomeOf(PASSKEY, { factors: { totp: true } }), WRONG);
  const factors = { passkeys: 1 };
  assert.equal(await outcomeOf(PASSKEY, { factors }), UNTIL);
  assert.match(String(await outcomeOf(PASSKEY, { factors, isPasskeyUsed: false })), /PASSKEY/);
});

test('who was deleted in the same moment is not elevated, whatever the proof', async () => {
  const factors = { totp: true, passkeys: 1 };
  assert.equal(await outcomeOf(PASSWORD, { isDeleted: true }), '401 INVALID_TOKEN');
  for (const proof of [CODE, PASSKEY])
    assert.equal(await outcomeOf(proof, { isDeleted: true, factors }), '401 INVALID_TOKEN');
});

test('attempts count by address and session, and codes by whether the address is known', async () => {
  const attempts = [
    { limit: 'accountFromAddress', name: 'ada@example.com net' },
    { limit: 'session', name: 's1' },
  ];
  const factors = { totp: true, passkeys: 1 };
  const codes = (name: string) => [...attempts, { limit: 'codesOfAccount', name }];
  assert.deepEqual((await stepUp(PASSKEY, { factors })).guarded, attempts);
  assert.deepEqual((await stepUp(CODE, { factors })).guarded, codes('ada'));
  assert.deepEqual((await stepUp(CODE, { factors, hasSignedInFrom: true })).guarded, codes('ada known'));
});
