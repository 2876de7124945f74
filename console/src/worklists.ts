import type { Overview } from '@platform-api/sdk';
import type { Api } from './api.ts';
import { type Query, useQuery } from './query.ts';
import { to } from './router.ts';
import { mayDo, session } from './session.ts';
import { useStore } from './store.ts';

/** Things that wait for a person. */
export interface Worklist {
  name: string;
  /** The part of the console where they are. */
  section: string;
  below: string;
  href: string;
  /** Whether a day is too long to wait. */
  isUrgent?: boolean;
  count: number;
  oldestAt: string | null;
}

type Described = Omit<Worklist, 'count' | 'oldestAt'>;

/** All worklists, most urgent first. */
const WORKLISTS: Record<Overview['worklists'][number]['name'], Described> = {
  withdrawals: {
    name: 'Withdrawals',
    section: 'Money',
    below: 'are not paid yet',
    href: to('/withdrawals', { status: 'pending' }),
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
    below: 'could not be prepared for playing',
    href: to('/courses'),
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

interface Read {
  worklists: Worklist[];
  /** How the platform is doing, which administrators see. */
  overview: Overview | undefined;
}

async function readAll(by: Api, signal: AbortSignal): Promise<Read> {
  const overview = await by.administration.getOverview({ signal });
  const found = new Map(overview.worklists.map((one) => [one.name, one]));
  const worklists = Object.entries(WORKLISTS).flatMap(([name, described]) => {
    const one = found.get(name as keyof typeof WORKLISTS);
    return one ? [{ ...described, count: one.count, oldestAt: one.oldestAt }] : [];
  });
  return { worklists, overview };
}

/** Moderators see their own worklist alone. */
async function readReports(by: Api, signal: AbortSignal): Promise<Read> {
  const { total } = await by.moderation.listReports({ status: 'open', limit: 1 }, { signal });
  return { worklists: [{ ...WORKLISTS.reports, count: total, oldestAt: null }], overview: undefined };
}

/** What waits for a person, as far as the member may see it. */
export function useWorklists(): Query<Read> {
  const current = useStore(session);
  const read = mayDo(current, 'admin') ? readAll : mayDo(current, 'moderator') ? readReports : undefined;
  return useQuery(
    `worklists ${read?.name}`,
    async (by, signal) => (read ? read(by, signal) : { worklists: [], overview: undefined }),
    { pollMs: 30_000 },
  );
}

/** How many things wait for a person, by the part of the console where they are. */
export function useWaiting(): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { section, count } of useWorklists().data?.worklists ?? [])
    sums[section] = (sums[section] ?? 0) + count;
  return sums;
}
