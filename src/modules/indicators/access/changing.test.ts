import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { ADMINISTRATOR, grantRulesOnTables } from '../../../../test/support/grant-rules.ts';
import { nextId } from '../../../../test/support/grant-tables.ts';
import { AT, changesOf, EARLIER, entryOf, grantOf, LATER } from '../../../../test/support/grants.ts';
import { until } from '../../../../test/support/live.ts';
import type { Failure } from '../../../kernel/failures.ts';
import { userNotFound } from '../../identity/contract.ts';
import { indicatorNotFound } from '../contract.ts';
import type { Grant } from './access.model.ts';
import { inactive, type Wish } from './access.transitions.ts';
import { accessNotFound } from './changing.ts';
import { grantRules, HANDLE_CHANGES, tooManyHandleChanges } from './grants.ts';

const { heard, forget, changes, grants, grantDeps, holders, limit, asked, ...tables } =
  await grantRulesOnTables();
const { store, within, newIndicator, newGrant, reread, database } = tables;
const MOVER = { actor: 'test', why: 'A test' };
const WISH: Wish = { handle: 'ada', source: 'automated', requestId: null, priority: 0 };
const GONE = { isWanted: false, status: 'revoked' } as const;
const grantTo = (userId: string, indicators: { id: string; pineId: string | null }[], wish = WISH) =>
  within((tx) => changes.grant(tx, userId, { indicators, wish, mover: MOVER }));
const failing =
  (failure: () => Error) =>
  (error: Error): boolean => {
    assert.equal(error.message, failure().message);
    return true;
  };
const erase = (userId: string) => within((tx) => holders.erase(tx, userId, AT));

beforeEach(forget);

test('a new grant is written with the wish, and its work begins', async () => {
  const [indicator, gone] = [await newIndicator(), { id: nextId(), pineId: 'PUB;gone' }];
  const userId = nextId();
  const { grants: made, changed } = await grantTo(userId, [gone, indicator], { ...WISH, priority: 1 });
  assert.deepEqual(made, changed);
  const [one] = made as [Grant];
  assert.deepEqual(
    made,
    [
      grantOf({
        id: one.id,
        userId,
        indicatorId: indicator.id,
        pineId: indicator.pineId,
        handle: 'ada',
        status: 'pending_grant',
        version: 1,
        priority: 1,
        dueAt: AT,
        createdAt: AT,
        updatedAt: AT,
        entries: [],
      }),
    ],
    'without the indicator that is gone',
  );
  assert.deepEqual(await reread(one), one);
  assert.deepEqual([heard.jobs, heard.told], [1, [userId]]);
});

test('a blank grant is what it becomes first, without priority, attempts or a version', async () => {
  const indicator = await newIndicator({ pineId: null });
  const { grants: made } = await grantTo(nextId(), [indicator]);
  const [{ version, attempts, priority, status, failedAction }] = made as [Grant];
  assert.deepEqual([version, attempts, priority, status, failedAction], [1, 0, 0, 'failed', 'grant']);
  assert.equal(heard.jobs, 0, 'nothing is due');
});

test('a change that changes nothing but the priority is not written', async () => {
  const { id: indicatorId, pineId } = await newIndicator();
  const grant = await newGrant({ indicatorId });
  forget();
  const { changed } = await grantTo(grant.userId, [{ id: indicatorId, pineId }]);
  await changes.changeOne(
    grant.id,
    (one) => ({ ...one, priority: 1 }),
    MOVER,
    async () => undefined,
  );
  assert.deepEqual([changed, heard.jobs, heard.told, await reread(grant)], [[], 0, [], grant]);
});

test('a stronger source is written, but counts as no change of the access; a countdown does', async () => {
  const { id: indicatorId, pineId } = await newIndicator();
  const grant = await newGrant({ indicatorId });
  const stronger = { ...WISH, source: 'manual' as const };
  const { changed } = await grantTo(grant.userId, [{ id: indicatorId, pineId }], stronger);
  assert.deepEqual([changed, (await reread(grant)).source, heard.told], [[], 'manual', [grant.userId]]);
  const { userId } = await newGrant({ indicatorId });
  const countdown = await within((tx) => changes.changeAll(tx, userId, (one) => inactive(one, LATER), MOVER));
  assert.equal(countdown.changed.length, 1);
  assert.equal(heard.jobs, 1);
});

