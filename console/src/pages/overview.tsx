import { useMemo } from 'preact/hooks';
import { now } from '../api.ts';
import { AuditCard } from '../parts/audit-card.tsx';
import { Card } from '../parts/card.tsx';
import { ChartingNote } from '../parts/charting-note.tsx';
import { ErrorChart, ErrorFigures } from '../parts/error-chart.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Loading } from '../parts/table.tsx';
import { Figures, Tag } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { mayDo, session } from '../session.ts';
import { useStore } from '../store.ts';
import { age, count, relative, words } from '../text.ts';
import { useWorklists, type Worklist } from '../worklists.ts';

const DAY_MS = 86_400_000;
/** The platform stops counting a worklist here. */
const COUNT_LIMIT = 10_000;

/** The first page: the worklists that wait for a person and, for administrators, the state of the platform. */
export default function Overview() {
  const isAdmin = mayDo(useStore(session), 'admin');
  return (
    <Page title="Overview" beside="What waits for a person, most urgent first">
      {isAdmin && <ChartingNote />}
      <div class={isAdmin ? 'columns' : 'columns single'}>
        <div>
          <Worklists />
          {isAdmin && (
            <AuditCard title="Actions of administrators" limit={6} empty="Nobody has done anything yet." />
          )}
        </div>
        {isAdmin && (
          <div>
            <Errors />
            <PlatformState />
            <Parts />
          </div>
        )}
      </div>
    </Page>
  );
}

const toneOf = ({ oldestAt, isUrgent }: Worklist): 'bad' | 'warn' | 'none' => {
  if (!oldestAt) return 'none';
  const waitedMs = now() - Date.parse(oldestAt);
  return isUrgent && waitedMs > DAY_MS ? 'bad' : waitedMs > DAY_MS / 4 ? 'warn' : 'none';
};

function Worklists() {
  const { data, error, reload } = useWorklists();
  const waiting = data?.worklists.filter((one) => one.count > 0) ?? [];
  const empty = data?.worklists.filter((one) => one.count === 0) ?? [];
  const sum = waiting.reduce((all, one) => all + one.count, 0);
  return (
    <Card title="Worklists" more={data && <span class="dim">{count(sum)} waiting</span>}>
      {error !== undefined && <Failed what="The worklists could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      <ul class="worklist">
        {waiting.map((one) => (
          <li key={one.name}>
            <a href={one.href}>
              <b>{one.count >= COUNT_LIMIT ? `${count(COUNT_LIMIT)}+` : count(one.count)}</b>
              <span>
                <strong>{one.name}</strong>
                <small>{one.below}</small>
              </span>
              {one.oldestAt ? <Tag tone={toneOf(one)}>{age(one.oldestAt)}</Tag> : <span />}
              <Icon name="chevron" />
            </a>
          </li>
        ))}
      </ul>
      {data && waiting.length === 0 && <Empty>Nothing waits for you.</Empty>}
      {empty.length > 0 && waiting.length > 0 && (
        <p class="empty rule">Nothing waits in: {empty.map(({ name }) => name.toLowerCase()).join(', ')}.</p>
      )}
    </Card>
  );
}

/** Degraded systems, recent sign-ins and live connections. */
function PlatformState() {
  const { data } = useWorklists();
  const { degraded, signIns, liveConnections } = data?.overview ?? {};
  return (
    <>
      {degraded && degraded.length > 0 && (
        <Note tone="warn">
          <strong>Away: {degraded.join(', ')}.</strong> <a href={to('/health')}>See health</a>
        </Note>
      )}
      {signIns && (
        <Figures
          of={[
            {
              label: 'Sign-ins, 24 h',
              value: count(signIns.counts.reduce((sum, number) => sum + number, 0)),
            },
            { label: 'Live connections', value: count(liveConnections ?? 0), href: to('/live') },
          ]}
        />
      )}
    </>
  );
}

function Errors() {
  // Rounded to the minute, so that rendering again soon does not change the query.
  const from = useMemo(() => Math.floor((now() - DAY_MS) / 60_000) * 60_000, []);
  const { data, error, reload } = useQuery(
    'errors of a day',
    (by, signal) =>
      by.errors.summarize({ from: new Date(now() - DAY_MS).toISOString(), buckets: 48 }, { signal }),
    { pollMs: 60_000 },
  );
  return (
    <Card title="Errors, last 24 hours" more={<a href={to('/error-groups')}>All errors</a>}>
      {error !== undefined && <Failed what="The errors could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && <ErrorFigures groups={data} />}
      {data && data.length > 0 && <ErrorChart groups={data} from={from} to={from + DAY_MS} isSmall />}
    </Card>
  );
}

function Parts() {
  const ledger = useWorklists().data?.overview?.ledger;
  const { data: charting } = useQuery(
    'charting',
    (by, signal) => by.indicators.getChartingAccount({ signal }),
    {
      pollMs: 60_000,
    },
  );
  return (
    <Card title="Parts">
      <ul class="plain-list">
        <li>
          <a href={to('/health')}>Processes and outside parts</a>
          <Icon name="chevron" />
        </li>
        <li>
          <a href={to('/ledger')}>Ledger</a>
          {ledger ? (
            <Tag tone={ledger.sound ? 'ok' : 'bad'}>
              {ledger.sound ? `sound, ${relative(ledger.at)}` : 'broken'}
            </Tag>
          ) : (
            <Tag tone="none">not proved yet</Tag>
          )}
        </li>
        <li>
          <a href={to('/charting')}>Charting platform</a>
          {charting && (
            <Tag
              tone={
                charting.configured && charting.state !== 'ok' ? 'warn' : charting.configured ? 'ok' : 'none'
              }
            >
              {charting.configured
                ? charting.state === 'ok'
                  ? 'sound'
                  : words(charting.state)
                : 'not configured'}
            </Tag>
          )}
        </li>
      </ul>
    </Card>
  );
}
