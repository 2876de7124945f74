import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import type { RequestFacts, UserCaller } from '../../../kernel/operations/callers.ts';
import { type Proof, stepUpRules } from './step-up.ts';

// Each proof against each state of a member, without a platform around the rules.

const UNTIL = new Date('2026-03-01T12:10:00Z');
const CALLER = { userId: 'ada', email: 'ada@example.com', sessionId: 's1', hasFactor: true } as UserCaller;
const FACTS = { network: '192.0.2.1' } as RequestFacts;

interface State {
  totp?: boolean;
  recoveryCodesLeft?: number;
  passkeys?: number;
  /** Whether a second factor was added after the password was checked. */
  isDeleted?: boolean;
  isWrongCode?: boolean;
  isCopied?: boolean;
  isKnownPlace?: boolean;
}

/** Steps up with a proof; returns until when, or the failure, with what was done. */
async function stepUp(proof: Proof, state: State = {}, caller = CALLER) {
  const done: string[] = [];
  const { stepUp: rule } = stepUpRules({
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    users: {
      lock: async () => {
        done.push('locked');
        return state.isDeleted ? undefined : ({ id: 'ada' } as never);
      },
    },
    factors: {
      stateOf: async () => ({ totp: false, recoveryCodesLeft: 0, passkeys: 0, ...state }),
      useCode: async () => {
        done.push('used');
        return !state.isWrongCode;
      },
    } as never,
    passkeys: {
      verifyOf: async () => {
        done.push('verified');
        return 'a passkey' as never;
      },
      use: async () => !state.isCopied,
    } as never,
    elevation: {
      elevate: async () => {
        done.push('elevated');
        return UNTIL;
      },
    } as never,
    prove: (async () => {
      done.push('proven');
      return { mustStillHold: async () => done.push('still holds') };
    }) as never,
    throttle: {
      guard: async (subjects: { limit: string; name: string }[], work: () => unknown) => {
        done.push(...subjects.map(({ limit, name }) => `${limit} ${name}`));
        return work();
      },
    } as never,
    hasSignedInFrom: async () => state.isKnownPlace === true,
  });
  const result = await rule(caller, FACTS, proof).catch(({ status, code }: Failure) => `${status} ${code}`);
  return { result, done };
}
const ATTEMPTS = ['accountFromAddress ada@example.com 192.0.2.1', 'session s1'];
const WRONG_FACTOR = '400 WRONG_FACTOR';
const passkey = {} as Proof['passkey'] & object;

test('exactly one proof is required', async () => {
  for (const proof of [{}, { password: 'a', mfaCode: 'b' }, { mfaCode: 'b', passkey }])
    assert.equal((await stepUp(proof)).result, '422 VALIDATION_FAILED');
});

test('a password suffices only while the member has no second factor', async () => {
  const free = { ...CALLER, hasFactor: false };
  const good = await stepUp({ password: 'a' }, { recoveryCodesLeft: 3 }, free);
  assert.deepEqual(good, {
    result: { until: UNTIL },
    done: ['proven', 'locked', 'still holds', 'elevated'],
  });
  assert.deepEqual(await stepUp({ password: 'a' }), { result: WRONG_FACTOR, done: [] });
  for (const added of [{ totp: true }, { passkeys: 1 }]) {
    const { result, done } = await stepUp({ password: 'a' }, added, free);
    assert.deepEqual([result, done.includes('elevated')], [WRONG_FACTOR, false]);
  }
  assert.equal((await stepUp({ password: 'a' }, { isDeleted: true }, free)).result, '401 INVALID_TOKEN');
});

test('a code is used once, by members who have an app or recovery codes left', async () => {
  for (const state of [{ totp: true }, { recoveryCodesLeft: 1 }]) {
    const { result, done } = await stepUp({ mfaCode: '123456' }, state);
    assert.deepEqual(result, { until: UNTIL });
    assert.deepEqual([done.slice(0, 2), done.slice(3)], [ATTEMPTS, ['locked', 'used', 'elevated']]);
  }
  assert.equal((await stepUp({ mfaCode: '123456' }, { passkeys: 1 })).result, WRONG_FACTOR);
  const { result, done } = await stepUp({ mfaCode: '123456' }, { totp: true, isWrongCode: true });
  assert.match(String(result), /^40[01] /);
  assert.equal(done.includes('elevated'), false);
  const gone = await stepUp({ mfaCode: '123456' }, { totp: true, isDeleted: true });
  assert.deepEqual([gone.result, gone.done.includes('used')], ['401 INVALID_TOKEN', false]);
});

test('a passkey is verified and used, unless a copy of it has been', async () => {
  const good = await stepUp({ passkey }, { passkeys: 1 });
  assert.deepEqual(good, { result: { until: UNTIL }, done: [...ATTEMPTS, 'verified', 'locked', 'elevated'] });
  assert.equal((await stepUp({ passkey }, { totp: true })).result, WRONG_FACTOR);
  const copied = await stepUp({ passkey }, { passkeys: 1, isCopied: true });
  assert.deepEqual([typeof copied.result, copied.done.includes('elevated')], ['string', false]);
  assert.equal((await stepUp({ passkey }, { passkeys: 1, isDeleted: true })).result, '401 INVALID_TOKEN');
});
