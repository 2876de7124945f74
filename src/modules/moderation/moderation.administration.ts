import { personLookup, type UserOverviewPart } from '../administration/contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Report } from './contract.ts';
import { OverviewMute, OverviewReports, SHOWN_REPORTS } from './moderation.schemas.ts';
import type { MuteRules } from './mutes.ts';
import type { ReportStore } from './reports.store.ts';

/** The newest reports of a member's content, and those that the member made. */
export const reportsOfUser = (
  { newestAgainst, newestBy }: Pick<ReportStore, 'newestAgainst' | 'newestBy'>,
  identity: Pick<Identity, 'contactsOf'>,
): UserOverviewPart => ({
  name: 'reports',
  shape: OverviewReports,
  read: async (userId, caller) => {
    const [against, by] = await Promise.all([
      newestAgainst(userId, SHOWN_REPORTS),
      newestBy(userId, caller.userId, SHOWN_REPORTS),
    ]);
    const people = [...against.reports, ...by.reports].flatMap(({ authorId, reportedBy }) => [
      authorId,
      reportedBy,
    ]);
    const personOf = await personLookup(identity, people);
    const viewOf = ({ authorId, reportedBy, ...report }: Report) => ({
      ...report,
      author: personOf(authorId),
      // Nobody learns who reported them, not even administrators.
      reporter: authorId === caller.userId ? null : personOf(reportedBy),
    });
    const totalOf = ({ total, totalIsExact }: typeof by) => ({ total, totalIsExact });
    return {
      against: against.reports.map(viewOf),
      by: by.reports.map(viewOf),
      totals: { against: totalOf(against), by: totalOf(by) },
    };
  },
});

/** When the mute of a member in all places ends. */
export const muteOfUser = ({ mutedAmong }: Pick<MuteRules, 'mutedAmong'>): UserOverviewPart => ({
  name: 'mute',
  shape: OverviewMute,
  read: async (userId) => {
    const until = (await mutedAmong([userId])).get(userId);
    return until ? { until } : null;
  },
});
