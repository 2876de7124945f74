import { exportEvents, listEventNames, listPopularEvents } from '@platform-api/sdk';
import { api, now } from '../api.ts';
import { download } from '../csv.ts';
import { type Action, ActionButton, AtOnce, Field, reasonOf, textOf } from '../parts/action.tsx';
import { Card } from '../parts/card.tsx';
import { Chart } from '../parts/chart.tsx';
import { Filters, periodFilter } from '../parts/filters.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { List } from '../parts/table.tsx';
import { Tag, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { daysOf, useSeries } from '../series.ts';
import { count } from '../text.ts';

const LIST: Action = {
  name: 'Count a name by itself',
  title: 'Count the events of a name by themselves',
  confirmLabel: 'Count it',
  fields: (
    <>
      <Field label="Name">
        <input name="eventName" maxLength={100} required autoFocus />
      </Field>
      <Field label="Kind">
        <input name="eventType" maxLength={100} required />
      </Field>
    </>
  ),
  note: 'Events of names that are not listed are counted under “other”. It holds from now on.',
  run: async (form, api) => {
    const eventName = textOf(form, 'eventName');
    await api.analytics.addEventName({
      eventName,
      eventType: textOf(form, 'eventType'),
      reason: reasonOf(form),
    });
    return `${eventName} is counted by itself from now on.`;
  },
};

const unlist = (eventName: string, eventType: string): Action => ({
  name: 'Do not count',
  title: `Count ${eventName} under “other”`,
  confirmLabel: 'Count under “other”',
  run: async (form, api) => {
    await api.analytics.removeEventName({ eventName, eventType, reason: reasonOf(form) });
    return `${eventName} is counted under “other” from now on.`;
  },
});

/** The event names that have counts of their own; all others are counted together as "other". */
const Names = () => {
  const { page } = usePlace().query;
  const names = useQuery(JSON.stringify(['names', page]), (by, signal) =>
    by.call(listEventNames, { query: { limit: 100 } }, { signal }),
  );
  return (
    <Card title="Names that are counted by themselves" more={<ActionButton action={LIST} />}>
      <List
        query={names}
        what="The names"
        caption="Names of events that are counted by themselves"
        keyOf={({ eventName }) => eventName}
        empty="No name is listed."
        columns={[
          { head: 'Name', cell: ({ eventName }) => <a href={to('/events', { eventName })}>{eventName}</a> },
          { head: 'Kind', cell: ({ eventType }) => eventType },
          {
            head: 'State',
            cell: ({ isRemoved }) => <Tag tone="none">{isRemoved ? 'under other' : 'by itself'}</Tag>,
          },
          {
            head: 'Listed',
            cell: ({ listedAt }) => (listedAt ? <Time at={listedAt} /> : 'from the beginning'),
          },
          {
            head: '',
            cell: ({ eventName, eventType, isRemoved }) =>
              !isRemoved && <ActionButton action={unlist(eventName, eventType)} />,
          },
        ]}
      />
    </Card>
  );
};

export default function Events() {
  const { eventName, days: chosenDays = '30' } = usePlace().query;
  const days = Number(chosenDays) || 30;
  const series = useSeries({ days, source: 'all', eventName });
  const popular = useQuery('popular', async (by, signal) => ({
    items: await by.call(listPopularEvents, { query: { source: 'all' } }, { signal }),
  }));
  const save = async () => {
    const startDate = new Date(now() - days * 86_400_000).toISOString();
    const query = { startDate, source: 'all', ...(eventName ? { eventName } : {}) } as const;
    const { data } = await api.raw(exportEvents, { query }, { timeoutMs: 120_000 });
    download('events.csv', typeof data === 'string' ? data : JSON.stringify(data));
    return 'Saved events.csv.';
  };
  const names = (popular.data?.items ?? [])
    .slice(0, 100)
    .map(({ eventName: name }): [string, string] => [name, name]);
  return (
    <Page title="Analytics" actions={<AtOnce name="Download CSV" failed="No file was saved" run={save} />}>
      <Filters
        of={[
          periodFilter('days', [
            ['7', '7 days'],
            ['90', '90 days'],
            ['365', 'a year'],
          ]),
          { kind: 'choice', name: 'eventName', label: 'Event', none: 'all', values: names },
        ]}
      />
      {series.error !== undefined && (
        <Failed what="The events could not be read" error={series.error} retry={series.reload} />
      )}
      {series.data && (
        <Card title={eventName ?? 'All events'}>
          <Chart
            kind="bars"
            summary={`${eventName ?? 'Events'} on each of the last ${days} days`}
            labels={daysOf(series.data)}
            series={[
              { name: 'events', colour: 'c1', values: series.data.map(({ count: number }) => number) },
            ]}
          />
        </Card>
      )}
      <Card title="Most frequent">
        <List
          query={{ ...popular, data: popular.data && { items: popular.data.items.slice(0, 25) } }}
          what="The events"
          caption="The most frequent events"
          keyOf={({ eventName: name }) => name}
          empty="No event was recorded."
          columns={[
            {
              head: 'Event',
              cell: ({ eventName: name }) => <a href={to('/events', { eventName: name })}>{name}</a>,
            },
            { head: 'Count', isNumber: true, cell: (row) => count(row.count) },
          ]}
        />
      </Card>
      <Names />
    </Page>
  );
}
