import { listReports, type Report } from '@platform-api/sdk';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Api } from '../api.ts';
import { outcomesOf, succeeded } from '../last-action.ts';
import { muteAction } from '../member/mute-actions.tsx';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import { Card, Facts } from '../parts/card.tsx';
import { type Filter, Filters } from '../parts/filters.tsx';
import { Empty, Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Loading } from '../parts/table.tsx';
import { Age, Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { KINDS, type Kind, kindOf } from '../reported-kinds.ts';
import { go, to, usePlace } from '../router.ts';
import { count, nameOf, plural } from '../text.ts';

const FILTERS: Filter[] = [
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    none: 'all',
    values: (Object.keys(KINDS) as Kind[]).map((one) => [one, kindOf(one)]),
  },
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

const nameOfReport = ({ kind, text }: Report): string => `${kindOf(kind)} “${text.slice(0, 40)}”`;

const remove = (report: Report, goOn: () => void): Action => ({
  name: 'Remove',
  title: `Remove the ${kindOf(report.kind)}`,
  isDangerous: true,
  reason: 'audit',
  facts: [['Says', report.text.slice(0, 200)]],
  note: `${KINDS[report.kind]?.removal ?? 'Nobody sees it any more.'} Its author is not notified. This cannot be undone.`,
  openings: ['promises of profit are not allowed', 'spam', 'insults other members'],
  run: async (form, api) => {
    await api.moderation.resolveReport(report.id, { outcome: 'removed', reason: reasonOf(form) });
    goOn();
    return `Removed the ${kindOf(report.kind)}.`;
  },
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

/** The reports of the list in the address, and which list that is: old rows stay until those of another list arrive. */
function useReports() {
  const { kind, status = 'open', page } = usePlace().query;
  const list = JSON.stringify([kind, status, page]);
  return useQuery(
    list,
    async (by, signal) => {
      // Values from the address are passed on unchecked: the platform refuses invalid ones.
      const query = { limit: 25, status, ...(kind ? { kind } : {}), page: Number(page ?? 1) } as object;
      return { list, ...(await by.call(listReports, { query }, { signal })) };
    },
    { pollMs: 15_000 },
  );
}

/**
 * The report that the page shows: the chosen one, or the first of the list. It stays until the moderator goes on, also
 * if newer ones arrive or somebody else decides about it, so that no other report gets under the mouse.
 */
function useShown(list: string, items: Report[], chosen: string | undefined) {
  const last = useRef<{ list: string; report: Report | undefined } | undefined>(undefined);
  const before = last.current?.list === list ? last.current.report : undefined;
  const id = chosen ?? before?.id;
  const found = items.find((one) => one.id === id);
  const isOtherList = last.current !== undefined && last.current.list !== list;
  const first = id === undefined || isOtherList ? items[0] : undefined;
  const report = found ?? (before?.id === id ? before : undefined) ?? first;
  last.current = { list, report };
  const forget = () => {
    last.current = undefined;
  };
  return { report, isGone: id !== undefined && !found && !first, forget };
}

export default function Moderation() {
  const { query } = usePlace();
  const { status = 'open', report: chosen } = query;
  const { data, error, reload } = useReports();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  // Until the list is read again, it still has as open what was just decided.
  const items = (data?.items ?? []).filter((one) => one.status !== 'open' || !decided.has(one.id));
  const { report: current, isGone, forget } = useShown(data?.list ?? '', items, chosen);
  const [cameUp, setCameUp] = useState<string>();
  const at = items.findIndex(({ id }) => id === current?.id);
  const addressOf = (report: Report | undefined) => to('/moderation', { ...query, report: report?.id });
  useKeys(items, at, (place) => go(addressOf(items[place]), { replace: true }));
  const goOn = () => {
    const next = items[at + 1] ?? items[at - 1];
    forget();
    if (current) setDecided(new Set([...decided, current.id]));
    setCameUp(next?.id);
    go(addressOf(next), { replace: true });
  };
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
      {data && isGone && (
        <Note tone="warn">
          The report {current ? 'below' : 'of this address'} is not in this list any more: another moderator
          has decided about it, or newer ones have moved it to another page.{' '}
          {items.length > 0 && <a href={addressOf(items[0])}>Go on with the newest</a>}
        </Note>
      )}
      {data && items.length === 0 && (
        <div class="card">
          <Empty>Nothing is reported.</Empty>
        </div>
      )}
      {data && (current || items.length > 0) && (
        <div class={chosen ? 'triage chosen' : 'triage'}>
          <div class="card">
            <Reports of={items} current={current} addressOf={addressOf} />
            <Pager shown={data} cursor={undefined} />
          </div>
          {current && (
            <Item key={current.id} report={current} back={addressOf(undefined)}>
              {!isGone && <Acts report={current} isLate={cameUp === current.id} goOn={goOn} />}
            </Item>
          )}
        </div>
      )}
    </Page>
  );
}

interface ReportsParts {
  of: Report[];
  current: Report | undefined;
  addressOf: (report: Report) => string;
}

const Reports = ({ of, current, addressOf }: ReportsParts) => (
  <ul aria-label="Reports">
    {of.map((one) => (
      <li key={one.id}>
        <a href={addressOf(one)} aria-current={one.id === current?.id ? 'true' : undefined}>
          <span>
            <strong>{nameOf(one.author)}</strong> <Age at={one.createdAt} />
          </span>
          <span class="line">{one.text}</span>
          <small class="line">
            {kindOf(one.kind)} · {one.reason}
          </small>
        </a>
      </li>
    ))}
  </ul>
);

/** How long the buttons of a report that came up by itself wait: the second click of a double click is not for it. */
const LATE_MS = 1_000;

function Acts({ report, isLate, goOn }: { report: Report; isLate: boolean; goOn: () => void }) {
  const [isWaiting, setWaiting] = useState(isLate);
  useEffect(() => {
    const timer = setTimeout(() => setWaiting(false), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (report.status !== 'open')
    return (
      <p>
        <Tag tone="none">{report.status === 'dismissed' ? 'kept' : 'removed'}</Tag>{' '}
        <Time at={report.resolvedAt} />
      </p>
    );
  const keep = async (api: Api) => {
    await api.moderation.resolveReport(report.id, { outcome: 'dismissed' });
    goOn();
    return `Kept the ${kindOf(report.kind)} of ${nameOf(report.author)}.`;
  };
  return (
    <fieldset class="acts" disabled={isWaiting}>
      <ActionButton action={remove(report, goOn)} class="danger" />
      <AtOnce name="Keep" failed="The report was not changed" run={keep} />
      <ActionButton action={muteAction({ id: report.authorId, name: nameOf(report.author) })} />
    </fieldset>
  );
}

interface ItemParts {
  report: Report;
  back: string;
  children: ComponentChildren;
}

const Item = ({ report, back, children }: ItemParts) => (
  <Card
    title={`${nameOf(report.author)}, ${kindOf(report.kind)}`}
    more={
      <a class="back" href={back}>
        Back to the list
      </a>
    }
  >
    <blockquote>{report.text}</blockquote>
    {children}
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
