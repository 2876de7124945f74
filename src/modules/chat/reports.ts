import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import { Failure, failure } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/pagination.ts';
import type { Clock } from '../../kernel/time.ts';
import type { REPORT_STATUSES } from './chat.schemas.ts';
import { reportNotFound } from './failures.ts';
import type { MessageRules } from './messages.ts';

export const alreadyReported = failure(409, 'ALREADY_REPORTED', 'You have reported this message');
export const alreadyResolved = failure(409, 'ALREADY_RESOLVED', 'The report is resolved');

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

interface ReportDeps {
  database: Database;
  messages: MessageRules;
  clock: Clock;
  newId: NewId;
}

const REPORT = `report.id, message_id as "messageId", report.room_id as "chatroomId", reported_by as "reportedBy", reason,
  status, message.message, message.user_id as "messageUserId", report.created_at as "createdAt",
  resolved_at as "resolvedAt", resolved_by as "resolvedBy"`;
const FROM = 'chat.report join chat.message on message.id = message_id';

/** Messages that members report, and what moderators make of it. */
export function reportRules({ database, messages, clock, newId }: ReportDeps) {
  async function find(id: ObjectId): Promise<Report> {
    const rows = await database.all(`select ${REPORT} from ${FROM} where report.id = $1`, [id]);
    if (!rows[0]) throw reportNotFound();
    return rows[0] as unknown as Report;
  }

  return {
    find,
    /** @throws alreadyReported */
    async report(
      { roomId, messageId }: { roomId: ObjectId; messageId: ObjectId },
      reason: string,
      reportedBy: ObjectId,
    ): Promise<Report> {
      await messages.find(roomId, messageId);
      const id = newId();
      try {
        await database.execute(
          `insert into chat.report (id, message_id, room_id, reported_by, reason, status, created_at)
           values ($1, $2, $3, $4, $5, 'open', $6)`,
          [id, messageId, roomId, reportedBy, reason, new Date(clock.now())],
        );
      } catch (error) {
        throw isDuplicate(error) ? alreadyReported() : error;
      }
      return find(id);
    },
    /** Newest first. */
    async pageOf(status: ReportStatus | undefined, request: PageRequest): Promise<Page<Report>> {
      const where = 'where ($1::text is null or status = $1)';
      const paged = { columns: REPORT, from: `${FROM} ${where}`, orderBy: 'report.id desc' };
      const count = `select count(*) as total from chat.report ${where}`;
      return readPage(database, { ...paged, count }, [status ?? null], request);
    },
    /**
     * Dismisses it, or deletes the message; all open reports of the message are resolved alike.
     * @throws alreadyResolved
     */
    async resolve(id: ObjectId, outcome: 'dismissed' | 'removed', caller: UserCaller): Promise<Report> {
      const report = await find(id);
      if (report.status !== 'open') throw alreadyResolved();
      if (outcome === 'removed') {
        await messages.delete(report.chatroomId, report.messageId, caller).catch((error) => {
          // Gone already, with its room or by its author: what is wanted is so.
          if (!(error instanceof Failure) || error.status !== 404) throw error;
        });
      }
      await database.execute(
        `update chat.report set status = $2, resolved_at = $3, resolved_by = $4
         where message_id = $1 and status = 'open'`,
        [report.messageId, outcome, new Date(clock.now()), caller.userId],
      );
      return find(id);
    },
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
