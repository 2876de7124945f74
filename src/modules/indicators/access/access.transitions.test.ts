import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AT,
  assertChanges,
  assertStays,
  BY_HAND,
  CLEARED,
  COUNTING,
  EARLIER,
  entryOf,
  FAILED,
  grantOf,
  LATER,
  NO_SCRIPT,
  OVER,
} from '../../../../test/support/grants.ts';
import type { Grant } from './access.model.ts';
import {
  active,
  ended,
  graceOver,
  granted,
  inactive,
  inherited,
  isWantedEntry,
  renamed,
  type Wish,
} from './access.transitions.ts';

const WISH: Wish = { handle: 'ada', source: 'automated', requestId: null, priority: 1 };
test('an entry is wanted by a grant of its script and handle, in any case, while access is wanted', () => {
  assert.equal(isWantedEntry(grantOf(), { pineId: 'PUB;1', handle: 'ADA' }), true);
  assert.equal(isWantedEntry(grantOf(), { pineId: 'PUB;2', handle: 'ada' }), false);
  assert.equal(isWantedEntry(grantOf(), { pineId: 'PUB;1', handle: 'eve' }), false);
  assert.equal(isWantedEntry(grantOf({ isWanted: false }), { pineId: 'PUB;1', handle: 'ada' }), false);
  assert.equal(isWantedEntry(grantOf({ pineId: null }), { pineId: '', handle: 'ada' }), true);
});

test('a grant of ended access begins anew with the handle, source, request and priority of the wish', () => {
  const wish: Wish = { handle: 'eve', source: 'marketplace', requestId: 'd'.repeat(24), priority: 1 };
  assertChanges({ ...OVER, entries: [] }, (grant) => granted(grant, wish, AT), {
    ...wish,
    isWanted: true,
    status: 'pending_grant',
    version: 6,
    dueAt: AT,
    endedBy: null,
  });
});

test('access wanted anew waits until a call that is under way has ended', () => {
  for (const [leasedUntil, dueAt] of [
    [LATER, LATER],
    [EARLIER, AT],
  ] as const)
    assert.deepEqual(granted(grantOf({ ...OVER, leasedUntil }), WISH, AT).dueAt, dueAt);
});

test('access wanted anew without a script fails, unless a person has given it by hand', () => {
  const again = granted(grantOf({ ...OVER, ...NO_SCRIPT }), WISH, AT);
  assert.match(again.lastError ?? '', /has no pineId/);
  assert.deepEqual(
    [again.status, again.failedAction, again.errorKind, again.dueAt],
    ['failed', 'grant', 'no-script', null],
  );
  const held = granted(grantOf({ ...OVER, ...BY_HAND }), WISH, AT);
  assert.deepEqual([held.status, held.dueAt], ['active', null]);
  const unconfirmed = [entryOf({ pineId: '', isConfirmed: false })];
  assert.equal(granted(grantOf({ ...OVER, ...BY_HAND, entries: unconfirmed }), WISH, AT).status, 'failed');
  const ofOther = [entryOf({ pineId: '', handle: 'eve' })];
  assert.equal(granted(grantOf({ ...OVER, ...BY_HAND, entries: ofOther }), WISH, AT).status, 'failed');
});

test('the same grant again changes nothing but a weaker source, with its request', () => {
  const requestId = 'd'.repeat(24);
  const again = (grant: Grant) => granted(grant, { ...WISH, handle: 'ADA' }, AT);
  assertChanges({}, again, {});
  assertChanges({ source: 'manual', requestId }, again, {});
  assertChanges({ source: 'marketplace', requestId }, again, { source: 'automated', requestId: null });
  assertChanges({ status: 'pending_grant', entries: [] }, again, {});
});

test('a grant with another handle begins anew, with the priority of the wish', () => {
  assertChanges({ attempts: 2 }, (grant) => granted(grant, { ...WISH, handle: 'eve' }, AT), {
    handle: 'eve',
    status: 'pending_grant',
    priority: 1,
    version: 6,
    attempts: 0,
    dueAt: AT,
  });
});

test('a request whose handle replaces that of a grant decides about it, unless its source is weaker', () => {
  const [requestId, former] = ['d'.repeat(24), 'e'.repeat(24)];
  const wish = { ...WISH, source: 'marketplace', requestId } as const;
  const after = (fields: Partial<Grant>, handle: string) =>
    granted(grantOf({ requestId: former, ...fields }), { ...wish, handle }, AT).requestId;
  assert.equal(after({ source: 'marketplace' }, 'eve'), requestId);
  assert.equal(after({ source: 'marketplace' }, 'ADA'), former);
  assert.equal(after({ source: 'manual', requestId: null }, 'eve'), null);
});

test('a failed grant is granted anew, unless all that it lacks is still the script', () => {
  const again = (grant: Grant) => granted(grant, WISH, AT);
  assertChanges(FAILED, again, { ...CLEARED, status: 'pending_grant', priority: 1, version: 6, dueAt: AT });
  assertChanges({ ...FAILED, errorKind: 'no-script', ...NO_SCRIPT }, again, {});
  assert.equal(again(grantOf({ ...FAILED, errorKind: 'no-script' })).status, 'pending_grant');
  assert.equal(again(grantOf({ ...FAILED, errorKind: 'by-hand', ...NO_SCRIPT })).version, 6);
});

