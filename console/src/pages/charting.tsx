import type { IndicatorComparison } from '@platform-api/sdk';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { List, Loading } from '../parts/table.tsx';
import { Figures, Tag } from '../parts/values.tsx';
import { readRows, useQuery } from '../query.ts';
import { to } from '../router.ts';
import { count, plural, relative, words } from '../text.ts';

const REPAIR: Action = {
  name: 'Compare and repair',
  title: 'Compare grants with the charting platform and repair',
  confirmLabel: 'Compare and repair',
  note: 'What is missing there is granted again. Nothing is removed.',
  run: async (form, api) => {
    const { checked, granted } = await api.indicators.compareAccess({ reason: reasonOf(form) });
    return `Compared ${plural(checked, 'grant')}; ${count(granted)} are being restored.`;
  },
};

export default function Charting() {
  const [comparison, setComparison] = useState<IndicatorComparison>();
  const { data, error, reload } = useQuery(
    'charting',
    (by, signal) => by.indicators.getChartingAccount({ signal }),
    {
      pollMs: 15_000,
    },
  );
  const compare = async () => {
    const found = await api.indicators.compareAccess({ dryRun: true });
    setComparison(found);
    return `Compared ${plural(found.checked, 'grant')}: ${plural(found.drift.length, 'difference')}.`;
  };
  return (
    <Page
      title="Indicators"
      actions={
        <>
          <AtOnce name="Compare" failed="Nothing was compared" run={compare} />
          <ActionButton action={REPAIR} />
        </>
      }
    >
      {error !== undefined && <Failed what="The account could not be read" error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading />}
      {data && (
        <Figures
          of={[
            {
              label: 'Charting platform',
              value: data.configured ? words(data.state) : 'not configured',
              tone: data.configured && data.state === 'ok' ? 'ok' : 'warn',
              below: data.pausedUntil ? `paused until ${relative(data.pausedUntil)}` : undefined,
            },
            { label: 'Last success', value: data.lastSuccessAt ? relative(data.lastSuccessAt) : 'never' },
            { label: 'Under way', value: count(data.underWay), href: to('/grants') },
            {
              label: 'Failed',
              value: count(data.failed),
              href: to('/grants'),
              tone: data.failed ? 'bad' : undefined,
            },
          ]}
        />
      )}
      {comparison && (
        <Card title="Differences">
          <List
            query={readRows(comparison.drift)}
            what="The differences"
            caption="Where the grants and the charting platform differ"
            keyOf={(row) => `${row.scannerId} ${row.chartingUsername}`}
            empty="All grants are there."
            columns={[
              { head: 'Charting name', cell: ({ chartingUsername }) => <code>{chartingUsername}</code> },
              { head: 'Indicator', cell: ({ scannerName }) => scannerName },
              { head: 'Difference', cell: ({ kind }) => <Tag tone="warn">{kind}</Tag> },
              {
                head: 'Member',
                cell: ({ userId }) => userId && <a href={to(`/members/${userId}`)}>Open</a>,
              },
            ]}
          />
        </Card>
      )}
    </Page>
  );
}
