import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { grantTables, nextId } from '../../../../test/support/grant-tables.ts';
import { AT, EARLIER, entryOf, grantOf, LATER, MUCH_LATER } from '../../../../test/support/grants.ts';
import { holding } from '../../../../test/support/holding.ts';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import type { Grant } from './access.model.ts';
import { newsStore } from './news.store.ts';

const { database, store, within, newIndicator, newGrant, reread, untilBlocked } = await grantTables();
const MOVER = { actor: 'test', why: 'A test' };
const idsOf = (grants: { id: string }[]) => grants.map(({ id }) => id);
const indicatorsOf = (grants: Grant[]) => grants.map(({ indicatorId }) => indicatorId);
/** An indicator's id and two more that sort after it. */
const three = async () =>
  [(await newIndicator()).id, (await newIndicator()).id, (await newIndicator()).id] as const;

beforeEach(() => database.execute('delete from indicators.access'));

test('a grant is read as it was written, with its script and its entries in order', async () => {
  const { id: indicatorId, pineId } = await newIndicator();
  const entries = [
    entryOf({ pineId: 'PUB;0', handle: 'Zoe', origin: 'found' }),
    entryOf({ pineId: 'PUB;9', handle: 'Ada', isConfirmed: false }),
    entryOf({ pineId: 'PUB;9', handle: 'Eve' }),
  ];
  const fields: Partial<Grant> = {
    status: 'failed',
    failedAction: 'revoke',
    isWanted: false,
    requestId: nextId(),
    attempts: 2,
    lastError: 'no answer',
    errorKind: 'unavailable',
    priority: 1,
    dueAt: AT,
    leasedUntil: LATER,
    graceEndsAt: MUCH_LATER,
    endedBy: 'inactive',
    notifiedStatus: 'active',
  };
  const made = await newGrant({ indicatorId, ...fields, entries: entries.toReversed() });
  const { id, userId } = made;
  assert.deepEqual(
    made,
    grantOf({ id, userId, indicatorId, pineId, ...fields, entries, createdAt: AT, updatedAt: AT }),
  );
});

test('a grant that is written again changes its row and records what moved it', async () => {
  const { id: indicatorId } = await newIndicator();
  const made = await newGrant({ indicatorId });
  const after: Grant = { ...made, handle: 'eve', status: 'pending_revoke', version: 6, graceEndsAt: LATER };
  await within((tx) => store.put(tx, [after], { actor: 'somebody', why: 'Because' }, LATER));
  assert.deepEqual(await reread(made), { ...after, updatedAt: LATER });
  const moves = await database.all(
    'select from_status, to_status, moved_by, why from indicators.move where access_id = $1 order by id desc',
    [made.id],
  );
  assert.deepEqual(moves[0], {
    fromStatus: 'active',
    toStatus: 'pending_revoke',
    movedBy: 'somebody',
    why: 'Because',
  });
  await within((tx) => store.put(tx, [], MOVER, LATER));
  await within((tx) => store.delete(tx, [made.id]));
  assert.equal(await store.find(made.id), undefined);
  const count = 'select count(*) from indicators.move where access_id = $1';
  assert.equal(await database.count(count, [made.id]), 0);
});

test("a member's grants are locked in the order of their indicators, all or those of some", async () => {
  const [first, second, third] = await three();
  const userId = nextId();
  for (const indicatorId of [third, first, second]) await newGrant({ indicatorId, userId });
  const other = await newGrant({ indicatorId: first });
  const locked = (...ids: [string[]?]) => within((tx) => store.lockOfMember(tx, userId, ...ids));
  assert.deepEqual(indicatorsOf(await locked()), [first, second, third]);
  assert.deepEqual(indicatorsOf(await locked([third, first])), [first, third]);
  assert.deepEqual(await locked([]), []);
  let waiting: Promise<Grant[]> | undefined;
  await holding(database, async (tx) => {
    const [one] = await store.lockOfMember(tx, userId);
    await store.lockOfMember(tx, other.userId);
    waiting = locked();
    await untilBlocked();
    await store.put(tx, [{ ...(one as Grant), attempts: 3 }], MOVER, AT);
  });
  assert.equal((await waiting)?.[0]?.attempts, 3, 'what was committed meanwhile is read');
});

