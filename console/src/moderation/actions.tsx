import type { ReportedItem } from '@platform-api/sdk';
import { outcomesOf, succeeded } from '../last-action.ts';
import { type Action, reasonOf } from '../parts/action.tsx';
import { KINDS, kindOf } from '../reported-kinds.ts';
import { count, plural } from '../text.ts';

/** The number of an item's reports, which the platform counts up to a thousand. */
export const reportsOf = ({ reportCount }: ReportedItem): string =>
  reportCount < 1_000 ? plural(reportCount, 'report') : `${count(reportCount)} reports or more`;

/** Why an item was reported, each reason once, the newest first. */
export const reasonsOf = ({ reason, earlier }: ReportedItem): string =>
  [...new Set([reason, ...earlier.map((one) => one.reason)])].join(', ');

const nameOfItem = ({ kind, text }: ReportedItem): string => `${kindOf(kind)} “${text.slice(0, 40)}”`;

export const remove = (item: ReportedItem, goOn: () => void): Action => ({
  name: 'Remove',
  title: `Remove the ${kindOf(item.kind)}`,
  isDangerous: true,
  reason: 'audit',
  facts: [
    ['Says', item.text.slice(0, 200)],
    ['Closes', item.reportCount > 1 && reportsOf(item)],
  ],
  note: `${KINDS[item.kind]?.removal ?? 'Nobody sees it any more.'} Its author is not notified. This cannot be undone.`,
  openings: ['promises of profit are not allowed', 'spam', 'insults other members'],
  run: async (form, api) => {
    await api.moderation.resolveReport(item.id, { outcome: 'removed', reason: reasonOf(form) });
    goOn();
    return `Removed the ${kindOf(item.kind)}.`;
  },
});

export const keepMany = (items: ReportedItem[]): Action => {
  const reports = items.reduce((sum, { reportCount }) => sum + reportCount, 0);
  return {
    name: `Keep all ${items.length} shown`,
    title: `Keep what ${plural(reports, 'report')} are about`,
    confirmLabel: `Keep ${items.length}`,
    reason: 'none',
    note: 'The reports are closed, and what they are about stays.',
    run: async (_form, api) => {
      const ids = items.map(({ id }) => id);
      const results = await api.moderation.resolveReports({ ids, outcome: 'dismissed' });
      const outcomes = outcomesOf(items, results, nameOfItem);
      return { sentence: `Kept ${succeeded(outcomes)}.`, outcomes };
    },
  };
};
