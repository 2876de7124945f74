import { mapPage, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { notIdempotent } from '../../kernel/records/idempotency.ts';
import {
  type Moderation,
  type Reportable,
  type ReportStatus,
  reportNotFound,
  type SeenReport,
} from '../moderation/contract.ts';
import { banned, notMember, roomNotFound } from './contract.ts';
import { messageNotFound } from './failures.ts';
import type { MessageStore } from './messages.store.ts';
import type { MessageRules } from './messages.ts';
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
}

const toReport = ({ subjectId, containerId, text, authorId, kind: _, ...report }: SeenReport): Report => ({
  ...report,
  messageId: subjectId,
  chatroomId: containerId as ObjectId,
  message: text,
  messageUserId: authorId,
});

interface ReportDeps {
  moderation: Pick<Moderation, 'report' | 'find' | 'pageOf' | 'resolve'>;
  messages: MessageRules;
}

/** Reports of messages: the part of the moderators' worklist that concerns messages. */
export function reportRules({ moderation, messages }: ReportDeps) {
  /** @throws reportNotFound, also for a report of other content */
  async function find(id: ObjectId): Promise<Report> {
    const report = await moderation.find(id);
    if (report.kind !== 'message') throw reportNotFound();
    return toReport(report);
  }

  return {
    find,
    /** @throws messageNotFound, alreadyReported */
    async report(
      { roomId, messageId }: { roomId: ObjectId; messageId: ObjectId },
      reason: string,
      reporter: UserCaller,
      idempotency = notIdempotent,
    ): Promise<Report> {
      await messages.find(roomId, messageId);
      const item = { kind: 'message', subjectId: messageId, reason };
      return toReport(await moderation.report(item, reporter, { idempotency, of: toReport }));
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

/** Makes messages reportable by every member who may read their room. */
export const reportableMessages = (deps: {
  store: MessageStore;
  rooms: RoomRules;
  messages: MessageRules;
}): Reportable => ({
  kind: 'message',
  failures: [roomNotFound, notMember, banned],
  find: async (id, reporter) => {
    const message = await deps.store.findAnywhere(id);
    if (!message) throw messageNotFound();
    await deps.rooms.readable(message.roomId, reporter);
    return { authorId: message.userId, text: message.message, containerId: message.roomId };
  },
  remove: (tx, id, moderator) => deps.messages.removeIn(tx, id, moderator),
});
