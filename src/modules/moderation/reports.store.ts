import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import type { Report, ReportKind, ReportStatus } from './contract.ts';

const COLUMNS = `id, kind, subject_id as "subjectId", container_id as "containerId", author_id as "authorId", text,
  reported_by as "reportedBy", reason, status, created_at as "createdAt", resolved_at as "resolvedAt",
  resolved_by as "resolvedBy"`;

/** SQL of reports. */
export function reportStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Report | undefined> =>
      database.first<Report>(`select ${COLUMNS} from moderation.report where id = $1`, [id]),
    /** Returns whether this is the member's first report of it. */
    insert: async (one: Report): Promise<boolean> =>
      (await database.execute(
        `insert into moderation.report (id, kind, subject_id, container_id, author_id, text, reported_by, reason, status,
           created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict on constraint report_once do nothing`,
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
        ],
      )) > 0,
    /** Returns reports, newest first; served by report_listing and report_by_kind. */
    pageOf(
      { kind, status }: { kind?: ReportKind; status?: ReportStatus },
      request: PageRequest,
    ): Promise<Page<Report>> {
      const from = `moderation.report where ($1::text is null or kind = $1) and ($2::text is null or status = $2)`;
      const values = [kind ?? null, status ?? null];
      return readPage(database, { columns: COLUMNS, from, orderBy: 'id desc' }, values, request);
    },
    /** Resolves all open reports of a content; returns how many. */
    resolve: (
      tx: Transaction,
      { kind, subjectId }: Pick<Report, 'kind' | 'subjectId'>,
      end: { outcome: ReportStatus; at: Date; by: ObjectId },
    ): Promise<number> =>
      tx.execute(
        `update moderation.report set status = $3, resolved_at = $4, resolved_by = $5
         where kind = $1 and subject_id = $2 and status = 'open'`,
        [kind, subjectId, end.outcome, end.at, end.by],
      ),
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