test('grants of a member are locked in one order, so that nobody waits in a circle', async () => {
  const [first, second] = await three();
  const userId = nextId();
  const late = await newGrant({ indicatorId: second, userId });
  const early = await newGrant({ indicatorId: first, userId });
  let waiting: Promise<Grant[]> | undefined;
  await holding(database, async (tx) => {
    await store.lock(tx, early.id);
    waiting = within((other) => store.lockOfMember(other, userId));
    await untilBlocked();
    await tx.all('select id from indicators.access where id = $1 for update nowait', [late.id]);
  });
  assert.equal((await waiting)?.length, 2);
});

test('a grant is locked together with its entries, the one that it wants and given ones', async () => {
  const { id: indicatorId, pineId } = await newIndicator();
  const script = String(pineId);
  const entries = [entryOf({ pineId: script, handle: 'old' })];
  const given = { pineId: script, handle: 'given' };
  const locksHeld = () =>
    database.count(`select count(*) from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`);
  for (const [fields, held] of [
    [{ entries }, 3],
    [{ entries, isWanted: false, status: 'pending_revoke' }, 2],
    [{ entries: [] }, 2],
  ] as [Partial<Grant>, number][]) {
    const grant = await newGrant({ indicatorId, ...fields });
    await holding(database, async (tx) => {
      assert.deepEqual(await store.lock(tx, grant.id, [given]), grant);
      assert.equal(await locksHeld(), held);
    });
  }
  const alone = await newGrant({ indicatorId });
  await holding(database, async (tx) => {
    await store.lock(tx, alone.id);
    assert.equal(await locksHeld(), 1);
  });
  assert.equal(await within((tx) => store.lock(tx, nextId())), undefined);
  const bare = await newGrant({ indicatorId: (await newIndicator({ pineId: null })).id });
  await holding(database, async (tx) => {
    assert.deepEqual(await store.lock(tx, bare.id), bare);
    assert.equal(await locksHeld(), 0);
    await assert.rejects(
      within((other) =>
        other.all('select id from indicators.access where id = $1 for update nowait', [bare.id]),
      ),
    );
  });
});

test('due grants are claimed one by one: first those that somebody waits for, then by time', async () => {
  const { id: indicatorId } = await newIndicator();
  const due = (priority: number, dueAt: Date | null) => newGrant({ indicatorId, priority, dueAt });
  await due(0, null);
  await due(1, LATER);
  const second = await due(0, AT);
  const first = await due(0, EARLIER);
  const claim = () => within((tx) => store.claim(tx, AT));
  assert.equal((await claim())?.id, first.id);
  const waitedFor = await due(1, AT);
  assert.equal((await claim())?.id, waitedFor.id);
  await within((tx) => store.delete(tx, [waitedFor.id]));
  await holding(database, async (tx) => {
    assert.equal((await store.claim(tx, AT))?.id, first.id);
    assert.equal((await claim())?.id, second.id, 'one that another transaction has locked is left out');
    const other = await within((more) => store.claimOne(more, first.id, AT));
    assert.equal(other, undefined);
  });
  await within((tx) => store.delete(tx, idsOf([first, second])));
  assert.equal(await claim(), undefined);
});

test('one grant is claimed when it is due and no call for it may be under way', async () => {
  const { id: indicatorId } = await newIndicator();
  const claims = async (fields: Partial<Grant>) => {
    const { id } = await newGrant({ indicatorId, ...fields });
    return (await within((tx) => store.claimOne(tx, id, AT)))?.id === id;
  };
  assert.equal(await claims({ dueAt: AT }), true);
  assert.equal(await claims({ dueAt: AT, leasedUntil: EARLIER }), true);
  assert.equal(await claims({ dueAt: AT, leasedUntil: LATER }), false);
  assert.equal(await claims({ dueAt: LATER }), false);
  assert.equal(await claims({ dueAt: null }), false);
});

test('the next grant is due at the earliest time of either priority', async () => {
  const { id: indicatorId } = await newIndicator();
  assert.equal(await store.whenDue(), undefined);
  await newGrant({ indicatorId, priority: 0, dueAt: null });
  assert.equal(await store.whenDue(), undefined);
  await newGrant({ indicatorId, priority: 0, dueAt: MUCH_LATER });
  assert.deepEqual(await store.whenDue(), MUCH_LATER);
  for (const dueAt of [LATER, AT]) await newGrant({ indicatorId, priority: 1, dueAt });
  assert.deepEqual(await store.whenDue(), AT);
  for (const dueAt of [LATER, EARLIER]) await newGrant({ indicatorId, priority: 0, dueAt });
  assert.deepEqual(await store.whenDue(), EARLIER);
});

