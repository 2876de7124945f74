import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { grantTables, nextId } from '../../../../test/support/grant-tables.ts';
import { AT, EARLIER, entryOf, LATER } from '../../../../test/support/grants.ts';
import type { Entry, Grant } from './access.model.ts';
import { rosterStore } from './roster.store.ts';

const { database, store, within, newIndicator, newGrant } = await grantTables();
const roster = rosterStore(database);
const FAILED = { status: 'failed', failedAction: 'grant' } as const;
const idsOf = (grants: { id: string }[]) => grants.map(({ id }) => id);
const page = (page: number, limit = 2) => ({ page, limit });
/** Makes grants one after the other. */
async function newGrants(...all: (Partial<Grant> & { indicatorId: string })[]): Promise<Grant[]> {
  const made: Grant[] = [];
  for (const one of all) made.push(await newGrant(one));
  return made;
}

beforeEach(() => database.execute('delete from indicators.access'));

test('the grants of an indicator are listed newest first, by status or all, with their number', async () => {
  const [{ id: indicatorId }, other] = [await newIndicator(), await newIndicator()];
  const made = await newGrants(
    { indicatorId },
    { indicatorId, ...FAILED },
    { indicatorId: other.id, ...FAILED },
    { indicatorId },
    { indicatorId, ...FAILED },
  );
  const [one, two, _, four, five] = idsOf(made);
  const list = async (status: 'failed' | undefined, number: number) => {
    const { items, total } = await roster.pageOf(indicatorId, status, page(number));
    return [...idsOf(items), total];
  };
  assert.deepEqual(await list(undefined, 1), [five, four, 4]);
  assert.deepEqual(await list(undefined, 2), [two, one, 4]);
  assert.deepEqual(await list('failed', 1), [five, two, 2]);
  assert.deepEqual(await list('failed', 2), [2]);
  const none = await newIndicator();
  assert.equal((await roster.pageOf(none.id, undefined, page(1))).total, 0);
});

test('the worklist has the failed grants of all indicators, newest first', async () => {
  const [first, second] = [await newIndicator(), await newIndicator()];
  const [one, two, three] = idsOf(
    await newGrants(
      { indicatorId: first.id, ...FAILED },
      { indicatorId: second.id, ...FAILED },
      { indicatorId: first.id, ...FAILED },
      { indicatorId: first.id },
    ),
  );
  const list = async (number: number) => {
    const { items, total } = await roster.failures(page(number));
    return [...idsOf(items), total];
  };
  assert.deepEqual(await list(1), [three, two, 3]);
  assert.deepEqual(await list(2), [one, 3]);
});

test('grants of all indicators are found by member, status, source and age together', async () => {
  const { id: indicatorId } = await newIndicator();
  const userId = nextId();
  const wanted = { indicatorId, userId, source: 'manual' } as const;
  const old = await newGrant(wanted, EARLIER);
  const more = (fields: Partial<Grant>, at = EARLIER) => newGrant({ ...wanted, ...fields }, at);
  const other = await newIndicator();
  const others = [
    await more({ userId: nextId() }),
    await more({ indicatorId: other.id, ...FAILED }),
    await more({ indicatorId: (await newIndicator()).id, source: 'automated' }),
    await more({ indicatorId: (await newIndicator()).id }, AT),
  ];
  const found = async (filter: Parameters<typeof roster.pageOfAll>[0]) =>
    idsOf((await roster.pageOfAll(filter, page(1, 9))).items);
  assert.deepEqual(await found({ userId, status: 'active', source: 'manual', olderThan: AT }), [old.id]);
  assert.deepEqual(await found({ olderThan: EARLIER }), []);
  assert.deepEqual(await found({}), [...idsOf(others).toReversed(), old.id]);
});

test('a member lists their grants in the order of the indicators', async () => {
  const sorted = [
    await newIndicator({ sortOrder: 2 }),
    await newIndicator({ sortOrder: 1 }),
    await newIndicator({ sortOrder: 1 }),
  ];
  const userId = nextId();
  const [last, first, second] = idsOf(
    await newGrants(...sorted.map(({ id }) => ({ indicatorId: id, userId })), {
      indicatorId: String(sorted[0]?.id),
    }),
  );
  assert.deepEqual(idsOf(await roster.ofMember(userId)), [first, second, last]);
  assert.equal((await roster.find(String(last)))?.id, last);
});

