import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure, insufficientPermissions } from '../../kernel/failures.ts';
import { accountInactive, expiredToken, invalidToken } from '../../kernel/operations/access.ts';
import { idempotent } from './idempotent.ts';

/** Runs an operation that fails under an Idempotency-Key; returns whether its refusal is kept. */
async function isKept(refusal: Failure): Promise<boolean> {
  let saved = false;
  const store = {
    once: async (_lookup: unknown, work: (context: object) => Promise<unknown>) => ({
      answered: await work({ id: 'i', record: (answer: () => unknown) => answer() }),
    }),
    saveResponse: async () => {
      saved = true;
    },
  };
  const run = idempotent(store as never, {} as never);
  const work = {
    input: () => ({}),
    prepare: async () => async () => {
      throw refusal;
    },
  };
  const request = { headers: { 'idempotency-key': 'k' }, caller: { kind: 'user', userId: 'ada' } };
  await assert.rejects(
    run({ id: 'withdraw', idempotent: true } as never, request as never, {} as never, work),
    {
      code: refusal.code,
    },
  );
  return saved;
}

test('a refusal that would be repeated is kept under its Idempotency-Key', async () => {
  for (const [status, code] of [
    [400, 'INSUFFICIENT_BALANCE'],
    [404, 'USER_NOT_FOUND'],
    [403, 'WALLET_LOCKED'],
    [422, 'VALIDATION_FAILED'],
  ] as const)
    assert.equal(await isKept(failure(status, code, 'no')()), true, code);
});

test('a refusal of a session, an account or its rights passes, so that the same request may succeed later', async () => {
  for (const refusal of [invalidToken(), expiredToken(), accountInactive(), insufficientPermissions()])
    assert.equal(await isKept(refusal), false, refusal.code);
  for (const status of [409, 429, 503]) assert.equal(await isKept(failure(status, 'LATER', 'no')()), false);
});
