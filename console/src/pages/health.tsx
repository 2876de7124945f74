import type { ExternalSystem, InstallationHealth, Process } from '@platform-api/sdk';
import { Card, Facts } from '../parts/card.tsx';
import { Failed } from '../parts/note.tsx';
import { Page } from '../parts/page.tsx';
import { type Column, List, Loading } from '../parts/table.tsx';
import { Figures, Tag, Time } from '../parts/values.tsx';
import { readRows, useQuery } from '../query.ts';
import { to } from '../router.ts';
import { age, count, duration, relative, words } from '../text.ts';
import { useWorklists } from '../worklists.ts';
import { ProveButton } from './ledger.tsx';

const MEBIBYTE = 1024 ** 2;

const SYSTEM_TONES = { up: 'ok', down: 'bad', unused: 'none', off: 'none' } as const;

const SYSTEMS: Column<ExternalSystem>[] = [
  { head: 'Part', cell: ({ system }) => <strong>{words(system)}</strong> },
  { head: 'State', cell: ({ state }) => <Tag tone={SYSTEM_TONES[state]}>{state}</Tag> },
  { head: 'Since', cell: ({ since }) => <Time at={since} /> },
  {
    head: 'Last error',
    isText: true,
    cell: ({ lastError, lastErrorAt }) =>
      lastError && (
        <>
          {lastError} <Time at={lastErrorAt} />
        </>
      ),
  },
];

const PROCESSES: Column<Process>[] = [
  {
    head: 'Process',
    cell: ({ id, version }) => (
      <>
        <strong>{id}</strong>
        <small>{version}</small>
      </>
    ),
  },
  { head: 'Role', cell: ({ role }) => role },
  { head: 'Lag', isNumber: true, cell: ({ lagMs }) => `${Math.round(lagMs)} ms` },
  {
    head: 'Memory',
    isNumber: true,
    cell: ({ memoryBytes }) => `${count(Math.round(memoryBytes / MEBIBYTE))} MB`,
  },
  {
    head: 'State',
    cell: ({ draining, degraded, startedAt }) =>
      draining ? (
        <Tag tone="info">draining</Tag>
      ) : degraded.length > 0 ? (
        <Tag tone="warn">{`without ${degraded.join(', ')}`}</Tag>
      ) : (
        <Tag tone="ok">{`up ${age(startedAt)}`}</Tag>
      ),
  },
];

function FiguresOf({ of: { processes, systems, backup } }: { of: InstallationHealth }) {
  const queues = useQuery('queues', (by, signal) => by.jobs.list({ signal }), { pollMs: 15_000 });
  const ledger = useWorklists().data?.overview?.ledger;
  const ready = queues.data?.reduce((sum, queue) => sum + queue.ready, 0) ?? 0;
  const dead = queues.data?.reduce((sum, queue) => sum + queue.dead, 0) ?? 0;
  const down = systems.filter(({ state }) => state === 'down').length;
  return (
    <Figures
      of={[
        {
          label: 'Processes',
          value: count(processes.length),
          below: [...new Set(processes.map(({ version }) => version))].join(', '),
        },
        { label: 'Parts away', value: count(down), tone: down ? 'bad' : undefined },
        { label: 'Jobs waiting', value: count(ready), href: to('/jobs', { sort: '-Ready' }) },
        {
          label: 'Dead jobs',
          value: count(dead),
          href: to('/jobs', { sort: '-Dead' }),
          tone: dead ? 'bad' : undefined,
        },
        {
          label: 'Newest backup',
          value: backup ? duration(backup.ageSeconds) : 'unknown',
          below: backup ? backup.place : 'no backup was reported',
        },
        {
          label: 'Ledger',
          value: ledger ? (ledger.sound ? 'sound' : 'broken') : 'not proved',
          tone: ledger ? (ledger.sound ? 'ok' : 'bad') : undefined,
          below: ledger ? relative(ledger.at) : undefined,
          href: to('/ledger'),
        },
      ]}
    />
  );
}

export default function Health() {
  const { data, error, reload } = useQuery(
    'health',
    (by, signal) => by.administration.getInstallationHealth({ signal }),
    { pollMs: 15_000 },
  );
  return (
    <Page title="Jobs and health" actions={<ProveButton />}>
      {error !== undefined && <Failed what="The health could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && (
        <>
          <FiguresOf of={data} />
          <div class="boards">
            <Card title="Outside parts">
              <List
                query={readRows(data.systems)}
                what="The parts"
                caption="Systems outside of the platform"
                columns={SYSTEMS}
                keyOf={({ system }) => system}
                empty="There is none."
              />
            </Card>
            <Card title="Processes">
              <List
                query={readRows(data.processes)}
                what="The processes"
                caption="Processes of the platform"
                columns={PROCESSES}
                keyOf={({ id }) => id}
                empty="None has reported."
              />
            </Card>
          </div>
          <Card title="Settings">
            <details class="inset">
              <summary>{count(data.settings.length)} settings, secrets masked</summary>
              <Facts
                of={data.settings.map(({ name, value }) => [
                  name,
                  value === null ? (
                    <span key={name} class="dim">
                      not set
                    </span>
                  ) : (
                    <code key={name}>{value}</code>
                  ),
                ])}
              />
            </details>
          </Card>
        </>
      )}
    </Page>
  );
}