test('a row says who made the confirmed entry, first of all that of the current handle', async () => {
  const { id: indicatorId } = await newIndicator();
  const entry = async (...entries: Entry[]) => {
    const made = await newGrant({ indicatorId, handle: 'Ada', entries });
    return (await roster.find(made.id))?.entry;
  };
  assert.equal(await entry(), null);
  // Each with a script of its own, since the origin of an entry is the same for all grants.
  const of = (fields: Partial<Entry>) => entryOf({ pineId: `PUB;${nextId()}`, ...fields });
  assert.equal(await entry(of({ origin: 'made', isConfirmed: false })), null);
  assert.equal(await entry(of({ origin: 'sent' })), null);
  assert.equal(await entry(of({ origin: 'made' })), 'made');
  assert.equal(await entry(of({ origin: 'by_hand' })), 'by-hand');
  for (const handle of ['a_first', 'zoe'])
    assert.equal(
      await entry(of({ handle, origin: 'made' }), of({ handle: 'aDa', origin: 'found' })),
      'found',
    );
});

test('work under way and failures are counted, without countdowns', async () => {
  const { id: indicatorId } = await newIndicator();
  const totals = () => roster.totals();
  assert.deepEqual(await totals(), { underWay: 0, failed: 0 });
  await newGrants(
    { indicatorId, ...FAILED },
    { indicatorId, ...FAILED },
    { indicatorId },
    { indicatorId, status: 'pending_grant', dueAt: AT },
    { indicatorId, status: 'pending_grant', dueAt: AT },
    { indicatorId, status: 'pending_revoke', dueAt: LATER, graceEndsAt: LATER },
  );
  assert.deepEqual(await totals(), { underWay: 2, failed: 2 });
});

test('the backlogs count failed grants and those under way for long, with the time of the oldest', async () => {
  const { id: indicatorId } = await newIndicator();
  const none = { count: 0, oldestAt: null };
  await newGrants({ indicatorId }, { indicatorId, status: 'pending_grant', dueAt: AT });
  assert.deepEqual([await roster.failedBacklog(), await roster.stuckBacklog(AT)], [none, none]);
  await newGrant({ indicatorId, ...FAILED, dueAt: AT }, EARLIER);
  await newGrant({ indicatorId, ...FAILED });
  assert.deepEqual(await roster.failedBacklog(), { count: 2, oldestAt: EARLIER });
  await newGrant({ indicatorId, status: 'pending_grant', dueAt: null }, EARLIER);
  await newGrant({ indicatorId, status: 'pending_revoke', dueAt: LATER, graceEndsAt: LATER }, EARLIER);
  await newGrant({ indicatorId, status: 'active', dueAt: AT }, EARLIER);
  assert.deepEqual(await roster.stuckBacklog(AT), none);
  await newGrant({ indicatorId, status: 'pending_grant', dueAt: AT }, EARLIER);
  await newGrant({ indicatorId, status: 'pending_revoke', isWanted: false, dueAt: AT }, EARLIER);
  assert.deepEqual(await roster.stuckBacklog(AT), { count: 2, oldestAt: EARLIER });
});

test('grants are found by their id and by the beginning of their handle, in the order of handles', async () => {
  const { id: indicatorId } = await newIndicator();
  const handles = ['Bea', 'adam', 'Ada', 'ADA'];
  const [bea, adam, ada, again] = idsOf(
    await newGrants(...handles.map((handle) => ({ indicatorId, handle }))),
  );
  const found = async (...asked: Parameters<typeof roster.findNamed>) =>
    idsOf(await roster.findNamed(...asked));
  assert.deepEqual(await found(undefined, 'ad%', 9), [ada, again, adam]);
  assert.deepEqual(await found(undefined, 'ad%', 2), [ada, again]);
  assert.deepEqual(await found(bea, 'ada', 9), [ada, again, bea]);
});

test('the history of a grant begins with its newest transition, and ends after so many', async () => {
  const { id: indicatorId } = await newIndicator();
  const [grant] = (await newGrants({ indicatorId }, { indicatorId })) as [Grant, Grant];
  for (const version of [6, 7])
    await within((tx) => store.put(tx, [{ ...grant, version }], { actor: 'a', why: `${version}` }, LATER));
  const versions = async (limit: number) =>
    (await roster.historyOf(grant.id, limit)).map(({ version, why }) => [version, why]);
  assert.deepEqual(await versions(2), [
    [7, '7'],
    [6, '6'],
  ]);
  assert.equal((await versions(9)).length, 3);
});
