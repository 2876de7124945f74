import { mapPage, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { notIdempotent } from '../../kernel/records/idempotency.ts';
import {
  type EarlierText,
  type Moderation,
  type ReportStatus,
  reportNotFound,
  type SeenReport,
} from '../moderation/contract.ts';
import { messageNotFound } from './failures.ts';
import type { FoundMessage, MessagesToReport } from './reportable-messages.ts';
import type { RoomRules } from './rooms.ts';

/** A report of a message, as returned by the operations on chatrooms. */
export interface Report {
  id: ObjectId;
  messageId: ObjectId;
  chatroomId: ObjectId;
  /** Null if the viewer is the author of the message. */
  reportedBy: ObjectId | null;
  reason: string;
  status: ReportStatus;
  /** Text and author of the message at the time of the report. */
  message: string;
  messageUserId: ObjectId;
  createdAt: Date;
  resolvedAt: Date | null;
  resolvedBy: ObjectId | null;
  earlierTexts: EarlierText[];
}

/** A report as its author sees it, who learns nothing of a text that they cannot read. */
export type SentReport = Omit<Report, 'message' | 'earlierTexts'> & { message: string | null };

const toReport = ({ subjectId, containerId, text, authorId, kind: _, ...report }: SeenReport): Report => ({
  ...report,
  messageId: subjectId,
  chatroomId: containerId as ObjectId,
  message: text,
  messageUserId: authorId,
});

interface ReportDeps {
  moderation: Pick<Moderation, 'report' | 'find' | 'pageOf' | 'resolve'>;
  rooms: Pick<RoomRules, 'readable'>;
  findToReport: MessagesToReport;
}

/** Reports of messages: the part of the moderators' worklist that concerns messages. */
export function reportRules({ moderation, rooms, findToReport }: ReportDeps) {
  /** @throws reportNotFound, also for a report of other content */
  async function find(id: ObjectId): Promise<Report> {
    const report = await moderation.find(id);
    if (report.kind !== 'message') throw reportNotFound();
    return toReport(report);
  }

  return {
    find,
    /** Returns a message of a room as this member may report it. @throws roomNotFound, notMember, banned, messageNotFound */
    async reportable(roomId: ObjectId, messageId: ObjectId, reporter: UserCaller): Promise<FoundMessage> {
      const found = await findToReport(messageId, reporter).catch(async (error) => {
        // Whoever may not read the room does not learn which messages there are.
        await rooms.readable(roomId, reporter);
        throw error;
      });
      if (found.message.roomId === roomId) return found;
      await rooms.readable(roomId, reporter);
      throw messageNotFound();
    },
    /** @throws alreadyReported, tooManyReports */
    async report(
      { message: { id: subjectId }, isReadable }: FoundMessage,
      reason: string,
      reporter: UserCaller,
      idempotency = notIdempotent,
    ): Promise<SentReport> {
      const sent = (report: SeenReport): SentReport => {
        const { message, earlierTexts: _, ...rest } = toReport(report);
        return { ...rest, message: isReadable ? message : null };
      };
      const item = { kind: 'message', subjectId, reason };
      return sent(await moderation.report(item, reporter, { idempotency, of: sent }));
    },
    /** Returns reports, newest first. */
    pageOf: async (
      status: ReportStatus | undefined,
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<Report>> =>
      mapPage(await moderation.pageOf({ kind: 'message', status }, request, caller), toReport),
    /** Dismisses a report or deletes its message; resolves all open reports. @throws alreadyResolved, ownReport */
    resolve: async (...asked: Parameters<Moderation['resolve']>): Promise<Report> =>
      toReport(await moderation.resolve(...asked)),
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
