import type { AuditRecord } from '@platform-api/sdk';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { type Column, List } from '../parts/table.tsx';
import { Id, Time } from '../parts/values.tsx';
import { useQuery } from '../query.ts';
import { to, usePlace } from '../router.ts';
import { count } from '../text.ts';

const IS_OBJECT_ID = /^[0-9a-f]{24}$/;

const COLUMNS: Column<AuditRecord>[] = [
  {
    head: 'Who',
    cell: ({ actor, actorEmail }) =>
      IS_OBJECT_ID.test(actor) ? (
        <a href={to(`/members/${actor}`)}>{actorEmail ?? 'Erased member'}</a>
      ) : (
        actor
      ),
  },
  { head: 'Action', cell: ({ action }) => <a href={to('/audit', { action })}>{action}</a> },
  { head: 'Of', cell: ({ target }) => target && <Id id={target} /> },
  {
    head: 'Details',
    cell: ({ details }) => Object.keys(details).length > 0 && <code>{JSON.stringify(details)}</code>,
  },
  { head: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export default function Audit() {
  const { query } = usePlace();
  const { action, target, actor, page } = query;
  const entries = useQuery(JSON.stringify([action, target, actor, page]), (api, signal) =>
    api.audit.list(
      {
        limit: 25,
        page: Number(page ?? 1),
        ...(action ? { action } : {}),
        ...(target ? { target } : {}),
        ...(actor ? { actor } : {}),
      },
      { signal },
    ),
  );
  const filter = action ?? target ?? actor;
  return (
    <Page title="Audit log" beside={entries.data && `${count(entries.data.total)} in all`}>
      {filter && (
        <p>
          Only {action ? `the action ${action}` : 'one member or thing'}. <a href={to('/audit')}>Show all</a>
        </p>
      )}
      <div class="card">
        <List
          query={entries}
          what="The audit log"
          caption="Acts, newest first"
          columns={COLUMNS}
          keyOf={({ id }) => id}
          empty="Nobody has done anything like this."
        />
        <Pager path="/audit" shown={entries.data} />
      </div>
    </Page>
  );
}
