import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../test/support/own-database.ts';
import { type Failure, failure } from '../failures.ts';
import { systemClock } from '../time/time.ts';
import { type IdempotencyContext, idempotency, saveResponses } from './idempotency.ts';

const { database } = await ownDatabase();
/** The rules as another process has them. */
const process = () => idempotency({ database, clock: systemClock });
const alreadyDone = failure(409, 'ALREADY_DONE', 'It was done already');
const ASKED = { scope: 'user:ada', request: () => 'roll it' };

const takeEffect = (context: IdempotencyContext) =>
  database.transaction(async (tx) => {
    await saveResponses(tx, [context.record(() => 'the new key')]);
    return 'the new key';
  });

test('a conflict with the same request, which has taken effect in another process meanwhile, is answered as that was', async () => {
  const [one, other] = [process(), process()];
  const lookup = { ...ASKED, key: 'k1' };
  const answer = await other.once(lookup, async () => {
    await one.once(lookup, takeEffect);
    throw alreadyDone();
  });
  assert.deepEqual(answer, { remembered: 'the new key' });
});

test('a conflict with another request stays one, and takes no part in what is remembered', async () => {
  const lookup = { ...ASKED, key: 'k2' };
  const conflict = process().once(lookup, () => Promise.reject(alreadyDone()));
  await assert.rejects(conflict, ({ code }: Failure) => code === 'ALREADY_DONE');
  assert.deepEqual(await process().once(lookup, takeEffect), { answered: 'the new key' });
});
