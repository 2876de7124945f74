import { readBacklog } from '../../kernel/database/backlog.ts';
import type { Database } from '../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { only } from '../../kernel/only.ts';
import type { RemovedContent, Report, ReportStatus } from './contract.ts';
import { BEGINNINGS, ROW_BY_ROW } from './reported-items.store.ts';

const COLUMNS = `id, kind, subject_id as "subjectId", container_id as "containerId", author_id as "authorId", text,
  reported_by as "reportedBy", reason, status, created_at as "createdAt", resolved_at as "resolvedAt",
  resolved_by as "resolvedBy", note`;
const WHOLE = `${COLUMNS}, earlier_texts as "earlierTexts"`;
const LISTED = `${COLUMNS}, ${BEGINNINGS} as "earlierTexts"`;

/** SQL of reports. */
export function reportStore(database: Database) {
  const newest = async (
    from: string,
    values: ObjectId[],
    limit: number,
  ): Promise<{ reports: Report[]; total: number; totalIsExact: boolean }> => {
    const [reports, counted] = await Promise.all([
      database.all<Report>(`select ${LISTED} from ${from} order by id desc limit ${limit}`, values),
      database.count(`select count(*) from (select from ${from} limit ${MOST_COUNTED + 1}) counted`, values),
    ]);
    return { reports, ...boundedTotal(counted) };
  };
  return {
    /** Returns how many items have open reports; served by report_listing and report_of_item. */
    backlog: () =>
      readBacklog(
        database,
        `select created_at as at from moderation.report r where status = 'open'
           and not exists (select from moderation.report older where older.kind = r.kind
             and older.subject_id = r.subject_id and older.status = 'open' and older.id < r.id ${ROW_BY_ROW})
         order by id`,
      ),
    /** Returns reports of what a member published, newest first, and how many there are; served by report_by_author. */
    newestAgainst: (userId: ObjectId, limit: number) =>
      newest('moderation.report where author_id = $1', [userId], limit),
    /**
     * Returns the same of reports that a member made, without those of what `readerId` published, unless that is the member:
     * they would learn who reported them, also from a number. Served by report_by_reporter.
     */
    newestBy: (userId: ObjectId, readerId: ObjectId, limit: number) =>
      newest(
        'moderation.report where reported_by = $1 and (author_id <> $2 or author_id = $1)',
        [userId, readerId],
        limit,
      ),
    find: (id: ObjectId): Promise<Report | undefined> =>
      database.first<Report>(`select ${WHOLE} from moderation.report where id = $1`, [id]),
    /**
     * Inserts a report unless the member has an open one of the same content, or theirs of the same text was dismissed. It is
     * another text if it said before what none of theirs has. Of concurrent reports, which have the same round, only one is inserted.
     * @returns whether it was inserted
     */
    insert: async (tx: Transaction, one: Report, textDigest: Buffer): Promise<boolean> =>
      (await tx.execute(
        `with earlier as (
           select status, text, earlier_texts, coalesce(text_digest = $11, text = $6) as is_same from moderation.report
           where kind = $2 and subject_id = $3 and reported_by = $7),
         unknown as (
           select said.text from jsonb_to_recordset($12::jsonb) as said (text text)
           except (select text from earlier where status = 'dismissed'
             union all select known.text from earlier, jsonb_to_recordset(earlier_texts) as known (text text)
             where status = 'dismissed'))
         insert into moderation.report (id, kind, subject_id, container_id, author_id, text, reported_by, reason, status,
           created_at, text_digest, earlier_texts, round)
         select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, (select count(*) from earlier)
         where not exists (select from earlier where status = 'open'
           or (status = 'dismissed' and is_same and not exists (select from unknown)))
         on conflict on constraint report_once do nothing`,
        [
          one.id,
          one.kind,
          one.subjectId,
          one.containerId,
          one.authorId,
          one.text,
          one.reportedBy,
          one.reason,
          one.status,
          one.createdAt,
          textDigest,
          JSON.stringify(one.earlierTexts),
        ],
      )) > 0,
    /** Returns reports, newest first; served by report_listing and report_by_kind. */
    pageOf(
      { kind, status }: { kind?: string; status?: ReportStatus },
      request: PageRequest,
    ): Promise<Page<Report>> {
      const from = `moderation.report where ($1::text is null or kind = $1) and ($2::text is null or status = $2)`;
      const values = [kind ?? null, status ?? null];
      const paged = { columns: LISTED, from, orderBy: 'id desc', isGrowing: true };
      return readPage(database, paged, values, request);
    },
    /** Returns whether a member has an open report of an item. */
    isReportedBy: async (
      { kind, subjectId }: Pick<Report, 'kind' | 'subjectId'>,
      userId: ObjectId,
    ): Promise<boolean> =>
      (await database.first(
        `select 1 as found from moderation.report
         where kind = $1 and subject_id = $2 and reported_by = $3 and status = 'open'`,
        [kind, subjectId, userId],
      )) !== undefined,
    /** Resolves all open reports of an item; returns how many, and whether one was made by `end.by`. */
    async resolve(
      tx: Transaction,
      { kind, subjectId }: Pick<Report, 'kind' | 'subjectId'>,
      end: { outcome: ReportStatus; note: string | null; at: Date; by: ObjectId },
    ): Promise<{ reports: number; isOwn: boolean }> {
      const resolved = await tx.all<{ reports: number; isOwn: boolean }>(
        `with resolved as (
           update moderation.report set status = $3, resolved_at = $4, resolved_by = $5, note = $6
           where kind = $1 and subject_id = $2 and status = 'open' returning reported_by)
         select count(*) as reports, coalesce(bool_or(reported_by = $5), false) as is_own from resolved`,
        [kind, subjectId, end.outcome, end.at, end.by, end.note],
      );
      return only(resolved);
    },
    /**
     * Empties the text of reports about the person of a member, rather than about what they wrote, and what that said before they
     * edited it; served by report_by_author.
     */
    forgetPerson: async (tx: Transaction, userId: ObjectId): Promise<void> => {
      await tx.execute(
        "update moderation.report set earlier_texts = '[]' where author_id = $1 and earlier_texts <> '[]'",
        [userId],
      );
      await tx.execute(
        // The digests of a name could be guessed.
        `update moderation.report set text = '', text_digest = null, left_digest = null
         where author_id = $1 and subject_id = $1
           and (text <> '' or text_digest is not null or left_digest is not null)`,
        [userId],
      );
    },
    /**
     * Resolves the open reports of items, and of what stands in containers, as removed, except of what `end.by` wrote or has
     * an open report of; returns how many for each item. Served by report_once and open_by_container.
     */
    close: (
      tx: Transaction,
      { kind, subjectIds, containerIds = [] }: RemovedContent,
      end: { at: Date; by: string },
    ): Promise<{ kind: string; subjectId: ObjectId; authorId: ObjectId; reports: number }[]> =>
      tx.all(
        `with closed as (
           update moderation.report r set status = 'removed', resolved_at = $3, resolved_by = $4
           where (kind = $1 and subject_id = any($2) or container_id = any($5)) and status = 'open' and author_id <> $4
             and not exists (select from moderation.report own where own.kind = r.kind and own.subject_id = r.subject_id
               and own.reported_by = $4 and own.status = 'open')
           returning kind, subject_id, author_id)
         select kind, subject_id as "subjectId", author_id as "authorId", count(*)::integer as reports
         from closed group by kind, subject_id, author_id order by kind, subject_id`,
        [kind, subjectIds, end.at, end.by, containerIds],
      ),
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
