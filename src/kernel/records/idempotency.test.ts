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
const IN_PROGRESS = { refusal: 'it is still running' };
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

test('what keeps its answer only afterwards claims the key, so that no other request takes effect under it meanwhile', async () => {
  const lookup = { ...ASKED, key: 'k3' };
  const other = { ...lookup, request: () => 'roll another' };
  const effects: string[] = [];
  /** Work whose answer is saved after its effect, during which something else happens. */
  const taking = (what: string, meanwhile = async () => {}) => {
    const one = process();
    return (asked: typeof lookup) =>
      one.once(asked, async (context, claim) => {
        await claim(IN_PROGRESS);
        effects.push(what);
        await meanwhile();
        await one.saveResponse(context.record(() => what));
        return what;
      });
  };
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
  const answer = await taking('first', async () => {
    await assert.rejects(taking('second')(other), reused);
    await assert.rejects(process().once(other, takeEffect), reused);
  })(lookup);
  assert.deepEqual(answer, { answered: 'first' });
  assert.deepEqual(effects, ['first']);
  assert.deepEqual(await taking('again')(lookup), { remembered: 'first' });
});

test('a request that claimed its key and was refused, or lost its answer, can be repeated under it', async () => {
  const lookup = { ...ASKED, key: 'k4' };
  const refusing = process().once(lookup, async (_context, claim) => {
    await claim(IN_PROGRESS);
    throw alreadyDone();
  });
  await assert.rejects(refusing, ({ code }: Failure) => code === 'ALREADY_DONE');
  const { answer } =
    (await database.first(`select answer from kernel.idempotency_key where key = 'k4'`)) ?? {};
  assert.deepEqual(answer, { ...IN_PROGRESS, isClaim: true }, 'an earlier release takes it for an answer');
  assert.deepEqual(await process().once(lookup, takeEffect), { answered: 'the new key' });
  assert.deepEqual(await process().once(lookup, takeEffect), { remembered: 'the new key' });
});
