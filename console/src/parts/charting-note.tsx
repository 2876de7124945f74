import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { plural, relative, words } from '../text.ts';
import { Note } from './note.tsx';

/** A warning if the account at the charting platform cannot do everything at the moment. */
export function ChartingNote() {
  const { data } = useQuery('charting', (by, signal) => by.indicators.getChartingAccount({ signal }), {
    pollMs: 30_000,
  });
  if (!data || (data.configured && data.state === 'ok')) return null;
  return (
    <Note tone="warn">
      <strong>
        {data.configured
          ? `The charting platform is paused: ${words(data.state)}.`
          : 'No charting platform is configured.'}
      </strong>{' '}
      {data.pausedSince && `Since ${relative(data.pausedSince)}. `}
      {plural(data.underWay, 'grant waits', 'grants wait')}; they are retried by themselves.{' '}
      <a href={to('/charting')}>See the account</a>
    </Note>
  );
}
