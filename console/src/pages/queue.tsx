import { type DeadJob, listDeadJobs } from '@platform-api/sdk';
import { succeeded } from '../last-action.ts';
import { type Action, ActionButton, AtOnce, reasonOf } from '../parts/action.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Id, Time } from '../parts/values.tsx';
import { to } from '../router.ts';
import { count, plural, shortId } from '../text.ts';

const above = { href: to('/jobs'), text: 'Jobs' };

const discard = (queue: string, { id }: DeadJob): Action => ({
  name: 'Discard',
  title: `Discard a dead job of ${queue}`,
  confirmLabel: 'Discard job',
  isDangerous: true,
  note: 'What it was to do is not done. This cannot be undone.',
  run: async (form, api) => {
    await api.jobs.deleteDeadJob(queue, id, { reason: reasonOf(form) });
    return 'The job is discarded.';
  },
});

const retryMany = (queue: string, rows: DeadJob[]): Action => ({
  name: `Retry ${rows.length}`,
  title: `Retry ${plural(rows.length, 'dead job')}`,
  confirmLabel: `Retry ${rows.length}`,
  openings: ['the other system is back', 'the cause is mended'],
  run: async (form, api) => {
    const results = await api.jobs.retryDeadJobs(queue, {
      ids: rows.map(({ id }) => id),
      reason: reasonOf(form),
    });
    const outcomes = results.map(({ id, message }) => ({
      key: id,
      name: shortId(id),
      text: message ?? 'runs again',
      isFailed: message !== null,
    }));
    return { sentence: `Retried ${succeeded(outcomes)}.`, outcomes };
  },
});

const columnsOf = (queue: string): Column<DeadJob>[] => [
  {
    head: 'Job',
    cell: ({ id, data }) => (
      <>
        <Id id={id} />
        <small>
          <code>{JSON.stringify(data).slice(0, 300)}</code>
        </small>
      </>
    ),
  },
  {
    head: 'Error',
    isText: true,
    cell: ({ error }) => error && <span class="bad-text">{error.slice(0, 300)}</span>,
  },
  { head: 'Tries', isNumber: true, cell: ({ attempts }) => count(attempts) },
  {
    head: 'Trace',
    cell: ({ traceId }) => traceId && <a href={to('/errors', { search: traceId })}>{shortId(traceId)}</a>,
  },
  { head: 'Failed', cell: ({ failedAt }) => <Time at={failedAt} /> },
  {
    head: '',
    cell: (row) => (
      <>
        <AtOnce
          name="Retry"
          failed="The job was not retried"
          run={async (api) => {
            await api.jobs.retryDeadJob(queue, row.id);
            return 'The job runs again, with all its attempts.';
          }}
        />
        <ActionButton action={discard(queue, row)} />
      </>
    ),
  },
];

export default function QueuePage({ id: queue }: { id: string }) {
  return (
    <Page title={queue} above={above} beside="Jobs that failed all their attempts">
      <Listing
        operation={listDeadJobs}
        params={{ queue }}
        pollMs={15_000}
        what="The dead jobs"
        caption="Dead jobs, newest first"
        columns={columnsOf(queue)}
        keyOf={({ id }) => id}
        empty="No dead job."
        file={`dead-${queue}`}
        bulk={{
          nameOf: ({ id }) => id,
          actions: (rows) => <ActionButton action={retryMany(queue, rows)} class="primary" />,
        }}
      />
    </Page>
  );
}
