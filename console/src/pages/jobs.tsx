import { type JobQueue, listJobQueues } from '@platform-api/sdk';
import { type Action, ActionButton, reasonOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Age, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count } from '../text.ts';

/** The platform stops counting a queue's jobs here, and so do the figures. */
const COUNT_LIMIT = 10_000;
const some = (number: number): string =>
  number === 0 ? '' : number >= COUNT_LIMIT ? '10,000+' : count(number);

const run = (queue: string): Action => ({
  name: 'Run',
  title: `Run ${queue} now`,
  confirmLabel: 'Run now',
  note: 'Its schedule stays as it is.',
  run: async (form, api) => {
    await api.jobs.run(queue, { reason: reasonOf(form) });
    return `${queue} runs as soon as a worker is free.`;
  },
});

const COLUMNS: Column<JobQueue>[] = [
  {
    head: 'Queue',
    by: ({ queue }) => queue,
    cell: ({ queue }) => <a href={to(`/jobs/${encodeURIComponent(queue)}`)}>{queue}</a>,
  },
  { head: 'Ready', isNumber: true, by: ({ ready }) => ready, cell: ({ ready }) => some(ready) },
  { head: 'Active', isNumber: true, by: ({ active }) => active, cell: ({ active }) => some(active) },
  { head: 'Delayed', isNumber: true, by: ({ delayed }) => delayed, cell: ({ delayed }) => some(delayed) },
  {
    head: 'Dead',
    isNumber: true,
    by: ({ dead }) => dead,
    cell: ({ queue, dead }) =>
      dead > 0 && (
        <a class="bad-text" href={to(`/jobs/${encodeURIComponent(queue)}`)}>
          {some(dead)}
        </a>
      ),
  },
  { head: 'Oldest', by: ({ oldestAt }) => oldestAt ?? '9', cell: ({ oldestAt }) => <Age at={oldestAt} /> },
  {
    head: 'Next run',
    by: ({ nextRunAt }) => nextRunAt ?? '9',
    cell: ({ nextRunAt }) => <Time at={nextRunAt} />,
  },
  { head: '', cell: ({ queue, nextRunAt }) => nextRunAt && <ActionButton action={run(queue)} /> },
];

export default function Jobs() {
  return (
    <Page title="Jobs and health">
      <Listing
        operation={listJobQueues}
        pollMs={15_000}
        what="The queues"
        caption="Queues of background jobs"
        columns={COLUMNS}
        keyOf={({ queue }) => queue}
        empty="There is no queue."
        file="queues"
      />
    </Page>
  );
}
