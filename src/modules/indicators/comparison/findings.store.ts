import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { FindingKind } from './comparison.model.ts';

const noteFindings = statement<{ indicatorId: ObjectId }>(
  'indicators.note-findings',
  `with found as (select distinct indicator_id, sha256(convert_to(lower(handle), 'UTF8')) as digest
     from unnest($3::text[], $4::text[]) as f (indicator_id, handle)),
   gone as (delete from indicators.finding k where kind = $1 and indicator_id = any($2)
     and not exists (select from found f where f.indicator_id = k.indicator_id and f.digest = k.handle_digest))
   insert into indicators.finding (kind, indicator_id, handle_digest)
     select $1, indicator_id, digest from found on conflict do nothing returning indicator_id as "indicatorId"`,
);

/** SQL of what comparisons have found before. */
export const findingStore = {
  /**
   * Remembers what was found of the compared indicators, and forgets what is no longer there.
   * @returns the indicator of each finding that is new
   */
  async note(
    tx: Transaction,
    kind: FindingKind,
    comparedIds: ObjectId[],
    found: { scannerId: ObjectId; chartingUsername: string }[],
  ): Promise<ObjectId[]> {
    const rows = await tx.all(noteFindings, [
      kind,
      comparedIds,
      found.map(({ scannerId }) => scannerId),
      found.map(({ chartingUsername }) => chartingUsername),
    ]);
    return rows.map(({ indicatorId }) => indicatorId);
  },
};

export type FindingStore = typeof findingStore;
