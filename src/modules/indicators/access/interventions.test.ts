import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ADMINISTRATOR, grantRulesOnTables } from '../../../../test/support/grant-rules.ts';
import { AT, entryOf, LATER } from '../../../../test/support/grants.ts';
import type { Failure } from '../../../kernel/failures.ts';
import type { Entry, Grant } from './access.model.ts';
import { accessNotFailed, nothingToTakeOver } from './interventions.ts';

const { heard, forget, interventions, newIndicator, newGrant, reread, entriesOf, database } =
  await grantRulesOnTables();
const FAILED = { status: 'failed', failedAction: 'grant', errorKind: 'refused' } as const;
const IN_VAIN = { ...FAILED, failedAction: 'revoke', isWanted: false, endedBy: 'order' } as const;
const OVER = { status: 'revoked', isWanted: false } as const;

/** A grant of an indicator with a script, whose entries are of that script if they name no other. */
async function granted(fields: Partial<Grant> = {}, entries: Partial<Entry>[] = []) {
  const { id: indicatorId, pineId } = await newIndicator();
  const of = (one: Partial<Entry>): Entry => entryOf({ pineId: String(pineId), ...one });
  const grant = await newGrant({ indicatorId, ...fields, entries: entries.map(of) });
  return { grant, of };
}
const refusedWith = (failure: () => Failure) => ({ message: failure().message, status: 409 });
const whyOf = async ({ id }: Grant) =>
  (await database.all('select moved_why as why from indicators.access where id = $1', [id]))[0]?.why;

beforeEach(forget);

test('a failed grant is retried at once, also when the account waits, and this is recorded', async () => {
  const { grant } = await granted(FAILED);
  const { status, dueAt } = await interventions.retry(grant.id, ADMINISTRATOR);
  assert.deepEqual([status, dueAt, heard.waitsEnded, heard.jobs], ['pending_grant', AT, 1, 1]);
  const details = { failedAction: 'grant' };
  assert.deepEqual(heard.audit, [{ action: 'indicator-access.retried', target: grant.id, details }]);
  const again = () => interventions.retry(grant.id, ADMINISTRATOR);
  const resolve = () => interventions.resolve(grant.id, '', ADMINISTRATOR);
  for (const refused of [again, resolve]) await assert.rejects(refused, refusedWith(accessNotFailed));
  assert.deepEqual([heard.waitsEnded, heard.audit.length], [1, 1]);
});

test('access that a person gave is recorded as theirs, except where a call made it', async () => {
  for (const [origin, then] of [
    ['unknown', 'by_hand'],
    ['absent', 'by_hand'],
    ['sent', 'by_hand'],
    ['made', 'made'],
    ['found', 'found'],
  ] as const) {
    const { grant, of } = await granted(FAILED, [{ handle: 'ada', isConfirmed: false, origin }]);
    const after = await interventions.resolve(grant.id, 'I did it', ADMINISTRATOR);
    assert.equal(after.status, 'active');
    assert.deepEqual(await entriesOf(grant), [of({ handle: 'ada', origin: then })]);
  }
  const { grant, of } = await granted(FAILED);
  await interventions.resolve(grant.id, '', ADMINISTRATOR);
  assert.deepEqual(await entriesOf(grant), [of({ handle: 'ada', origin: 'by_hand' })]);
  assert.equal(await whyOf(grant), 'Done by hand: no note');
});

test('who gives access by hand has taken away what a person gave under another handle', async () => {
  const { grant, of } = await granted(FAILED, [
    { handle: 'eve', origin: 'by_hand' },
    { handle: 'zoe', origin: 'made' },
    { handle: 'ada', origin: 'by_hand' },
  ]);
  await interventions.resolve(grant.id, 'Given', ADMINISTRATOR);
  assert.deepEqual(await entriesOf(grant), [
    of({ handle: 'ada', origin: 'by_hand' }),
    of({ handle: 'zoe', origin: 'made' }),
  ]);
  assert.equal(await whyOf(grant), 'Done by hand: Given');
  const details = { failedAction: 'grant', note: 'Given' };
  assert.deepEqual(heard.audit, [{ action: 'indicator-access.resolved', target: grant.id, details }]);
});

