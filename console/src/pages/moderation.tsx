import { listReports, type Report } from '@platform-api/sdk';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../api.ts';
import { doAtOnce, outcomesOf, succeeded } from '../last-action.ts';
import { muteAction } from '../member/mute-actions.tsx';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { type Filter, Filters } from '../parts/filters.tsx';
import { Empty, Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Loading } from '../parts/table.tsx';
import { Age, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { go, to, usePlace } from '../router.ts';
import { count, nameOf, plural, words } from '../text.ts';

const KINDS = ['message', 'post', 'post_comment', 'comment', 'announcement', 'story', 'review'];

const FILTERS: Filter[] = [
  { kind: 'choice', name: 'kind', label: 'Kind', none: 'all', values: KINDS.map((one) => [one, words(one)]) },
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    none: 'open',
    values: [
      ['dismissed', 'kept'],
      ['removed', 'removed'],
    ],
  },
];

const nameOfReport = ({ kind, text }: Report): string => `${words(kind)} “${text.slice(0, 40)}”`;

const remove = (report: Report): Action => ({
  name: 'Remove',
  title: `Remove the ${words(report.kind)}`,
  isDangerous: true,
  reason: 'audit',
  facts: [['Says', report.text.slice(0, 200)]],
  note: 'Nobody sees it any more, and its author is not notified. This cannot be undone.',
  openings: ['promises of profit are not allowed', 'spam', 'insults other members'],
  run: async (form, api) => {
    await api.moderation.resolveReport(report.id, { outcome: 'removed', reason: reasonOf(form) });
    return `Removed the ${words(report.kind)}.`;
  },
});

const keep = (report: Report): Promise<void> =>
  doAtOnce('The report was not changed', async () => {
    await api.moderation.resolveReport(report.id, { outcome: 'dismissed' });
    return `Kept the ${words(report.kind)}.`;
  });

const keepMany = (reports: Report[]): Action => ({
  name: `Keep all ${reports.length} shown`,
  title: `Keep what ${plural(reports.length, 'report')} are about`,
  confirmLabel: `Keep ${reports.length}`,
  reason: 'none',
  note: 'The reports are closed, and what they are about stays.',
  run: async (_form, api) => {
    const ids = reports.map(({ id }) => id);
    const results = await api.moderation.resolveReports({ ids, outcome: 'dismissed' });
    const outcomes = outcomesOf(reports, results, nameOfReport);
    return { sentence: `Kept ${succeeded(outcomes)}.`, outcomes };
  },
});

/** J and K select the next and the previous report. */
function useKeys(reports: Report[], at: number, show: (place: number) => void): void {
  const latest = useRef({ reports, at, show });
  latest.current = { reports, at, show };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        (event.target as Element).closest('input, textarea, select, dialog') ||
        event.ctrlKey ||
        event.metaKey
      )
        return;
      const step = { j: 1, k: -1 }[event.key];
      const next = latest.current.at + (step ?? 0);
      if (step && latest.current.reports[next]) latest.current.show(next);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

export default function Moderation() {
  const { query } = usePlace();
  const { kind, status = 'open', page, report } = query;
  const reports = useQuery(
    JSON.stringify([kind, status, page]),
    (by, signal) => {
      // Values from the address are passed on unchecked: the platform refuses invalid ones.
      const query = { limit: 25, status, ...(kind ? { kind } : {}), page: Number(page ?? 1) } as object;
      return by.call(listReports, { query }, { signal });
    },
    { pollMs: 15_000 },
  );
  const { data, error, reload } = reports;
  const items = data?.items ?? [];
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === report),
  );
  const current = items[at];
  const show = (place: number) =>
    go(to('/moderation', { ...query, report: items[place]?.id }), { replace: true });
  useKeys(items, at, show);
  return (
    <Page
      title="Moderation"
      beside={data && `${count(data.total)} ${status}`}
      actions={
        <>
          {status === 'open' && items.length > 1 && <ActionButton action={keepMany(items)} />}
          <span class="keys dim">
            <kbd>J</kbd> <kbd>K</kbd> next, previous
          </span>
        </>
      }
    >
      <Filters of={FILTERS} />
      {error !== undefined && <Failed what="The reports could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && items.length === 0 && (
        <div class="card">
          <Empty>Nothing is reported.</Empty>
        </div>
      )}
      {current && (
        <div class={report ? 'triage chosen' : 'triage'}>
          <div class="card">
            <ul aria-label="Reports">
              {items.map((one) => (
                <li key={one.id}>
                  <a
                    href={to('/moderation', { ...query, report: one.id })}
                    aria-current={one === current ? 'true' : undefined}
                  >
                    <span>
                      <strong>{nameOf(one.author)}</strong> <Age at={one.createdAt} />
                    </span>
                    <span class="line">{one.text}</span>
                    <small class="line">
                      {words(one.kind)} · {one.reason}
                    </small>
                  </a>
                </li>
              ))}
            </ul>
            <Pager shown={data} cursor={undefined} />
          </div>
          <Item key={current.id} report={current} back={to('/moderation', { ...query, report: undefined })} />
        </div>
      )}
    </Page>
  );
}

const Item = ({ report, back }: { report: Report; back: string }) => (
  <Card
    title={`${nameOf(report.author)}, ${words(report.kind)}`}
    more={
      <a class="back" href={back}>
        Back to the list
      </a>
    }
  >
    <blockquote>{report.text}</blockquote>
    {report.status === 'open' ? (
      <p class="acts">
        <ActionButton action={remove(report)} class="danger" />
        <button type="button" onClick={() => void keep(report)}>
          Keep
        </button>
        <ActionButton action={muteAction({ id: report.authorId, name: nameOf(report.author) })} />
      </p>
    ) : (
      <p>
        <Tag tone="none">{report.status === 'dismissed' ? 'kept' : 'removed'}</Tag>{' '}
        <Time at={report.resolvedAt} />
      </p>
    )}
    <Facts
      of={[
        ['Reported for', `“${report.reason}”`],
        ['Reported', <Time key="when" at={report.createdAt} />],
        [
          'By',
          report.reporter && (
            <a key="by" href={to(`/members/${report.reporter.id}`)}>
              {nameOf(report.reporter)}
            </a>
          ),
        ],
        [
          'Author',
          <a key="author" href={to(`/members/${report.authorId}`)}>
            {nameOf(report.author)}
          </a>,
        ],
        ['Note', report.note && `“${report.note}”`],
      ]}
    />
  </Card>
);
