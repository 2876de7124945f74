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
