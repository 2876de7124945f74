import { readBacklog } from '../../../kernel/database/backlog.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { AlertFilter, AlertRecord } from './alerts.model.ts';

const COLUMNS = 'alert.id, subject, action, actor, alert.target, details, raised_at, closed_at, closed_by';
const WITH_ENTRY = 'kernel.alert join kernel.audit_entry on audit_entry.id = alert.id';
const OPEN_OR_CLOSED = { open: 'closed_at is null', closed: 'closed_at is not null' };

/** Alerts that the kernel raises (`operatorAlerts`). */
export const alertStore = (database: Database) => ({
  /** Returns alerts, newest first; served by alert_open_listing, alert_target and the primary key. */
  pageOf({ status, target }: AlertFilter, page: PageRequest): Promise<Page<AlertRecord>> {
    const from = `${WITH_ENTRY} where ${status ? OPEN_OR_CLOSED[status] : 'true'}
      and ($1::text is null or alert.target = $1)`;
    const paged = { columns: COLUMNS, from, id: 'alert.id', orderBy: 'alert.id desc', isGrowing: true };
    return readPage<AlertRecord>(database, paged, [target ?? null], page);
  },

  backlog: () =>
    readBacklog(database, 'select raised_at as at from kernel.alert where closed_at is null order by id'),

  find: (id: ObjectId, queries: Pick<Database, 'first'> = database): Promise<AlertRecord | undefined> =>
    queries.first(`select ${COLUMNS} from ${WITH_ENTRY} where alert.id = $1`, [id]),

  /** Closes an open alert; returns it as it is then, or undefined if it is not open. */
  close: (tx: Transaction, id: ObjectId, { by, at }: { by: string; at: Date }) =>
    tx.first<AlertRecord>(
      `update kernel.alert set closed_at = greatest(raised_at, $3), closed_by = $2
       from kernel.audit_entry where alert.id = $1 and closed_at is null and audit_entry.id = alert.id
       returning ${COLUMNS}`,
      [id, by, at],
    ),
});
