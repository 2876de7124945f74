import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { grantTables, nextId } from '../../../../test/support/grant-tables.ts';
import { AT, EARLIER, entryOf, LATER } from '../../../../test/support/grants.ts';
import { holding } from '../../../../test/support/holding.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { accessBegan, accessEnded } from '../contract.ts';
import { holderStore } from '../handles/holders.store.ts';
import { spellingStore } from '../handles/spellings.store.ts';
import type { Entry, Grant, Origin } from './access.model.ts';
import { conclusionRules } from './conclusions.ts';
import { entryStore } from './entries.store.ts';
import { type Call, type Outcome, observationRules } from './observations.ts';
import { settlingRules } from './settling.ts';

const { database, store, within, newIndicator, newGrant, reread, entriesOf, untilBlocked } =
  await grantTables();
const holders = holderStore();
const [alerted, told]: [unknown[], unknown[]] = [[], []];
const { settle, arrive } = settlingRules({
  database,
  store,
  holders,
  observations: observationRules({ store, entries: entryStore, spellings: spellingStore }),
  conclusions: conclusionRules({ settings: { maxAttempts: 3, retryMs: 1_000 } }),
  alertOperators: async (_tx, alert) => alerted.push(alert) > 0,
  events: {
    publish: async (_tx: unknown, event: unknown, data: object) => told.push({ event, ...data }),
  } as never,
  clock: { date: () => AT, now: () => AT.getTime() } as never,
});

const CLAIMED = { status: 'pending_grant', attempts: 1, leasedUntil: LATER, dueAt: LATER } as const;
const ENDING = { ...CLAIMED, status: 'pending_revoke', isWanted: false } as const;
const TEXT = { text: 'it answered 503' };

/** A claimed grant with an entry of an origin, and another grant that has the same entry. */
async function claimedWith(fields: Partial<Entry>, state: Partial<Grant> = {}) {
  const { id: indicatorId, pineId } = await newIndicator();
  const entry = entryOf({ pineId: String(pineId), isConfirmed: false, ...fields });
  const grant = await newGrant({ indicatorId, ...CLAIMED, ...state, entries: [entry] });
  const other = await newGrant({ indicatorId, handle: 'Ada', entries: [entry] });
  const after = async (what: 'look' | 'add' | 'remove', outcome: Outcome, isFirst = false) => {
    const step = { do: what, entry } as Call;
    await settle({ grant, step, isFirst }, outcome);
    return (await entriesOf(grant)).map(({ origin, isConfirmed }) => [origin, isConfirmed]);
  };
  const originOfOther = async () => (await entriesOf(other))[0]?.origin;
  return { grant, after, originOfOther };
}

const whyOf = async ({ id }: Grant) =>
  (await database.all('select moved_why as why from indicators.access where id = $1', [id]))[0]?.why;
/** Asserts that work waits while a lock is held, and ends after it. */
async function assertWaits(
  lock: (tx: Transaction) => Promise<void>,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  let working: Promise<void> | undefined;
  await holding(database, async (tx) => {
    await lock(tx);
    working = work().then(() => {
      isOver = true;
    });
    await Promise.race([untilBlocked(), working]);
    assert.equal(isOver, false);
  });
  await working;
}

beforeEach(() => {
  alerted.length = 0;
  told.length = 0;
});

test('a spelling that was looked up is kept, and taken by the grant if it still has the handle', async () => {
  for (const [handle, kept] of [
    ['ADA', 'aDa'],
    ['eve', 'eve'],
  ] as const) {
    const { id: indicatorId } = await newIndicator();
    const grant = await newGrant({ indicatorId, ...CLAIMED, handle });
    const claimed = { grant, step: { do: 'resolve', handle: 'ADA' } as const, isFirst: false };
    await settle(claimed, { kind: 'known', handle: 'aDa' });
    assert.deepEqual([(await reread(grant)).handle, alerted], [kept, []]);
    assert.equal(await spellingStore.find(database, 'ada', AT), 'aDa');
    await settle(claimed, { kind: 'fault', ...TEXT });
    assert.equal((await reread(grant)).lastError, TEXT.text);
  }
});