test('one grant is changed with what belongs to it, and deleted when it ends for a deleted member', async () => {
  const { id: indicatorId } = await newIndicator();
  const end = (one: Grant): Grant => ({ ...one, ...GONE, version: one.version + 1 });
  const change = async (fields: Partial<Grant>, isErased: boolean, to = end) => {
    const grant = await newGrant({ indicatorId, status: 'pending_revoke', isWanted: false, ...fields });
    if (isErased) await erase(grant.userId);
    const seen: Grant[] = [];
    const after = await changes.changeOne(grant.id, to, MOVER, async (_tx, before, then) => {
      seen.push(before, then);
    });
    assert.deepEqual(seen, [grant, after]);
    return (await store.find(grant.id)) !== undefined;
  };
  assert.equal(await change({}, false), true);
  assert.equal(await change({}, true), false);
  assert.equal(await change({ leasedUntil: LATER }, true), true);
  assert.equal(await change({}, true, (one) => one), true);
  await assert.rejects(
    changes.changeOne(nextId(), end, MOVER, async () => undefined),
    failing(accessNotFound),
  );
});

/** Returns a grant as it was made. */
const asMade = async <Made>(_tx: unknown, grant: Made): Promise<Made> => grant;

test('administrators grant manually and revoke, which is recorded once', async () => {
  const { id: indicatorId } = await newIndicator();
  const userId = nextId();
  const made = await grants.grantByHand({ indicatorId, userId, handle: 'ada' }, ADMINISTRATOR, asMade);
  const { source, priority, requestId } = await reread(made);
  assert.deepEqual([source, priority, requestId], ['manual', 1, null]);
  const details = { indicatorId, userId };
  const granted = { ...details, chartingUsername: 'ada' };
  assert.deepEqual(heard.audit, [{ action: 'indicator-access.granted', target: made.id, details: granted }]);
  await database.execute('update indicators.access set priority = 0 where id = $1', [made.id]);
  forget();
  assert.equal((await grants.revoke(made.id, ADMINISTRATOR)).priority, 1);
  const recorded = [{ action: 'indicator-access.revoked', target: made.id, details }];
  assert.deepEqual(heard.audit, recorded);
  await grants.revoke(made.id, ADMINISTRATOR);
  assert.deepEqual(heard.audit, recorded);
});

test('an indicator that does not exist, or is gone in the same moment, cannot be granted', async () => {
  const request = { userId: nextId(), requestId: nextId(), indicatorId: nextId(), handle: 'ada' };
  const gone = grantRules({
    ...grantDeps,
    catalogue: { ...grantDeps.catalogue, find: async (id) => ({ id, pineId: null }) as never },
  });
  for (const rules of [grants, gone]) {
    const byHand = rules.grantByHand(
      { indicatorId: request.indicatorId, userId: request.userId, handle: 'ada' },
      ADMINISTRATOR,
      asMade,
    );
    await assert.rejects(byHand, failing(indicatorNotFound));
    const requested = within((tx) => rules.grantRequested(tx, request, MOVER));
    await assert.rejects(requested, failing(indicatorNotFound));
  }
  assert.deepEqual(heard.audit, []);
});

test('a withdrawn request ends the grant that it made, and no other of the member', async () => {
  const [first, second] = [await newIndicator(), await newIndicator()];
  const [userId, requestId] = [nextId(), nextId()];
  const request = { userId, requestId, indicatorId: first.id, handle: 'ada' };
  const id = await within((tx) => grants.grantRequested(tx, request, MOVER));
  const { source, priority } = await reread({ id });
  assert.deepEqual([source, priority], ['marketplace', 1]);
  await database.execute('update indicators.access set priority = 0 where id = $1', [id]);
  const other = await newGrant({ indicatorId: second.id, userId, requestId: nextId() });
  const withdrawn = { requestId, handle: request.handle, others: [] };
  await within((tx) => grants.withdrawRequested(tx, { ...withdrawn, requestId: nextId() }, MOVER));
  assert.equal((await reread({ id })).status, 'pending_grant');
  await within((tx) => grants.withdrawRequested(tx, withdrawn, MOVER));
  const { status, endedBy, priority: first1 } = await reread({ id });
  assert.deepEqual([status, endedBy, first1], ['revoked', 'order', 1]);
  assert.deepEqual(await reread(other), other);
});

