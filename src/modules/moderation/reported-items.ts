import { mapPage, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Identity, type Member, memberOf, profileLookup } from '../identity/contract.ts';
import type { Report, ReportStatus, SeenReport } from './contract.ts';
import type { ReportedItemStore } from './reported-items.store.ts';
import { asSeenBy } from './reports.ts';

interface ReportedItemDeps {
  store: ReportedItemStore;
  identity: Pick<Identity, 'profilesOf'>;
}

/** An earlier report of an item. Its text is null if it is the same as that of the newest one. */
interface EarlierReport extends Pick<SeenReport, 'id' | 'reportedBy' | 'reason' | 'createdAt'> {
  reporter: Member | null;
  text: string | null;
}

/** What is reported: its newest report with the people in it, and the earlier ones in the same state. */
interface ReportedItem extends SeenReport {
  author: Member;
  reporter: Member | null;
  resolver: Member | null;
  reportCount: number;
  earlier: EarlierReport[];
}

/** The worklist by what is reported: however many report an item, it waits for one decision. */
export function reportedItemRules({ store, identity }: ReportedItemDeps) {
  return {
    /** Returns each reported item once for each state of its reports, the one with the newest report first. */
    async pageOf(
      filter: { kind?: string; status?: ReportStatus },
      request: PageRequest,
      moderator: UserCaller,
    ): Promise<Page<ReportedItem>> {
      const page = await store.pageOf(filter, request);
      const [counts, found] = await Promise.all([store.countsOf(page.items), store.earlierThan(page.items)]);
      const seen = (report: Report) => asSeenBy(moderator, report);
      const profileOf = await profileLookup(
        identity,
        [...page.items, ...found].flatMap(({ authorId, reportedBy, resolvedBy }) => [
          authorId,
          reportedBy,
          ...(resolvedBy === null ? [] : [resolvedBy]),
        ]),
      );
      const personOf = (id: ObjectId | null) => (id === null ? null : memberOf(profileOf(id)));
      const earlierThan = Map.groupBy(found, ({ newestId }) => newestId);
      return mapPage(page, (newest) => {
        const { reportedBy } = seen(newest);
        return {
          ...newest,
          reportedBy,
          author: memberOf(profileOf(newest.authorId)),
          reporter: personOf(reportedBy),
          resolver: personOf(newest.resolvedBy),
          reportCount: counts.get(newest.id) ?? 1,
          earlier: (earlierThan.get(newest.id) ?? []).map((report) => ({
            id: report.id,
            reportedBy: seen(report).reportedBy,
            reporter: personOf(seen(report).reportedBy),
            reason: report.reason,
            text: report.text === newest.text ? null : report.text,
            createdAt: report.createdAt,
          })),
        };
      });
    },
  };
}

export type ReportedItemRules = ReturnType<typeof reportedItemRules>;
