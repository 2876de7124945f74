import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import type { REPORT_STATUSES } from './chat.schemas.ts';

export type ReportStatus = (typeof REPORT_STATUSES)[number];

export interface Report {
  id: ObjectId;
  messageId: ObjectId;
  chatroomId: ObjectId;
  reportedBy: ObjectId;
  reason: string;
  status: ReportStatus;
  /** What was said, deleted or not, and by whom. */
  message: string;
  messageUserId: ObjectId;
  createdAt: Date;
  resolvedAt: Date | null;
  resolvedBy: ObjectId | null;
}

const COLUMNS = `report.id, message_id, report.room_id as chatroom_id, reported_by, reason, status, message.message,
  message.user_id as message_user_id, report.created_at, resolved_at, resolved_by`;
const FROM = 'chat.report join chat.message on message.id = message_id';

export function reportStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Report | undefined> =>
      database.first(`select ${COLUMNS} from ${FROM} where report.id = $1`, [id]),
    /** Fails with a duplicate when this member has reported the message before. */
    async insert(
      report: Pick<Report, 'id' | 'messageId' | 'chatroomId' | 'reportedBy' | 'reason' | 'createdAt'>,
    ): Promise<void> {
      await database.execute(
        `insert into chat.report (id, message_id, room_id, reported_by, reason, status, created_at)
         values ($1, $2, $3, $4, $5, 'open', $6)`,
        [report.id, report.messageId, report.chatroomId, report.reportedBy, report.reason, report.createdAt],
      );
    },
    /** Returns reports newest first. */
    pageOf(status: ReportStatus | undefined, request: PageRequest): Promise<Page<Report>> {
      const from = `${FROM} where ($1::text is null or status = $1)`;
      const count = 'select count(*) from chat.report where ($1::text is null or status = $1)';
      const paged = { columns: COLUMNS, from, orderBy: 'report.id desc', count };
      return readPage(database, paged, [status ?? null], request);
    },
    /** Resolves all open reports of a message. */
    async resolveAllOf(
      messageId: ObjectId,
      { status, at, by }: { status: 'dismissed' | 'removed'; at: Date; by: ObjectId },
    ): Promise<void> {
      await database.execute(
        `update chat.report set status = $2, resolved_at = $3, resolved_by = $4
         where message_id = $1 and status = 'open'`,
        [messageId, status, at, by],
      );
    },
  };
}

export type ReportStore = ReturnType<typeof reportStore>;