test('a saved handle moves the grants, and only a change that moves some counts against the limit', async () => {
  const { id: indicatorId } = await newIndicator();
  const { id, userId } = await newGrant({ indicatorId });
  const savedOf = async () => within(async (tx) => (await holders.find(tx, userId))?.savedHandle);
  asked.length = 0;
  assert.deepEqual([await grants.saveHandle(userId, 'ADA'), await savedOf(), asked], [0, 'ADA', []]);
  assert.deepEqual([await grants.saveHandle(userId, 'eve'), await savedOf()], [1, 'eve']);
  assert.deepEqual(asked, [`charting-username:${userId}`]);
  assert.equal((await reread({ id })).handle, 'eve');
  Object.assign(limit, { admitted: false, retryAtMs: AT.getTime() + 1_001 });
  await assert.rejects(grants.saveHandle(userId, 'zoe'), (error: Failure) => {
    const expected = tooManyHandleChanges(2);
    assert.deepEqual([error.message, error.details], [expected.message, expected.details]);
    return true;
  });
  assert.equal(await savedOf(), 'eve');
  Object.assign(limit, { admitted: true });
});

test('of several grants the saved handle moves each that has another one', async () => {
  const userId = nextId();
  for (const handle of ['eve', 'ada'])
    await newGrant({ indicatorId: (await newIndicator()).id, userId, handle });
  asked.length = 0;
  assert.equal(await grants.saveHandle(userId, 'ada'), 1);
  assert.equal(asked.length, 1);
  assert.equal(HANDLE_CHANGES.limit, 10);
});

test('the grants of a deleted member end, and those that have ended are deleted', async () => {
  const userId = nextId();
  const grant = async (fields: Partial<Grant>) =>
    newGrant({ indicatorId: (await newIndicator()).id, userId, ...fields });
  const [active, over, called, ending] = [
    await grant({ entries: [entryOf()] }),
    await grant(GONE),
    await grant({ ...GONE, leasedUntil: LATER }),
    await grant({ status: 'pending_grant', leasedUntil: EARLIER, dueAt: AT }),
  ];
  const kept = await grant({ entries: [entryOf()], leasedUntil: EARLIER });
  await within((tx) => grants.erase(tx, userId));
  assert.equal(await within((tx) => holders.isErased(tx, userId)), true);
  assert.equal(await store.find(over.id), undefined);
  const { entries: _, updatedAt: __, ...changed } = changesOf(active, await reread(active));
  assert.deepEqual(changed, {
    isWanted: false,
    status: 'pending_revoke',
    endedBy: 'order',
    version: 6,
    dueAt: AT,
  });
  assert.deepEqual((await reread(called)).dueAt, LATER);
  assert.deepEqual((await reread(ending)).dueAt, EARLIER);
  assert.deepEqual((await reread(kept)).dueAt, AT);
});

test('a grant that is deleted while its change waits for the member is not found', async () => {
  const grant = await newGrant({ indicatorId: (await newIndicator()).id });
  const { changed } = await within(async (tx) => {
    await store.lockMember(tx, grant.userId);
    const changed = changes
      .changeOne(
        grant.id,
        (one) => one,
        MOVER,
        async () => undefined,
      )
      .catch((error: Failure) => error);
    await until(
      async () =>
        (await database.count(
          'select count(*) from pg_locks where not granted and pid <> pg_backend_pid()',
        )) > 0,
      'the change waits',
    );
    await store.delete(tx, [grant.id]);
    return { changed };
  });
  assert.ok(accessNotFound.is(await changed));
});

test('a member who is erased in the same moment is granted nothing', async () => {
  const { id: indicatorId } = await newIndicator();
  const userId = nextId();
  await within((tx) => grants.erase(tx, userId));
  const byHand = grants.grantByHand({ indicatorId, userId, handle: 'ada' }, ADMINISTRATOR, asMade);
  await assert.rejects(byHand, failing(userNotFound));
  const request = { userId, requestId: nextId(), indicatorId, handle: 'ada' };
  await assert.rejects(
    within((tx) => grants.grantRequested(tx, request, MOVER)),
    failing(userNotFound),
  );
});
