import assert from 'node:assert/strict';
import type { Entry, Grant } from '../../src/modules/indicators/access/access.model.ts';

/** The instant at which the tests of grants act. */
export const AT = new Date('2026-03-01T12:00:00Z');
export const [EARLIER, LATER, MUCH_LATER] = [-60_000, 60_000, 120_000].map(
  (ms) => new Date(AT.getTime() + ms),
) as [Date, Date, Date];

/** An entry that the platform made and the charting platform confirmed. */
export const entryOf = (fields: Partial<Entry> = {}): Entry => ({
  pineId: 'PUB;1',
  handle: 'Ada',
  isConfirmed: true,
  origin: 'made',
  ...fields,
});

/** An active grant of a member named Ada there, or one with other fields. */
export const grantOf = (fields: Partial<Grant> = {}): Grant => ({
  id: 'a'.repeat(24),
  indicatorId: 'b'.repeat(24),
  userId: 'c'.repeat(24),
  handle: 'ada',
  isWanted: true,
  status: 'active',
  failedAction: null,
  source: 'automated',
  requestId: null,
  version: 5,
  attempts: 0,
  lastError: null,
  errorKind: null,
  priority: 0,
  dueAt: null,
  leasedUntil: null,
  graceEndsAt: null,
  endedBy: null,
  notifiedStatus: null,
  createdAt: EARLIER,
  updatedAt: EARLIER,
  pineId: 'PUB;1',
  entries: [entryOf()],
  ...fields,
});

/** Returns the fields that differ between two states of a grant, as they are afterwards. */
export const changesOf = (before: Grant, after: Grant): Partial<Grant> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Grant]),
    ),
  );

/** A grant that has failed, and states of others. */
export const FAILED = {
  status: 'failed',
  failedAction: 'grant',
  attempts: 3,
  lastError: 'no answer',
  errorKind: 'unavailable',
} as const;
export const CLEARED = { attempts: 0, lastError: null, errorKind: null, failedAction: null } as const;
export const NO_SCRIPT = { pineId: null, entries: [] };
/** Without a script, and given by hand. */
export const BY_HAND = { pineId: null, entries: [entryOf({ pineId: '', origin: 'by_hand' })] };
export const OVER = { isWanted: false, status: 'revoked', endedBy: 'order' } as const;
export const COUNTING = { status: 'pending_revoke', graceEndsAt: LATER, dueAt: LATER } as const;

/** Asserts that exactly these fields of a grant change. */
export function assertChanges(
  fields: Partial<Grant>,
  change: (grant: Grant) => Grant,
  expected: Partial<Grant>,
): void {
  const before = grantOf(fields);
  assert.deepEqual(changesOf(before, change(before)), expected);
}
/** Asserts that a change leaves a grant as it is. */
export function assertStays(fields: Partial<Grant>, change: (grant: Grant) => Grant): void {
  const before = grantOf(fields);
  assert.equal(change(before), before);
}