test('a grant or activity within a countdown restores the access', () => {
  for (const change of [(grant: Grant) => granted(grant, WISH, AT), (grant: Grant) => active(grant, AT)]) {
    assertChanges({ ...COUNTING, attempts: 1 }, change, {
      attempts: 0,
      status: 'active',
      graceEndsAt: null,
      dueAt: null,
      version: 6,
    });
    const unconfirmed = [entryOf({ isConfirmed: false })];
    assertChanges({ ...COUNTING, entries: unconfirmed }, change, {
      status: 'pending_grant',
      graceEndsAt: null,
      dueAt: AT,
      version: 6,
    });
    const pending: Partial<Grant> = {
      status: 'pending_grant',
      graceEndsAt: LATER,
      dueAt: AT,
      entries: [],
    };
    assertChanges(pending, change, { graceEndsAt: null });
    const withoutScript = { ...FAILED, ...NO_SCRIPT, errorKind: 'no-script', graceEndsAt: LATER } as const;
    assertChanges({ ...withoutScript, dueAt: LATER }, change, { graceEndsAt: null, dueAt: null });
  }
});

test('a grant after the end of a countdown begins anew, while activity does not restore the access', () => {
  const over = { ...COUNTING, graceEndsAt: EARLIER, dueAt: EARLIER };
  assertChanges(over, (grant) => granted(grant, WISH, AT), {
    status: 'pending_grant',
    priority: 1,
    graceEndsAt: null,
    dueAt: AT,
    version: 7,
  });
  const ending = { isWanted: false, graceEndsAt: null, endedBy: 'inactive', dueAt: AT, version: 6 } as const;
  assertChanges(over, (grant) => active(grant, AT), ending);
  assertChanges(over, (grant) => graceOver(grant, AT), ending);
});

test('activity changes no access that is not counting down', () => {
  assertStays({}, (grant) => active(grant, AT));
  assertStays({ ...OVER, graceEndsAt: LATER }, (grant) => active(grant, AT));
  assertStays(COUNTING, (grant) => graceOver(grant, AT));
  assertStays({ ...COUNTING, isWanted: false, graceEndsAt: EARLIER }, (grant) => graceOver(grant, AT));
});

test('another handle moves wanted access, and a countdown continues', () => {
  const rename = (grant: Grant) => renamed(grant, 'eve', AT);
  assertStays({ ...OVER }, rename);
  assertStays({}, (grant) => renamed(grant, 'ADA', AT));
  assertChanges(COUNTING, rename, { handle: 'eve', status: 'pending_grant', version: 6, dueAt: AT });
  assertChanges(
    { pineId: null, entries: [entryOf({ pineId: '', handle: 'eve' })], ...COUNTING, dueAt: null },
    rename,
    { handle: 'eve', dueAt: LATER, version: 6 },
  );
});

test('ended access is removed, at once where nothing can be at the charting platform', () => {
  const end = (grant: Grant) => ended(grant, 'inactive', AT);
  const over = { isWanted: false, endedBy: 'inactive', version: 6 } as const;
  assertChanges({ attempts: 2 }, end, { ...over, attempts: 0, status: 'pending_revoke', dueAt: AT });
  assertChanges({ entries: [] }, end, { ...over, status: 'pending_revoke', dueAt: AT });
  assertChanges({ status: 'pending_grant', entries: [], dueAt: AT }, end, {
    ...over,
    status: 'revoked',
    dueAt: null,
  });
  assertChanges({ status: 'pending_grant', leasedUntil: LATER, dueAt: AT }, end, {
    ...over,
    status: 'pending_revoke',
    dueAt: LATER,
  });
  assertChanges({ ...COUNTING }, end, { ...over, graceEndsAt: null, dueAt: AT });
  assertStays(OVER, end);
  assertStays({ ...OVER, status: 'pending_revoke' }, end);
  const inVain = { ...OVER, ...FAILED, failedAction: 'revoke' } as const;
  assertChanges(inVain, end, {
    ...CLEARED,
    endedBy: 'inactive',
    status: 'pending_revoke',
    dueAt: AT,
    version: 6,
  });
});

test('inactivity begins one countdown, except for access granted manually', () => {
  const stop = (grant: Grant) => inactive(grant, LATER);
  assertChanges({ attempts: 1 }, stop, { ...COUNTING, attempts: 0 });
  assertChanges({ status: 'pending_grant', dueAt: AT }, stop, { graceEndsAt: LATER });
  assertChanges(FAILED, stop, { graceEndsAt: LATER, dueAt: LATER });
  assertStays({ source: 'manual' }, stop);
  assertStays(OVER, stop);
  assertStays({ ...COUNTING, graceEndsAt: EARLIER }, stop);
});

test('a request that continues a grant brings its handle, unless the member has taken another one since', () => {
  const heir = { requestId: 'e'.repeat(24), handle: 'eve' };
  const { requestId } = heir;
  const from = (handle: string | null) => (grant: Grant) => inherited(grant, { handle }, heir, AT);
  assertChanges({}, from('zoe'), { requestId });
  assertChanges({}, from(null), { requestId });
  const anew = { requestId, handle: 'eve', status: 'pending_grant', version: 6, dueAt: AT } as const;
  assertChanges({}, from('ADA'), anew);
});