test('the first lookup of an entry decides whether it was there before', async () => {
  for (const [origin, kind, expected] of [
    ['unknown', 'held', ['found', true]],
    ['absent', 'held', ['found', true]],
    ['made', 'held', ['made', true]],
    ['unknown', 'not-held', ['absent', false]],
    ['found', 'not-held', ['absent', false]],
    ['sent', 'not-held', ['sent', false]],
    ['unknown', 'refused', ['unknown', false]],
  ] as [Origin, 'held', unknown[]][]) {
    const { after, originOfOther } = await claimedWith({ origin });
    assert.deepEqual(await after('look', { kind, ...TEXT } as Outcome), [expected], `${origin} ${kind}`);
    assert.equal(await originOfOther(), expected[0]);
  }
});

test('an addition that is answered tells whether the platform made the entry', async () => {
  for (const [kind, isFirst, expected] of [
    ['done', true, ['made', true]],
    ['done', false, ['made', true]],
    ['already', true, ['found', true]],
    ['already', false, ['made', true]],
  ] as const) {
    const { after, originOfOther, grant } = await claimedWith({ origin: 'sent' });
    assert.deepEqual(await after('add', { kind }, isFirst), [expected], kind);
    assert.deepEqual([await originOfOther(), (await reread(grant)).status], [expected[0], 'active']);
  }
});

test('an addition that fails leaves nothing only if it was the first and certainly did nothing', async () => {
  for (const [kind, isFirst, left, origin] of [
    ['refused', true, [], 'unknown'],
    ['refused', false, [['sent', false]], 'sent'],
    ['fault', true, [['sent', false]], 'sent'],
    ['unknown-outcome', true, [['sent', false]], 'sent'],
  ] as const) {
    const { after, originOfOther } = await claimedWith({ origin: 'sent' });
    assert.deepEqual(await after('add', { kind, ...TEXT } as Outcome, isFirst), left, kind);
    assert.equal(await originOfOther(), origin);
  }
});

test('the spelling of a handle is forgotten when no member has it', async () => {
  await spellingStore.save(database, 'Ada', AT);
  const { after } = await claimedWith({ origin: 'sent' });
  await after('add', { kind: 'refused', ...TEXT });
  assert.equal(await spellingStore.find(database, 'ada', AT), 'Ada');
  const { after: then } = await claimedWith({ origin: 'sent' });
  await then('add', { kind: 'unknown-user' });
  assert.equal(await spellingStore.find(database, 'ada', AT), undefined);
});

test('a removal that is answered drops the entry, which others have to look for again', async () => {
  for (const [kind, left, origin] of [
    ['done', [], 'unknown'],
    ['already', [], 'unknown'],
    ['unknown-user', [['made', false]], 'made'],
    ['refused', [['made', false]], 'made'],
  ] as const) {
    const { grant, after, originOfOther } = await claimedWith({ origin: 'made' }, ENDING);
    assert.deepEqual(await after('remove', { kind, ...TEXT } as Outcome), left, kind);
    assert.equal(await originOfOther(), origin);
    const unfinished = kind === 'unknown-user' ? 'failed' : 'pending_revoke';
    assert.equal((await reread(grant)).status, left.length === 0 ? 'revoked' : unfinished);
  }
});

test('what a call was for is obsolete when the wish has changed meanwhile', async () => {
  const { grant, after } = await claimedWith({ origin: 'sent' }, { ...ENDING, version: 6 });
  grant.version = 5;
  await after('add', { kind: 'done' });
  const { status, leasedUntil, dueAt, attempts } = await reread(grant);
  assert.deepEqual([status, leasedUntil, dueAt, attempts], ['pending_revoke', null, AT, 1]);
});

test('the result of a call for a grant that is gone is left alone', async () => {
  const { grant } = await claimedWith({ origin: 'sent' });
  await within((tx) => store.delete(tx, [grant.id]));
  const step = { do: 'resolve', handle: 'ada' } as const;
  await settle({ grant, step, isFirst: false }, { kind: 'known', handle: 'ada' });
  await arrive(grant.id, 'A test');
  assert.equal(await store.find(grant.id), undefined);
});

