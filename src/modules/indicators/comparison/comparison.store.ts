import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { ComparedGrant } from './comparison.model.ts';

const grantsOf = statement<ComparedGrant>(
  'indicators.grants-to-compare',
  `select id, user_id as "userId", handle, status, version,
     (status in ('active', 'revoked') and updated_at < $2 and (leased_until is null or leased_until <= $2)) as "isUnchanged"
   from indicators.access where indicator_id = $1`,
);

const comparable = statement<{ id: ObjectId; name: string; pineId: string }>(
  'indicators.comparable',
  `select id, name, pine_id as "pineId" from indicators.indicator
   where deleted_at is null and pine_id is not null order by sort_order, id`,
);

/** SQL of comparisons with the charting platform. */
export const comparisonStore = (database: Database) => ({
  indicators: () => database.all(comparable),
  /** Returns all current grants of an indicator. */
  grantsOf: (indicatorId: ObjectId, walkBeganAt: Date): Promise<ComparedGrant[]> =>
    database.all(grantsOf, [indicatorId, walkBeganAt]),
});

export type ComparisonStore = ReturnType<typeof comparisonStore>;
