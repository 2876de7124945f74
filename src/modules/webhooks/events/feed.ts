import type { Core } from '../../../kernel/core.ts';
import type { Feed } from '../../../kernel/database/pagination.ts';
import { failure, validationFailed } from '../../../kernel/failures.ts';
import { DAY_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { EventLogStore, LogRow } from './event-log.store.ts';
import { KEPT_DAYS, type PublicRecord, publicId, TEST_TYPE } from './events.model.ts';
import { ALL, selects, unknownAmong } from './types.ts';

export const cursorExpired = failure(
  410,
  'CURSOR_EXPIRED',
  `The cursor is older than ${KEPT_DAYS} days; events after it may be gone`,
);

interface FeedDeps extends Pick<Core, 'clock'> {
  store: Pick<EventLogStore, 'readOn' | 'head'>;
  /** The names of all public types. */
  types: string[];
}

/** The feed of events, oldest first, from any cursor. */
export function feedRules({ store, types, clock }: FeedDeps) {
  /** @throws 422 for a type that does not exist */
  function typesOf(text: string | undefined): { of: string[] } | { allBut: string } {
    const patterns = text?.split(',').map((one) => one.trim()) ?? [ALL];
    const [unknown] = unknownAmong(patterns, types);
    if (unknown !== undefined)
      throw validationFailed([{ field: 'types', message: `there is no type ${unknown}` }]);
    if (patterns.includes(ALL)) return { allBut: TEST_TYPE };
    return { of: types.filter((type) => type !== TEST_TYPE && selects(patterns, type)) };
  }

  return {
    /** @throws cursorExpired, and 422 for an unknown type or a cursor that was not given out */
    async read({ after, types, limit }: FeedQuery): Promise<Feed<PublicRecord>> {
      const chosen = typesOf(types);
      const position = after === undefined ? 0 : positionOf(after, clock.now() - KEPT_DAYS * DAY_MS);
      const rows = await store.readOn(position, chosen, limit);
      // A database that was restored from a backup does not know its newest cursors.
      if (rows.length === 0 && position > 0 && position > (await store.head())) throw invalidCursor();
      const last = rows.at(-1);
      return { items: rows.map(recordOf), limit, nextCursor: last ? cursorOf(last) : null };
    },
  };
}

interface FeedQuery {
  after?: string;
  types?: string;
  limit: number;
}

export type FeedRules = ReturnType<typeof feedRules>;

const recordOf = ({ id, type, happenedAt, data }: LogRow): PublicRecord => ({
  id: publicId(id),
  type,
  timestamp: happenedAt,
  data,
});

/**
 * A cursor contains a position and the time of the event there, because its row may have been deleted by the time the
 * cursor is used.
 */
const CURSOR = /^([1-9a-z][0-9a-z]{0,9})-([1-9a-z][0-9a-z]{0,6})$/;
const BASE = 36;

const cursorOf = ({ position, happenedAt }: LogRow): string =>
  `${position.toString(BASE)}-${Math.floor(happenedAt.getTime() / SECOND_MS).toString(BASE)}`;

const invalidCursor = () =>
  validationFailed([{ field: 'after', message: 'must be the nextCursor of a page' }]);

/** @throws 422, cursorExpired */
function positionOf(cursor: string, keptSinceMs: number): number {
  const [, position, seconds] = CURSOR.exec(cursor) ?? [];
  if (position === undefined || seconds === undefined) throw invalidCursor();
  if (Number.parseInt(seconds, BASE) * SECOND_MS < keptSinceMs) throw cursorExpired();
  return Number.parseInt(position, BASE);
}
