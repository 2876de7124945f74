import { type AuditRecord, listAudit } from '@platform-api/sdk';
import { useMemo } from 'preact/hooks';
import { ActorCell } from '../parts/actor.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { Page } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';
import { Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { localTime, words } from '../text.ts';

const IS_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A value as a person reads it: times in their zone, and `none` for what is not set. */
function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value !== 'string') return JSON.stringify(value);
  return IS_TIME.test(value) ? localTime(value) : value;
}

/** Details that name a member: whom something was done to, and whose it was. */
const MEMBERS = new Set(['userId', 'authorId']);

/** The fields that an action changed, with their old and new values, and its other details. */
const Changes = ({ changes, details, ...row }: AuditRecord) => {
  // Values that other columns show are left out, and those that are shown as changes.
  const shown: unknown[] = [row.actor, row.actorEmail, row.target, row.reason];
  const isChange = (name: string) => name in changes || name === 'before' || name === 'after';
  const others = Object.entries(details).filter(([name, value]) => !shown.includes(value) && !isChange(name));
  return (
    <>
      {Object.entries(changes).map(([name, [before, after]]) => (
        <small key={name}>
          {name}: {textOf(before)} → <b>{textOf(after)}</b>
        </small>
      ))}
      {others.slice(0, 4).map(([name, value]) => (
        <small key={name}>
          {name}: {MEMBERS.has(name) ? <a href={to(`/members/${value}`)}>{textOf(value)}</a> : textOf(value)}
        </small>
      ))}
    </>
  );
};

/** The pages of what has no name in the log, by the first word of the action. */
const PAGES: Record<string, string> = {
  chatroom: '/chatrooms',
  community: '/communities',
  post: '/posts',
  trade: '/trades',
};

/** What an action was about: its name, which leads to all that was done to it, or what it is, which leads to its page. */
const Target = ({ action, target, targetName }: AuditRecord) => {
  if (!target) return null;
  const [kind = ''] = action.split('.');
  const page = PAGES[kind];
  return (
    <>
      {targetName && <a href={to('/audit', { target })}>{targetName}</a>}
      {!targetName && page && <a href={to(`${page}/${target}`)}>{kind}</a>}
      <Id id={target} />
    </>
  );
};

const COLUMNS: Column<AuditRecord>[] = [
  { head: 'Who', cell: (row) => <ActorCell {...row} /> },
  { head: 'Action', cell: ({ action }) => <span title={action}>{words(action)}</span> },
  {
    head: 'Of',
    isText: true,
    cell: (row) => <Target {...row} />,
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
