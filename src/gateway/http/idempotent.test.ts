import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Failure, failure, insufficientPermissions, validationFailed } from '../../kernel/failures.ts';
import { accountInactive, invalidToken } from '../../kernel/operations/access.ts';
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
  const run = idempotent(store as never, { sealer: {} } as never);
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
    [422, 'CHARTING_USERNAME_REQUIRED'],
  ] as const)
    assert.equal(await isKept(failure(status, code, 'no')()), true, code);
});

test('a refusal that passes is not kept, so that the same request may succeed later', async () => {
  const muted = failure(403, 'MUTED', 'You are muted')();
  for (const refusal of [
    invalidToken(),
    accountInactive(),
    insufficientPermissions(),
    muted,
    validationFailed([]),
  ])
    assert.equal(await isKept(refusal), false, refusal.code);
  for (const status of [409, 429, 503]) assert.equal(await isKept(failure(status, 'LATER', 'no')()), false);
});
