import { isDuplicate } from '../../kernel/database/faults.ts';
import { Failure, failure } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import { reportNotFound } from './failures.ts';
import type { MessageRules } from './messages.ts';
import type { Report, ReportStore } from './reports.store.ts';

export const alreadyReported = failure(409, 'ALREADY_REPORTED', 'You have reported this message');
export const alreadyResolved = failure(409, 'ALREADY_RESOLVED', 'The report is resolved');

interface ReportDeps {
  store: ReportStore;
  messages: MessageRules;
  clock: Clock;
  newId: NewId;
}

/** Messages that members report, and what moderators make of it. */
export function reportRules({ store, messages, clock, newId }: ReportDeps) {
  async function find(id: ObjectId): Promise<Report> {
    const report = await store.find(id);
    if (!report) throw reportNotFound();
    return report;
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
        await store.insert({
          id,
          messageId,
          chatroomId: roomId,
          reportedBy,
          reason,
          createdAt: clock.date(),
        });
      } catch (error) {
        throw isDuplicate(error) ? alreadyReported() : error;
      }
      return find(id);
    },
    /** Newest first. */
    pageOf: store.pageOf,
    /**
     * Dismisses it, or deletes the message; all open reports of the message are resolved alike.
     * @throws alreadyResolved
     */
    async resolve(report: Report, outcome: 'dismissed' | 'removed', caller: UserCaller): Promise<Report> {
      if (report.status !== 'open') throw alreadyResolved();
      if (outcome === 'removed') {
        await messages.delete(report.chatroomId, report.messageId, caller).catch((error) => {
          // Gone already, with its room or by its author: what is wanted is so.
          if (!(error instanceof Failure) || error.status !== 404) throw error;
        });
      }
      const resolution = { status: outcome, at: clock.date(), by: caller.userId };
      await store.resolveAllOf(report.messageId, resolution);
      return find(report.id);
    },
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
