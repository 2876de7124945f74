import type { ComponentChildren } from 'preact';
import { useQuery } from '../query.ts';
import { to } from '../router.ts';
import { words } from '../text.ts';
import { Actor } from './actor.tsx';
import { Card } from './card.tsx';
import { Failed } from './note.tsx';
import { Loading } from './table.tsx';
import { Time } from './values.tsx';

interface AuditParts {
  title: string;
  /** Shows only actions on this target, or about this transaction; all actions without both. */
  target?: string;
  transactionId?: string;
  limit: number;
  /** The text shown if there are no actions. */
  empty: ComponentChildren;
}

/** The newest actions of administrators, with a link to all of them. */
export function AuditCard({ title, target, transactionId, limit, empty }: AuditParts) {
  const of = { ...(target && { target }), ...(transactionId && { transactionId }) };
  const { data, error, reload } = useQuery(
    `audit ${target} ${transactionId}`,
    (by, signal) => by.audit.list({ ...of, limit }, { signal }),
    { pollMs: 60_000 },
  );
  return (
    <Card title={title} more={<a href={to('/audit', of)}>Audit log</a>}>
      {error !== undefined && <Failed what="The audit log could not be read" error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data?.items.length === 0 && <p class="empty">{empty}</p>}
      <ul class="timeline">
        {data?.items.map(({ id, action, targetName, reason, createdAt, ...by }) => (
          <li key={id} class="info">
            <Actor {...by} /> {words(action)}{' '}
            {target === undefined && transactionId === undefined && targetName && <b>{targetName}</b>}
            <small>
              {reason && `“${reason}” · `}
              <Time at={createdAt} />
            </small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
