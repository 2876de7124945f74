import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Report, ReportStatus } from './contract.ts';
import { EARLIER_IN_LISTS, MOST_REPORTS_OF_ITEM, SHOWN_EARLIER } from './reports.model.ts';

/** The beginnings of earlier texts: in full, those of a page of reports could have thirty megabytes. */
export const BEGINNINGS = `(select coalesce(jsonb_agg(one || jsonb_build_object('text',
    case when length(one ->> 'text') > ${EARLIER_IN_LISTS} then left(one ->> 'text', ${EARLIER_IN_LISTS}) || '…'
      else one ->> 'text' end) order by place), '[]')
  from jsonb_array_elements(earlier_texts) with ordinality as said (one, place))`;

const COLUMNS = `id, kind, subject_id, container_id, author_id, text, reported_by, reason, status, created_at, resolved_at,
  resolved_by, note, ${BEGINNINGS} as earlier_texts`;

/**
 * Has an `exists` looked up in the index for each row. Joined by a hash instead, the thousand reports of one item would be
 * compared with each other.
 */
export const ROW_BY_ROW = 'offset 0';

/** SQL of reports by what they are about. */
export function reportedItemStore(database: Database) {
  return {
    /**
     * Returns the newest report of each item and state, newest first; served by report_listing, report_by_kind and
     * report_of_item.
     */
    pageOf(
      { kind, status }: { kind?: string; status?: ReportStatus },
      request: PageRequest,
    ): Promise<Page<Report>> {
      const from = `moderation.report r where ($1::text is null or kind = $1) and ($2::text is null or status = $2)
        and not exists (select from moderation.report newer where newer.kind = r.kind
          and newer.subject_id = r.subject_id and newer.status = r.status and newer.id > r.id ${ROW_BY_ROW})`;
      const values = [kind ?? null, status ?? null];
      return readPage(
        database,
        { columns: COLUMNS, from, orderBy: 'id desc', isGrowing: true },
        values,
        request,
      );
    },
    /** Returns how many reports each of these groups has, by the id of its newest one; served by report_of_item. */
    async countsOf(newest: Report[]): Promise<Map<ObjectId, number>> {
      const rows = await database.all<{ id: ObjectId; count: number }>(
        `select asked.id, (select count(*)::integer from (
           select from moderation.report r
           where r.kind = asked.kind and r.subject_id = asked.subject_id and r.status = asked.status
           limit ${MOST_REPORTS_OF_ITEM}) counted) as count
         from ${ASKED}`,
        valuesOf(newest),
      );
      return new Map(rows.map(({ id, count }) => [id, count]));
    },
    /** Returns the reports of each group that precede its newest one, newest first; served by report_of_item. */
    earlierThan: (newest: Report[]): Promise<(Report & { newestId: ObjectId })[]> =>
      database.all(
        `select earlier.*, asked.id as newest_id from ${ASKED} cross join lateral (
           select ${COLUMNS} from moderation.report r
           where r.kind = asked.kind and r.subject_id = asked.subject_id and r.status = asked.status and r.id < asked.id
           order by id desc limit ${SHOWN_EARLIER}) earlier
         order by earlier.id desc`,
        valuesOf(newest),
      ),
  };
}

const ASKED =
  'unnest($1::text[], $2::text[], $3::text[], $4::text[]) as asked (id, kind, subject_id, status)';

const valuesOf = (newest: Report[]): string[][] => [
  newest.map(({ id }) => id),
  newest.map(({ kind }) => kind),
  newest.map(({ subjectId }) => subjectId),
  newest.map(({ status }) => status),
];

export type ReportedItemStore = ReturnType<typeof reportedItemStore>;
