import { type AuditRecord, listAudit } from '@platform-api/sdk';
import { useMemo } from 'preact/hooks';
import { Actor } from '../parts/actor.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { words } from '../text.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The fields that an action changed, with their old and new values; its other details if it changed none. */
const Changes = ({ changes, details, ...row }: AuditRecord) => {
  const fields = Object.entries(changes);
  if (fields.length > 0)
    return (
      <>
        {fields.map(([name, [before, after]]) => (
          <small key={name}>
            {name}: {textOf(before)} → <b>{textOf(after)}</b>
          </small>
        ))}
      </>
    );
  // Values that other columns show are left out.
  const otherColumns: unknown[] = [row.actor, row.actorEmail, row.target, row.reason];
  const others = Object.entries(details).filter(([, value]) => !otherColumns.includes(value));
  return (
    <>
      {others.slice(0, 4).map(([name, value]) => (
        <small key={name}>
          {name}: {textOf(value)}
        </small>
      ))}
    </>
  );
};

const COLUMNS: Column<AuditRecord>[] = [
  { head: 'Who', cell: (row) => <Actor {...row} /> },
  { head: 'Action', cell: ({ action }) => <span title={action}>{words(action)}</span> },
  {
    head: 'Of',
    isText: true,
    cell: ({ target, targetName }) =>
      target && (
        <>
          {targetName && <a href={to('/audit', { target })}>{targetName}</a>}
          <Id id={target} />
        </>
      ),
  },
  { head: 'What changed', isText: true, isWide: true, cell: (row) => <Changes {...row} /> },
  { head: 'Reason', isText: true, cell: ({ reason }) => reason && `“${reason}”` },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export default function Audit() {
  const { data: actions } = useQuery('actions', (api, signal) => api.audit.listActions({ signal }));
  const filters = useMemo(
    (): Filter[] => [
      {
        kind: 'choice',
        name: 'action',
        label: 'Action',
        values: (actions ?? []).map((one) => [one, words(one)]),
      },
      { kind: 'date', name: 'startDate', label: 'From' },
      { kind: 'date', name: 'endDate', label: 'To', isEnd: true },
      { kind: 'link', name: 'actor', label: 'Who' },
      { kind: 'link', name: 'target', label: 'Of' },
      { kind: 'link', name: 'transactionId', label: 'Transaction' },
    ],
    [actions],
  );
  return (
    <Page title="Audit log" beside="Who did what, newest first">
      <Listing
        operation={listAudit}
        filters={filters}
        what="The audit log"
        caption="Actions, newest first"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No actions to show."
        file="audit"
      />
    </Page>
  );
}