test('operators are alerted once to a grant that fails, and the member is told when nothing is pending', async () => {
  const failing = await claimedWith({ origin: 'sent' }, { attempts: 3 });
  await failing.after('add', { kind: 'fault', ...TEXT });
  const { id, indicatorId, userId } = failing.grant;
  const details = { indicatorId, userId, failedAction: 'grant', errorKind: 'unavailable', attempts: 3 };
  assert.deepEqual(alerted, [{ action: 'indicators.access-failed', target: id, details }]);
  // It had failed already when the answer to an earlier call came.
  await database.execute('update indicators.access set version = version + 1 where id = $1', [id]);
  await failing.after('add', { kind: 'fault', ...TEXT });
  assert.deepEqual([alerted.length, told], [1, []]);

  const trying = await claimedWith({ origin: 'sent' });
  await trying.after('add', { kind: 'fault', ...TEXT });
  const began = await claimedWith({ origin: 'sent' });
  await began.after('add', { kind: 'done' });
  const ended = await claimedWith({ origin: 'made' }, { ...ENDING, notifiedStatus: 'active' });
  await ended.after('remove', { kind: 'done' });
  assert.equal(alerted.length, 1);
  assert.deepEqual(
    told,
    [
      { event: accessBegan, ...began },
      { event: accessEnded, ...ended },
    ].map(({ event, grant }) => ({ event, userId: grant.userId, scannerIds: [grant.indicatorId] })),
  );
  assert.equal(
    await whyOf(trying.grant),
    'Adding the handle at the charting platform: fault: it answered 503',
  );
  assert.equal(await whyOf(ended.grant), 'Removing the handle at the charting platform: done');
});

test('the grant of a deleted member is deleted as it ends', async () => {
  const [ended, other] = [
    await claimedWith({ origin: 'made' }, ENDING),
    await claimedWith({ origin: 'sent' }, CLAIMED),
  ];
  for (const { grant } of [ended, other]) await within((tx) => holders.erase(tx, grant.userId, AT));
  await ended.after('remove', { kind: 'done' });
  assert.equal(await store.find(ended.grant.id), undefined);
  await other.after('add', { kind: 'done' });
  assert.equal((await reread(other.grant)).status, 'active');
});

test('of an erased member, access under a name that nobody has any more ends without an alert', async () => {
  const ended = await claimedWith({ origin: 'made' }, ENDING);
  await within((tx) => holders.erase(tx, ended.grant.userId, AT));
  await ended.after('remove', { kind: 'unknown-user' });
  assert.deepEqual([await store.find(ended.grant.id), alerted], [undefined, []]);
});

test('a grant arrives when it is due and needs no call', async () => {
  const { id: indicatorId, pineId } = await newIndicator();
  const confirmed = [entryOf({ pineId: String(pineId) })];
  const arrived = async (fields: Partial<Grant>) => {
    const grant = await newGrant({ indicatorId, ...CLAIMED, dueAt: AT, userId: nextId(), ...fields });
    await arrive(grant.id, 'A test');
    return (await reread(grant)).leasedUntil === null;
  };
  assert.equal(await arrived({ entries: confirmed }), true);
  assert.equal(await arrived({ entries: confirmed, dueAt: EARLIER }), true);
  assert.equal(await arrived({ entries: confirmed, dueAt: LATER }), false);
  assert.equal(await arrived({ entries: confirmed, dueAt: null }), false);
  assert.equal(await arrived({ entries: [] }), false);
});

test('results are applied under the locks of the member and of the entry that the call was for', async () => {
  const { grant } = await claimedWith({ origin: 'made' }, ENDING);
  const gone = entryOf({ pineId: 'PUB;gone' });
  const settled = () =>
    settle({ grant, step: { do: 'remove', entry: gone }, isFirst: false }, { kind: 'done' });
  await assertWaits((tx) => store.lockMember(tx, grant.userId), settled);
  await assertWaits((tx) => entryStore.lock(tx, [gone]), settled);
  await assertWaits(
    (tx) => store.lockMember(tx, grant.userId),
    () => arrive(grant.id, 'A test'),
  );
});
