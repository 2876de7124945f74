import type { Core } from '../../kernel/core.ts';
import { mapPage, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { only } from '../../kernel/only.ts';
import { forEachId } from '../../kernel/operations/bulk.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { type Answering, answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { shortenTo } from '../../kernel/text/text.ts';
import { type Identity, type Member, memberOf, profileLookup } from '../identity/contract.ts';
import {
  alreadyRemoved,
  alreadyReported,
  alreadyResolved,
  contentReported,
  type Moderation,
  ownReport,
  type Report,
  type Reportable,
  type ReportStatus,
  reportNotFound,
  type SeenReport,
  type Verdict,
} from './contract.ts';
import type { remainsStore } from './remains.store.ts';
import { removing } from './removing.ts';
import type { ReportStore } from './reports.store.ts';

const MAX_TEXT_LENGTH = 4_000;

interface ReportDeps extends Pick<Core, 'database' | 'events' | 'audit' | 'clock' | 'newId'> {
  store: ReportStore;
  remains: typeof remainsStore;
  closeReports: Moderation['closeReports'];
  /** Counts one more report of a member. @throws RATE_LIMIT_EXCEEDED */
  mayReport: (userId: ObjectId) => Promise<void>;
  identity: Pick<Identity, 'profilesOf' | 'keep'>;
}

/** A report with the people in it. */
type NamedReport = SeenReport & {
  author: Member;
  reporter: Member | null;
  resolver: Member | null;
};

/** Returns a report in the form that a moderator sees. */
export const asSeenBy = ({ userId }: UserCaller, report: Report): SeenReport =>
  report.authorId === userId ? { ...report, reportedBy: null } : report;

/** Returns a report without what is forgotten with the account of the author. */
const withoutPerson = (report: Report): Report => ({
  ...report,
  text: report.authorId === report.subjectId ? '' : report.text,
  earlierTexts: [],
});

/** Adds the authors and the reporters, with one query for all. */
async function withPeople(
  identity: Pick<Identity, 'profilesOf'>,
  reports: SeenReport[],
): Promise<NamedReport[]> {
  const ids = reports.flatMap(({ authorId, reportedBy, resolvedBy }) => [authorId, reportedBy, resolvedBy]);
  const profileOf = await profileLookup(
    identity,
    ids.filter((id) => id !== null),
  );
  const personOf = (id: ObjectId | null) => (id === null ? null : memberOf(profileOf(id)));
  return reports.map((report) => ({
    ...report,
    author: memberOf(profileOf(report.authorId)),
    reporter: personOf(report.reportedBy),
    resolver: personOf(report.resolvedBy),
  }));
}

/** One worklist of all reports, whichever module owns the content. */
export function reportRules(deps: ReportDeps) {
  const { store, remains, closeReports, mayReport, identity, database, events, audit, clock, newId } = deps;
  const reportables = new Map<string, Reportable>();

  const reportableOf = (kind: string): Reportable => {
    const reportable = reportables.get(kind);
    if (!reportable) throw reportNotFound();
    return reportable;
  };

  const remove = removing({ reportableOf, closeReports, remains });

  async function find(id: ObjectId): Promise<Report> {
    const report = await store.find(id);
    if (!report) throw reportNotFound();
    return report;
  }

  const pageOf = async (
    filter: { kind?: string; status?: ReportStatus },
    request: PageRequest,
    moderator: UserCaller,
  ): Promise<Page<SeenReport>> =>
    mapPage(await store.pageOf(filter, request), (report) => asSeenBy(moderator, report));

  /**
   * Decides and removes in one transaction. Of concurrent decisions, which wait for each other at the rows of the reports,
   * one is made.
   * @throws alreadyResolved, ownReport
   */
  async function resolve(
    id: ObjectId,
    { outcome, note: given }: Verdict,
    moderator: UserCaller,
    facts: RequestFacts,
  ): Promise<Report> {
    const note = given ?? null;
    const report = await find(id);
    if (report.status !== 'open') throw alreadyResolved();
    const { kind, subjectId, authorId } = report;
    // All open reports of an item are resolved together, so its moderator must not be the author or a reporter.
    if (authorId === moderator.userId || (await store.isReportedBy(report, moderator.userId)))
      throw ownReport();
    const follow = await database.transaction(async (tx) => {
      const at = clock.date();
      const end = { outcome, note, at, by: moderator.userId };
      const { reports, isOwn } = await store.resolve(tx, report, end);
      if (reports === 0) throw alreadyResolved();
      // The moderator may have reported the item concurrently.
      if (isOwn) throw ownReport();
      const afterCommit =
        outcome === 'removed' ? await remove(tx, report, { at, moderator, facts }) : undefined;
      await audit.record(tx, {
        ...actorOf(moderator, facts),
        action: 'moderation.resolved',
        target: authorId,
        details: { kind, subjectId, outcome, reports, ...(note !== null && { note }) },
      });
      return afterCommit;
    });
    await follow?.();
    return find(id);
  }

  return {
    find,
    /** @throws reportNotFound for a kind that no module contributes any more */
    reportableOf,
    pageOf,
    /** Registers the reportable types of all modules. */
    collect(all: Reportable[]): void {
      for (const one of all) reportables.set(one.kind, one);
    },
    /** Returns reports with their authors and reporters. */
    async worklist(...asked: Parameters<typeof pageOf>): Promise<Page<NamedReport>> {
      const page = await pageOf(...asked);
      return { ...page, items: await withPeople(identity, page.items) };
    },

    /**
     * Stores a copy of the text, since it may change or expire.
     * @throws RATE_LIMIT_EXCEEDED, alreadyReported while a report of the member is open, or for texts that they have reported
     * before; alreadyRemoved for what a removal has left; 403 and 404
     */
    async report(
      { kind, subjectId, reason }: Pick<Report, 'kind' | 'subjectId' | 'reason'>,
      reporter: UserCaller,
      answering: Answering<Report> = { idempotency: notIdempotent },
    ): Promise<Report> {
      const found = await reportableOf(kind).find(subjectId, reporter);
      const { authorId, text, containerId, earlierTexts = [] } = found;
      await mayReport(reporter.userId);
      const report: Report = {
        id: newId(),
        kind,
        subjectId,
        authorId,
        text: shortenTo(text, MAX_TEXT_LENGTH),
        containerId,
        earlierTexts: earlierTexts.map(({ text, until }) => ({ text, until: until.toISOString() })),
        reportedBy: reporter.userId,
        reason,
        status: 'open',
        createdAt: clock.date(),
        resolvedAt: null,
        resolvedBy: null,
        note: null,
      };
      return database.transaction(async (tx) => {
        // What the deletion of an account forgets in reports must not be in later ones.
        const stored = (await identity.keep(tx, authorId)) ? report : withoutPerson(report);
        const digest = digestOf(text);
        if (await remains.areKnown(tx, report, digest)) throw alreadyRemoved();
        if (!(await store.insert(tx, stored, digest))) throw alreadyReported();
        await events.publish(tx, contentReported, { reportId: report.id, kind, subjectId, authorId });
        return answered(tx, answering, report);
      });
    },

    resolve,
    /** Resolves one report and returns it with its people. @throws as {@link resolve} */
    async resolveNamed(...asked: Parameters<typeof resolve>): Promise<NamedReport> {
      return only(await withPeople(identity, [await resolve(...asked)]));
    },
    /** Resolves each report. One that was resolved together with another of the same item counts as done. */
    async resolveAll(ids: ObjectId[], verdict: Verdict, moderator: UserCaller, facts: RequestFacts) {
      const begunAt = clock.date();
      return forEachId<{ status: ReportStatus | null }>(ids, { status: null }, async (id) => {
        const { status, resolvedAt, resolvedBy } = await find(id);
        const isDone = status === verdict.outcome && resolvedBy === moderator.userId;
        if (isDone && resolvedAt && resolvedAt >= begunAt) return { status };
        return { status: (await resolve(id, verdict, moderator, facts)).status };
      });
    },
  };
}

export type ReportRules = ReturnType<typeof reportRules>;