test('grants that failed by an outage are found, oldest first', async () => {
  const { id: indicatorId } = await newIndicator();
  const failing = { status: 'failed', failedAction: 'grant', errorKind: 'unavailable' } as const;
  await newGrant({ indicatorId, errorKind: 'unavailable', status: 'pending_grant' });
  await newGrant({ indicatorId, ...failing, errorKind: 'refused' });
  const found = (limit: number) =>
    within(async (tx) => idsOf(await store.failedByOutage(tx, limit)).toSorted());
  assert.deepEqual([await store.hasFailedByOutage(), await found(5)], [false, []]);
  const made = [
    await newGrant({ indicatorId, ...failing }),
    await newGrant({ indicatorId, ...failing }),
    await newGrant({ indicatorId, ...failing }),
  ];
  assert.deepEqual([await store.hasFailedByOutage(), await found(2)], [true, idsOf(made.slice(0, 2))]);
  await holding(database, async (tx) => {
    await store.failedByOutage(tx, 1);
    assert.deepEqual(await found(5), idsOf(made.slice(1)), 'one that is locked is left out');
  });
});

test('a request finds its grant', async () => {
  const { id: indicatorId } = await newIndicator();
  const requestId = nextId();
  const { id, userId } = await newGrant({ indicatorId, requestId });
  await newGrant({ indicatorId, requestId: nextId() });
  assert.deepEqual(await within((tx) => store.ofRequest(tx, requestId)), { id, userId });
});

test('news are taken once, in the order of the indicators, when no change of the member is pending', async () => {
  const userId = nextId();
  const indicators = [await newIndicator({ sortOrder: 2 }), await newIndicator({ sortOrder: 1 })];
  const third = await newIndicator({ sortOrder: 3 });
  const [one, other] = indicators.map(({ id }) => id) as [string, string];
  const revoked = { isWanted: false, status: 'revoked' } as const;
  await newGrant({ indicatorId: one, userId });
  await newGrant({ indicatorId: other, userId, ...revoked, notifiedStatus: 'active' });
  await newGrant({ indicatorId: one });
  const take = () => within((tx) => newsStore.take(tx, userId, AT));
  for (const pending of [
    { status: 'pending_grant' },
    { status: 'pending_revoke', isWanted: false },
    { status: 'pending_revoke', graceEndsAt: EARLIER },
  ] as Partial<Grant>[]) {
    const { id } = await newGrant({ indicatorId: third.id, userId, ...pending });
    assert.deepEqual(await take(), []);
    await within((tx) => store.delete(tx, [id]));
  }
  await newGrant({ indicatorId: third.id, userId, status: 'pending_revoke', graceEndsAt: LATER });
  assert.deepEqual(await take(), [
    { indicatorId: other, status: 'revoked' },
    { indicatorId: one, status: 'active' },
  ]);
  assert.deepEqual(await take(), []);
});

test('only access that a member knows of ends for them', async () => {
  const { id: indicatorId } = await newIndicator();
  const taken = async (fields: Partial<Grant>) => {
    const { userId } = await newGrant({ indicatorId, ...fields });
    return (await within((tx) => newsStore.take(tx, userId, AT))).length;
  };
  const revoked = { isWanted: false, status: 'revoked' } as const;
  assert.equal(await taken({ ...revoked, notifiedStatus: null }), 0);
  assert.equal(await taken({ ...revoked, notifiedStatus: 'revoked' }), 0);
  assert.equal(await taken({ notifiedStatus: 'active' }), 0);
  assert.equal(await taken({ notifiedStatus: 'revoked' }), 1);
  assert.equal(await taken({ status: 'failed', failedAction: 'grant' }), 0);
});

test('a grant that is locked, alone or with all of its member, is not changed by others meanwhile', async () => {
  const { id: indicatorId } = await newIndicator();
  const failed = { status: 'failed', failedAction: 'grant', errorKind: 'unavailable' } as const;
  const grant = await newGrant({ indicatorId, ...failed });
  const keeps = (work: Parameters<typeof keepsFromChange>[1]) =>
    keepsFromChange(database, work, 'indicators.access where id = $1', [grant.id]);
  assert.equal(await keeps((tx) => store.lock(tx, grant.id)), true);
  assert.equal(await keeps((tx) => store.lockOfMember(tx, grant.userId)), true);
  assert.equal(await keeps((tx) => store.failedByOutage(tx, 100)), true);
  assert.equal(await keeps((tx) => store.find(grant.id, tx)), false);
});