test('who resolves a grant whose former user was lost has seen to all its entries', async () => {
  const { grant, of } = await granted({ ...FAILED, errorKind: 'lost-user' }, [
    { handle: 'zoe', origin: 'made' },
  ]);
  await interventions.resolve(grant.id, 'It is Ada now', ADMINISTRATOR);
  assert.deepEqual(await entriesOf(grant), [of({ handle: 'ada', origin: 'by_hand' })]);
});

test('without a script, what a person gives is kept until there is one', async () => {
  const { id: indicatorId } = await newIndicator({ pineId: null });
  const grant = await newGrant({ indicatorId, ...FAILED });
  await interventions.resolve(grant.id, '', ADMINISTRATOR);
  assert.deepEqual(await entriesOf(grant), [entryOf({ pineId: '', handle: 'ada', origin: 'by_hand' })]);
});

test('access that a person took away is over, with all its entries', async () => {
  const { grant } = await granted(IN_VAIN, [{}, { handle: 'eve' }]);
  const { status } = await interventions.resolve(grant.id, 'Gone', ADMINISTRATOR);
  assert.deepEqual([status, await entriesOf(grant)], ['revoked', []]);
  assert.deepEqual(heard.audit[0]?.details, { failedAction: 'revoke', note: 'Gone' });
});

test('entries that somebody else made are taken over, and those of the platform are left alone', async () => {
  const { grant, of } = await granted({}, [{ origin: 'found' }, { handle: 'eve', origin: 'made' }]);
  const former = await granted({}, [{ pineId: 'PUB;former', origin: 'found' }]);
  await interventions.takeOver(former.grant.id, ADMINISTRATOR);
  assert.deepEqual(await entriesOf(former.grant), [entryOf({ pineId: 'PUB;former' })]);
  forget();
  const after = await interventions.takeOver(grant.id, ADMINISTRATOR);
  assert.equal(after.status, 'active');
  assert.deepEqual(await entriesOf(grant), [of({}), of({ handle: 'eve' })]);
  const { indicatorId, userId } = grant;
  const details = { indicatorId, userId };
  assert.deepEqual(heard.audit, [{ action: 'indicator-access.taken-over', target: grant.id, details }]);
  await assert.rejects(interventions.takeOver(grant.id, ADMINISTRATOR), refusedWith(nothingToTakeOver));
  assert.equal(heard.audit.length, 1);
});

test('what a person gave without a script is taken over under the script that came later', async () => {
  const { grant, of } = await granted(IN_VAIN, [{ pineId: '', origin: 'by_hand' }]);
  await interventions.takeOver(grant.id, ADMINISTRATOR);
  assert.deepEqual(await entriesOf(grant), [of({})]);
  const { grant: other, of: ofOther } = await granted({}, [{ origin: 'by_hand' }]);
  await interventions.takeOver(other.id, ADMINISTRATOR);
  assert.deepEqual(await entriesOf(other), [ofOther({})]);
});

test('access that has ended is taken over under its handle, to be removed at once', async () => {
  const { grant, of } = await granted({ ...OVER, leasedUntil: LATER });
  const { status, dueAt } = await interventions.takeOver(grant.id, ADMINISTRATOR);
  assert.deepEqual([status, dueAt], ['pending_revoke', AT]);
  assert.deepEqual(await entriesOf(grant), [of({ handle: 'ada' })]);
});

test('without a script there is nothing to take over', async () => {
  const { id: indicatorId } = await newIndicator({ pineId: null });
  for (const fields of [
    OVER,
    { entries: [entryOf({ pineId: '', origin: 'by_hand' })] },
  ] as Partial<Grant>[]) {
    const grant = await newGrant({ indicatorId, ...fields });
    const refused = interventions.takeOver(grant.id, ADMINISTRATOR);
    await assert.rejects(refused, refusedWith(nothingToTakeOver));
    assert.equal((await reread(grant)).version, 5);
  }
});
