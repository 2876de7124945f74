import { administrator } from '../../kernel/operations/access.ts';
import { actorOf } from '../../kernel/operations/callers.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import type { AccountRules } from './account.ts';
import { ChartingAccount, CompareIndicatorAccessQuery, Report } from './comparison.schemas.ts';
import type { Comparisons } from './comparison.ts';
import type { RosterStore } from './roster.store.ts';

const tag = 'Indicator access';

interface Deps {
  comparison: Comparisons;
  account: Pick<AccountRules, 'read'>;
  roster: Pick<RosterStore, 'totals'>;
  isConfigured: boolean;
}

export const comparisonOperations = ({ comparison, account, roster, isConfigured }: Deps): Operation[] => [
  operation({
    method: 'POST',
    path: '/v1/streams/scanners/access/sync',
    id: 'compareIndicatorAccess',
    tag,
    summary: 'Compare with what the charting platform really holds, and mend what differs',
    description:
      'Happens each night, too. A listing that does not come to its end proves nothing; where more than a fifth of the grants of an indicator differ, nothing is mended and operators are told.',
    access: administrator,
    query: CompareIndicatorAccessQuery,
    success: ok(Report),
    handle: ({ query, caller, facts }) => comparison.now(query.dryRun ?? false, actorOf(caller, facts)),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/charting-account',
    id: 'getChartingAccount',
    tag,
    summary: 'How the account at the charting platform is, and what waits for it',
    access: administrator,
    success: ok(ChartingAccount),
    handle: async () => {
      const [{ pauseReason, pausedSince, pausedUntil, lastSuccessAt }, totals] = await Promise.all([
        account.read(),
        roster.totals(),
      ]);
      const state = pauseReason ?? ('ok' as const);
      return { configured: isConfigured, state, pausedSince, pausedUntil, lastSuccessAt, ...totals };
    },
  }),
];
