import { listReportedItems, type ReportedItem } from '@platform-api/sdk';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepMany, reasonsOf, reportsOf } from '../moderation/actions.tsx';
import { Acts, Item } from '../moderation/item.tsx';
import { ActionButton } from '../parts/action.tsx';
import { type Filter, Filters } from '../parts/filters.tsx';
import { Empty, Failed, Note } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Loading } from '../parts/table.tsx';
import { Age } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { KINDS, type Kind, kindOf } from '../reported-kinds.ts';
import { go, to, usePlace } from '../router.ts';
import { count, nameOf } from '../text.ts';

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

/** J and K select the next and the previous item. */
function useKeys(items: ReportedItem[], at: number, show: (place: number) => void): void {
  const latest = useRef({ items, at, show });
  latest.current = { items, at, show };
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
      if (step && latest.current.items[next]) latest.current.show(next);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

/** The items of the list in the address, and which list that is: old rows stay until those of another list arrive. */
function useItems() {
  const { kind, status = 'open', page } = usePlace().query;
  const list = JSON.stringify([kind, status, page]);
  return useQuery(
    list,
    async (by, signal) => {
      // Values from the address are passed on unchecked: the platform refuses invalid ones.
      const query = { limit: 25, status, ...(kind ? { kind } : {}), page: Number(page ?? 1) } as object;
      return { list, ...(await by.call(listReportedItems, { query }, { signal })) };
    },
    { pollMs: 15_000 },
  );
}

/**
 * The item that the page shows: the one with the chosen subject, or the first of the list. It stays until the moderator
 * goes on, also if others are reported or somebody else decides about it, so that no other item gets under the mouse.
 */
function useShown(list: string, items: ReportedItem[], chosen: string | undefined) {
  const last = useRef<{ list: string; item: ReportedItem | undefined } | undefined>(undefined);
  const before = last.current?.list === list ? last.current.item : undefined;
  const id = chosen ?? before?.subjectId;
  const found = items.find(({ subjectId }) => subjectId === id);
  const isOtherList = last.current !== undefined && last.current.list !== list;
  const first = id === undefined || isOtherList ? items[0] : undefined;
  const item = found ?? (before?.subjectId === id ? before : undefined) ?? first;
  last.current = { list, item };
  const forget = () => {
    last.current = undefined;
  };
  return { item, isGone: id !== undefined && !found && !first, forget };
}

export default function Moderation() {
  const { query } = usePlace();
  const { status = 'open', item: chosen } = query;
  const { data, error, reload } = useItems();
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  // Until the list is read again, it still has as open what was just decided.
  const items = (data?.items ?? []).filter((one) => one.status !== 'open' || !decided.has(one.id));
  const { item: current, isGone, forget } = useShown(data?.list ?? '', items, chosen);
  const [cameUp, setCameUp] = useState<string>();
  const at = items.findIndex(({ subjectId }) => subjectId === current?.subjectId);
  const addressOf = (item: ReportedItem | undefined) =>
    to('/moderation', { ...query, item: item?.subjectId });
  useKeys(items, at, (place) => go(addressOf(items[place]), { replace: true }));
  const goOn = () => {
    const next = items[at + 1] ?? items[at - 1];
    forget();
    if (current) setDecided(new Set([...decided, current.id]));
    setCameUp(next?.subjectId);
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
          What {current ? 'is shown below' : 'this address names'} is not in this list any more: another
          moderator has decided about it, or newer reports have moved it to another page.{' '}
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
            <Items of={items} current={current} addressOf={addressOf} />
            <Pager shown={data} cursor={undefined} />
          </div>
          {current && (
            <Item key={current.subjectId} item={current} back={addressOf(undefined)}>
              {!isGone && <Acts item={current} isLate={cameUp === current.subjectId} goOn={goOn} />}
            </Item>
          )}
        </div>
      )}
    </Page>
  );
}

interface ItemsParts {
  of: ReportedItem[];
  current: ReportedItem | undefined;
  addressOf: (item: ReportedItem) => string;
}

const Items = ({ of, current, addressOf }: ItemsParts) => (
  <ul class="picks" aria-label="What is reported">
    {of.map((one) => (
      <li key={one.subjectId + one.status}>
        <a href={addressOf(one)} aria-current={one.subjectId === current?.subjectId ? 'true' : undefined}>
          <span>
            <strong>{nameOf(one.author)}</strong> <Age at={one.createdAt} />
          </span>
          <span class="line">{one.text}</span>
          <small class="line">
            {kindOf(one.kind)} · {one.reportCount > 1 && `${reportsOf(one)} · `}
            {reasonsOf(one)}
          </small>
        </a>
      </li>
    ))}
  </ul>
);
