import type { Core } from '../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import { Failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { shortenTo } from '../../kernel/text/text.ts';
import {
  alreadyReported,
  alreadyResolved,
  ownReport,
  type Report,
  type Reportable,
  type ReportStatus,
  reportNotFound,
  type SeenReport,
} from './contract.ts';
import type { ReportStore } from './reports.store.ts';

const MAX_TEXT_LENGTH = 4_000;

interface ReportDeps extends Pick<Core, 'database' | 'audit' | 'clock' | 'newId'> {
  store: ReportStore;
}

/** One worklist of all reports, whichever module owns the content. */
export function reportRules({ store, database, audit, clock, newId }: ReportDeps) {
  const reportables = new Map<string, Reportable>();

  const reportableOf = (kind: string): Reportable => {
    const reportable = reportables.get(kind);
    if (!reportable) throw reportNotFound();
    return reportable;
  };

  async function find(id: ObjectId): Promise<Report> {
    const report = await store.find(id);
    if (!report) throw reportNotFound();
    return report;
  }

  return {
    find,
    /** Registers the reportable types of all modules. */
    collect(all: Reportable[]): void {
      for (const one of all) reportables.set(one.kind, one);
    },
    pageOf: async (
      filter: { kind?: string; status?: ReportStatus },
      request: PageRequest,
      { userId }: UserCaller,
    ): Promise<Page<SeenReport>> =>
      mapPage(await store.pageOf(filter, request), (report) =>
        report.authorId === userId ? { ...report, reportedBy: null } : report,
      ),

    /**
     * Stores a copy of the text, since it may change or expire.
     * @throws alreadyReported while a report of the member is open, or for a text that they have reported before; 403
     * and 404
     */
    async report(kind: string, subjectId: ObjectId, reason: string, reporter: UserCaller): Promise<Report> {
      const { authorId, text, containerId } = await reportableOf(kind).find(subjectId, reporter);
      const report: Report = {
        id: newId(),
        kind,
        subjectId,
        authorId,
        text: shortenTo(text, MAX_TEXT_LENGTH),
        containerId,
        reportedBy: reporter.userId,
        reason,
        status: 'open',
        createdAt: clock.date(),
        resolvedAt: null,
        resolvedBy: null,
      };
      if (!(await store.insert(report, digestOf(text)))) throw alreadyReported();
      return report;
    },

    /**
     * Removes the content first: after a crash between the two steps the report is still open and can be resolved
     * again.
     * @throws alreadyResolved, ownReport
     */
    async resolve(id: ObjectId, outcome: 'dismissed' | 'removed', moderator: UserCaller): Promise<Report> {
      const report = await find(id);
      if (report.status !== 'open') throw alreadyResolved();
      const { kind, subjectId, authorId } = report;
      // All open reports of an item are resolved together, so its moderator must not be the author or a reporter.
      if (authorId === moderator.userId || (await store.isReportedBy(report, moderator.userId)))
        throw ownReport();
      if (outcome === 'removed') {
        await reportableOf(kind)
          .remove(subjectId, moderator)
          .catch((error) => {
            // The content was already deleted, by its author or with its container, so nothing is left to remove.
            if (!(error instanceof Failure) || error.status !== 404) throw error;
          });
      }
      await database.transaction(async (tx) => {
        const end = { outcome, at: clock.date(), by: moderator.userId };
        const { reports, isOwn } = await store.resolve(tx, report, end);
        if (reports === 0) throw alreadyResolved();
        // The moderator may have reported the item concurrently.
        if (isOwn) throw ownReport();
        await audit.record(tx, {
          actor: moderator.userId,
          actorEmail: moderator.email,
          action: 'moderation.resolved',
          target: authorId,
          details: { kind, subjectId, outcome, reports },
        });
      });
      return find(id);
    },
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
