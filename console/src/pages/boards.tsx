import type { Leaderboards } from '@platform-api/sdk';
import { Card } from '../parts/card.tsx';
import { Filters, periodFilter } from '../parts/filters.tsx';
import { Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, List, Loading } from '../parts/table.tsx';
import { Figures, Person } from '../parts/values.tsx';
import { readRows, useQuery } from '../query.ts';
import { usePlace } from '../router.ts';
import { count, duration } from '../text.ts';

type Period = '24h' | '7d' | '30d' | '90d';

interface Ranked {
  rank: number;
  userId?: string;
  educatorId?: string;
  name: string;
}

function Board<Row extends Ranked>({
  title,
  rows,
  columns,
}: {
  title: string;
  rows: Row[];
  columns: Column<Row>[];
}) {
  const first: Column<Row> = {
    head: 'Member',
    cell: ({ userId, educatorId, name }) => <Person id={userId ?? educatorId ?? ''} name={name} />,
  };
  return (
    <Card title={title}>
      <List
        query={readRows(rows)}
        what={title}
        caption={title}
        keyOf={({ rank }) => String(rank)}
        empty="Nobody in this time."
        columns={[first, ...columns]}
      />
    </Card>
  );
}

const Boards = ({ of }: { of: Leaderboards }) => (
  <>
    {of.partial && (
      <Note tone="warn">
        <strong>Shown without {of.unavailable.join(', ')}:</strong> that part is away.
      </Note>
    )}
    <Figures
      of={[
        { label: 'Peak of viewers', value: count(of.totals.platformPeakConcurrent) },
        { label: 'Keys tipped', value: count(of.totals.giftedKeys) },
        { label: 'Tips', value: count(of.totals.gifts) },
        { label: 'Who tipped', value: count(of.totals.gifters) },
      ]}
    />
    <div class="boards">
      <Board
        title="Most viewers at once"
        rows={of.topConcurrentEducators}
        columns={[
          {
            head: 'Peak',
            isNumber: true,
            cell: ({ peakConcurrent }) => <strong>{count(peakConcurrent)}</strong>,
          },
          { head: 'Viewers', isNumber: true, cell: ({ uniqueViewers }) => count(uniqueViewers) },
        ]}
      />
      <Board
        title="Watched most"
        rows={of.topViewers}
        columns={[
          { head: 'Time', isNumber: true, cell: ({ watchSecs }) => <strong>{duration(watchSecs)}</strong> },
        ]}
      />
      <Board
        title="Tipped most"
        rows={of.topGifters}
        columns={[{ head: 'Keys', isNumber: true, cell: ({ keys }) => <strong>{count(keys)}</strong> }]}
      />
      <Board
        title="Were tipped most"
        rows={of.topGifted}
        columns={[{ head: 'Keys', isNumber: true, cell: ({ keys }) => <strong>{count(keys)}</strong> }]}
      />
    </div>
  </>
);

export default function BoardsPage() {
  const { period = '30d' } = usePlace().query;
  const { data, error, reload } = useQuery(period, (by, signal) =>
    by.leaderboards.get({ period: period as Period }, { signal }),
  );
  return (
    <Page title="Analytics">
      <Filters
        of={[
          periodFilter('period', [
            ['24h', '24 hours'],
            ['7d', '7 days'],
            ['90d', '90 days'],
          ]),
        ]}
      />
      {error !== undefined && <Failed what="The boards could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <Boards of={data} />}
    </Page>
  );
}
