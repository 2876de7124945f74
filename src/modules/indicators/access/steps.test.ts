import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AT,
  assertChanges,
  assertStays,
  BY_HAND,
  CLEARED,
  COUNTING,
  changesOf,
  EARLIER,
  entryOf,
  FAILED,
  grantOf,
  LATER,
  MUCH_LATER,
  NO_SCRIPT,
  OVER,
} from '../../../../test/support/grants.ts';
import type { Grant } from './access.model.ts';
import {
  absentOutside,
  arrived,
  doneByHand,
  failed,
  isUnderWay,
  nextStep,
  retried,
  takenOver,
} from './access.transitions.ts';

test('a retry repeats what failed, before other grants', () => {
  assertChanges({ ...FAILED, graceEndsAt: LATER }, (grant) => retried(grant, AT), {
    ...CLEARED,
    status: 'pending_grant',
    dueAt: AT,
    priority: 1,
    version: 6,
  });
  for (const endedBy of ['inactive', null] as const)
    assert.deepEqual(
      changesOf(
        grantOf({ ...FAILED, failedAction: 'revoke', isWanted: false, endedBy: 'order' }),
        retried(grantOf({ ...FAILED, failedAction: 'revoke', isWanted: false, endedBy }), AT),
      ),
      {
        ...CLEARED,
        status: 'pending_revoke',
        dueAt: AT,
        priority: 1,
        version: 6,
        ...(endedBy && { endedBy }),
      },
    );
});

test('access that the charting platform has lost is granted again, after other grants', () => {
  assertChanges({ priority: 1 }, (grant) => absentOutside(grant, AT), {
    status: 'pending_grant',
    priority: 0,
    version: 6,
    dueAt: AT,
  });
});

test('entries taken over are removed with ended access, and continue what waited for a person', () => {
  const take = (grant: Grant) => takenOver(grant, AT);
  assertChanges({ ...OVER, attempts: 1 }, take, {
    attempts: 0,
    status: 'pending_revoke',
    version: 6,
    dueAt: AT,
    priority: 1,
  });
  const byHand = { ...FAILED, isWanted: false, failedAction: 'revoke', errorKind: 'by-hand' } as const;
  assert.deepEqual(take(grantOf(byHand)), retried(grantOf(byHand), AT));
  assertStays(FAILED, take);
  assertStays({ errorKind: 'by-hand' }, take);
});

test('what a person did by hand is active until its countdown ends, or over', () => {
  const resolved = { ...CLEARED, version: 6 };
  assertChanges(FAILED, doneByHand, { ...resolved, status: 'active' });
  const counting = { ...FAILED, graceEndsAt: LATER, dueAt: LATER };
  assertChanges(counting, doneByHand, { ...resolved, status: 'pending_revoke' });
  const revoking = { ...FAILED, isWanted: false, failedAction: 'revoke', dueAt: AT } as const;
  assertChanges(revoking, doneByHand, { ...resolved, status: 'revoked', dueAt: null });
});

test('the next step asks for the spelling, removes what is not wanted, and looks before it adds', () => {
  const PENDING = { status: 'pending_grant', dueAt: AT } as const;
  const old = entryOf({ handle: 'eve' });
  const step = (fields: Partial<Grant>, spelling: string | undefined = 'Ada') =>
    nextStep(grantOf(fields), spelling);
  assert.deepEqual(nextStep(grantOf({ ...PENDING, entries: [old] }), undefined), {
    do: 'resolve',
    handle: 'ada',
  });
  assert.deepEqual(step({ ...PENDING, entries: [old, entryOf()] }), { do: 'remove', entry: old });
  assert.deepEqual(step({ ...OVER, status: 'pending_revoke' }), { do: 'remove', entry: entryOf() });
  for (const fields of [{ entries: [old] }, { ...COUNTING, entries: [old] }, { ...PENDING }, { entries: [] }])
    assert.deepEqual(step(fields), { do: 'settle' });
  assert.deepEqual(nextStep(grantOf({ ...PENDING, ...NO_SCRIPT }), undefined), { do: 'settle' });
  for (const [origin, what] of [
    ['unknown', 'look'],
    ['found', 'look'],
    ['absent', 'add'],
    ['sent', 'add'],
    ['made', 'add'],
  ] as const) {
    const entry = entryOf({ isConfirmed: false, origin });
    const others = [entryOf({ handle: 'ADA', isConfirmed: false, origin })];
    assert.deepEqual(step({ ...PENDING, entries: others }), { do: what, entry });
  }
  const unknown = entryOf({ isConfirmed: false, origin: 'unknown' });
  assert.deepEqual(step({ ...PENDING, entries: [] }), { do: 'look', entry: unknown });
});

test('a grant without a further step arrives at its final status', () => {
  const arrive = (grant: Grant) => arrived(grant, AT);
  const BUSY = { attempts: 2, lastError: 'no answer', errorKind: 'unavailable', leasedUntil: LATER } as const;
  const free = { ...CLEARED, leasedUntil: null };
  const { failedAction: _, ...calm } = free;
  const pending = { ...BUSY, status: 'pending_grant', dueAt: AT } as const;
  assertChanges({ ...BUSY, isWanted: false, status: 'pending_revoke', dueAt: AT }, arrive, {
    ...calm,
    status: 'revoked',
    dueAt: null,
  });
  assertChanges({ ...BUSY, dueAt: AT }, arrive, { ...calm, dueAt: null });
  assertChanges({ ...BUSY, ...COUNTING, dueAt: AT }, arrive, { ...calm, dueAt: LATER });
  assertChanges({ ...BUSY, ...COUNTING, graceEndsAt: EARLIER }, arrive, { ...calm, dueAt: EARLIER });
  assertChanges(pending, arrive, { ...calm, status: 'active', dueAt: null });
  assertChanges({ ...pending, entries: [] }, arrive, { ...calm, status: 'active', dueAt: null });
  assertChanges({ ...pending, ...BY_HAND }, arrive, { ...calm, status: 'active', dueAt: null });
  const without = arrive(grantOf({ ...pending, ...NO_SCRIPT }));
  assert.deepEqual([without.status, without.errorKind, without.leasedUntil], ['failed', 'no-script', LATER]);
  for (const [graceEndsAt, dueAt] of [
    [MUCH_LATER, MUCH_LATER],
    [EARLIER, AT],
  ] as const)
    assertChanges({ ...pending, dueAt: LATER, graceEndsAt }, arrive, {
      ...calm,
      status: 'pending_revoke',
      dueAt,
    });
});

test('a failed grant says what failed and waits for a person, or for the end of its countdown', () => {
  const fail = (grant: Grant) => failed(grant, 'refused', 'refused');
  const why = { status: 'failed', lastError: 'refused', errorKind: 'refused' } as const;
  assertChanges({ dueAt: AT }, fail, { ...why, failedAction: 'grant', dueAt: null });
  assertChanges({ ...COUNTING, isWanted: false, dueAt: AT }, fail, {
    ...why,
    failedAction: 'revoke',
    dueAt: LATER,
  });
});

test('a grant needs work while it is pending, but not during a countdown', () => {
  assert.equal(isUnderWay(grantOf({ status: 'pending_grant' })), true);
  assert.equal(isUnderWay(grantOf({ status: 'pending_revoke', isWanted: false })), true);
  assert.equal(isUnderWay(grantOf(COUNTING)), false);
  assert.equal(isUnderWay(grantOf()), false);
  assert.equal(isUnderWay(grantOf(OVER)), false);
});
