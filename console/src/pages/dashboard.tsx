import type { Dashboard } from '@platform-api/sdk';
import { Card } from '../parts/card.tsx';
import { Chart } from '../parts/chart.tsx';
import { Filters, periodFilter } from '../parts/filters.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { Figures } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { daysOf, useSeries } from '../series.ts';
import { count, duration, percent, usd } from '../text.ts';

const PERIODS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const;
type Period = keyof typeof PERIODS;

/** The change since the previous period, such as "+6.2% ↑"; says so if the previous period had none. */
function change(now: number, before: number): { below: string; tone?: 'ok' | 'bad' } {
  if (before === 0) return { below: now === 0 ? 'none before either' : 'none before' };
  const share = now / before - 1;
  if (Math.abs(share) < 0.0005) return { below: 'as before' };
  return { below: `${share > 0 ? '+' : '−'}${percent(Math.abs(share))} ${share > 0 ? '↑' : '↓'}` };
}

const figuresOf = (now: Dashboard, { previous }: Dashboard) => [
  {
    label: 'Active members',
    value: count(now.overview.activeUsers),
    ...change(now.overview.activeUsers, previous.overview.activeUsers),
  },
  {
    label: 'Sign-ups',
    value: count(now.overview.newUsers),
    href: to('/members'),
    ...change(now.overview.newUsers, previous.overview.newUsers),
  },
  {
    label: 'Revenue',
    value: usd(now.overview.totalRevenue),
    href: to('/checkouts'),
    ...change(now.overview.totalRevenue, previous.overview.totalRevenue),
  },
  {
    label: 'Page views',
    value: count(now.traffic.pageViews),
    ...change(now.traffic.pageViews, previous.traffic.pageViews),
  },
  {
    label: 'Watched',
    value: duration(now.education.totalWatchTime),
    ...change(now.education.totalWatchTime, previous.education.totalWatchTime),
  },
];

const othersOf = ({ overview, traffic, education, engagement, trading }: Dashboard) => [
  { label: 'Members in all', value: count(overview.totalUsers), href: to('/members') },
  { label: 'A visit lasts', value: duration(traffic.averageSessionDuration) },
  { label: 'Lessons finished', value: count(education.lessonsWatched) },
  { label: 'Courses finished', value: count(education.coursesCompleted) },
  { label: 'Posts and comments', value: count(engagement.postsCreated + engagement.commentsPosted) },
  {
    label: 'Trade ideas',
    value: count(trading.tradesCreated),
    below: `${percent(trading.winRate / 100)} won`,
  },
];

export default function DashboardPage() {
  const { period: chosen = '30d' } = usePlace().query;
  const period = (chosen in PERIODS ? chosen : '30d') as Period;
  const { data, error, reload } = useQuery(period, (by, signal) =>
    by.analytics.getDashboard({ period }, { signal }),
  );
  const days = PERIODS[period];
  // The same as the figure counts: events that the platform records by itself do not show that a member was active.
  const series = useSeries({ days, source: 'client' });
  return (
    <Page title="Analytics" beside={`Last ${days} days, compared with the ${days} before`}>
      <Filters
        of={[
          periodFilter('period', [
            ['7d', '7 days'],
            ['90d', '90 days'],
            ['1y', 'a year'],
          ]),
        ]}
      />
      {error !== undefined && <Failed what="The figures could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <Figures of={figuresOf(data, data)} />}
      {series.data && (
        <Card title="Active members a day">
          <Chart
            kind="lines"
            summary={`Members with an event on each of the last ${days} days`}
            labels={daysOf(series.data)}
            series={[
              { name: 'members', colour: 'c1', values: series.data.map(({ uniqueUsers }) => uniqueUsers) },
            ]}
          />
        </Card>
      )}
      {data && <Figures of={othersOf(data)} />}
    </Page>
  );
}
