import type { Overview } from '@platform-api/sdk';
import type { Api } from './api.ts';
import { type Query, useQuery } from './query.ts';
import { to } from './router.ts';
import { mayDo, session } from './session.ts';
import { useStore } from './store.ts';

/** A list of records that wait for an operator's decision or help. */
export interface Worklist {
  name: string;
  /** The console's section where they are. */
  section: string;
  below: string;
  href: string;
  /** Whether they must not wait for a day. */
  isUrgent?: boolean;
  count: number;
  oldestAt: string | null;
}

type WorklistTexts = Omit<Worklist, 'count' | 'oldestAt'>;

/** All worklists, most urgent first. */
const WORKLISTS: Record<Overview['worklists'][number]['name'], WorklistTexts> = {
  withdrawals: {
    name: 'Withdrawals',
    section: 'Money',
    below: 'are not paid yet',
    href: to('/withdrawals', { status: 'pending' }),
    isUrgent: true,
  },
  alerts: {
    name: 'Alerts about money',
    section: 'Money',
    below: 'need a person',
    href: to('/alerts'),
    isUrgent: true,
  },
  failedGrants: {
    name: 'Failed indicator grants',
    section: 'Indicators',
    below: 'need a person',
    href: to('/grants', { state: 'failed' }),
    isUrgent: true,
  },
  reports: {
    name: 'Reported content',
    section: 'Moderation',
    below: 'waits for a decision',
    href: to('/moderation'),
  },
  deadJobs: {
    name: 'Dead jobs',
    section: 'Jobs and health',
    below: 'failed all their attempts',
    href: to('/jobs', { sort: '-Dead' }),
    isUrgent: true,
  },
  stuckGrants: {
    name: 'Grants stuck in pending',
    section: 'Indicators',
    below: 'wait for the charting platform',
    href: to('/grants', { state: 'stuck' }),
  },
  accessRequests: {
    name: 'Access requests',
    section: 'Marketplace',
    below: 'wait for a decision',
    href: to('/requests', { status: 'pending' }),
  },
  videos: {
    name: 'Failed videos',
    section: 'Content',
    below: 'failed or are stuck',
    href: to('/videos'),
  },
  failedDeliveries: {
    name: 'Failed deliveries',
    section: 'Notifications',
    below: 'were refused or gave up',
    href: to('/deliveries', { status: 'failed' }),
  },
  failingWebhooks: {
    name: 'Failing webhook endpoints',
    section: 'Webhooks',
    below: 'receive nothing of what happens',
    href: to('/webhooks'),
    isUrgent: true,
  },
};

interface ReadWorklists {
  worklists: Worklist[];
  /** The platform's state; only administrators may read it. */
  overview: Overview | undefined;
}

async function readAll(by: Api, signal: AbortSignal): Promise<ReadWorklists> {
  const overview = await by.administration.getOverview({ signal });
  const found = new Map(overview.worklists.map((one) => [one.name, one]));
  const worklists = Object.entries(WORKLISTS).flatMap(([name, described]) => {
    const one = found.get(name as keyof typeof WORKLISTS);
    return one ? [{ ...described, count: one.count, oldestAt: one.oldestAt }] : [];
  });
  return { worklists, overview };
}

/** Reads the only worklist that moderators may see. */
async function readReports(by: Api, signal: AbortSignal): Promise<ReadWorklists> {
  const { total } = await by.moderation.listReportedItems({ status: 'open', limit: 1 }, { signal });
  return { worklists: [{ ...WORKLISTS.reports, count: total, oldestAt: null }], overview: undefined };
}

/** The worklists that the operator may see. */
export function useWorklists(): Query<ReadWorklists> {
  const current = useStore(session);
  const read = mayDo(current, 'admin') ? readAll : mayDo(current, 'moderator') ? readReports : undefined;
  return useQuery(
    `worklists ${read?.name}`,
    async (by, signal) => (read ? read(by, signal) : { worklists: [], overview: undefined }),
    { pollMs: 30_000 },
  );
}

/** How many records wait for an operator, by section. */
export function useWaiting(): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { section, count } of useWorklists().data?.worklists ?? [])
    sums[section] = (sums[section] ?? 0) + count;
  return sums;
}
