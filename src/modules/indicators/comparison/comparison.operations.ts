import { administrator } from '../../../kernel/operations/access.ts';
import { actorOf } from '../../../kernel/operations/callers.ts';
import { type Operation, ok, operation } from '../../../kernel/operations/operation.ts';
import type { RosterStore } from '../access/roster.store.ts';
import type { AccountRules } from '../account/account.ts';
import { ChartingAccount, CompareIndicatorAccessQuery, Report } from './comparison.schemas.ts';
import type { Comparisons } from './comparison.ts';

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
    summary: 'Compare grants with the charting platform and grant again what is missing',
    description:
      'Also runs every night. An indicator is skipped if its list at the charting platform is incomplete. If more than a fifth of its grants are missing, nothing is repaired and operators are alerted. Entries that no call of ours made are reported and stay; `take-over` of a grant removes the one of its handle.',
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
    summary: 'Retrieve the state of the account at the charting platform',
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
