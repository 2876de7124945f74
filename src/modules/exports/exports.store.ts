import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { DataExport } from './exports.model.ts';

const COLUMNS = 'id, user_id, is_own, status, created_at, ready_at, expires_at';

const newest = statement<DataExport>(
  'exports.newest',
  `select ${COLUMNS} from exports.export where user_id = $1 order by created_at desc, id desc limit 1`,
);
const newestForMember = statement<DataExport>(
  'exports.newest-for-member',
  `select ${COLUMNS} from exports.export where user_id = $1
   order by (is_own or status = 'ready' and expires_at > $2) desc, created_at desc, id desc limit 1`,
);
const byId = statement<DataExport>('exports.by-id', `select ${COLUMNS} from exports.export where id = $1`);
const lockById = statement<DataExport>(
  'exports.lock',
  `select ${COLUMNS} from exports.export where id = $1 for update`,
);
const hindering = statement<DataExport>(
  'exports.hindering',
  `select ${COLUMNS} from exports.export
   where user_id = $1 and (status = 'pending' or status = 'ready' and is_own and created_at > $2)
   order by status, created_at desc limit 1`,
);
const live = statement<{ id: ObjectId }>(
  'exports.live',
  `select id from exports.export
   where id = any($1) and (status = 'pending' or status = 'ready' and expires_at > $2)`,
);

/** SQL of exports. */
export const exportStore = (database: Database) => ({
  newestOf: (userId: ObjectId): Promise<DataExport | undefined> => database.first(newest, [userId]),
  /** Returns the newest of a member's own exports and those with a file; otherwise the newest of an administrator's. */
  newestForMember: (userId: ObjectId, now: Date): Promise<DataExport | undefined> =>
    database.first(newestForMember, [userId, now]),
  find: (id: ObjectId): Promise<DataExport | undefined> => database.first(byId, [id]),
  lock: (tx: Transaction, id: ObjectId): Promise<DataExport | undefined> => tx.first(lockById, [id]),
  /** Returns an export because of which the member may not begin another: a pending one, or their own since an instant. */
  hinderingOf: (tx: Transaction, userId: ObjectId, since: Date): Promise<DataExport | undefined> =>
    tx.first(hindering, [userId, since]),
  insert: async (tx: Transaction, one: DataExport): Promise<void> => {
    await tx.insert('exports.export', one, [
      'id',
      'userId',
      'isOwn',
      'status',
      'createdAt',
      'readyAt',
      'expiresAt',
    ]);
  },
  update: async (tx: Transaction, one: DataExport): Promise<void> => {
    await tx.update('exports.export', one, ['status', 'readyAt', 'expiresAt']);
  },
  /** Returns pending exports that began before an instant. */
  stuck: (before: Date, most: number): Promise<DataExport[]> =>
    database.all(
      `select ${COLUMNS} from exports.export where status = 'pending' and created_at < $1
       order by created_at limit $2`,
      [before, most],
    ),
  /** Returns which of these exports have, or are about to have, a file. */
  liveOf: async (ids: ObjectId[], now: Date, queries: Queries = database): Promise<Set<ObjectId>> =>
    new Set((await queries.all(live, [ids, now])).map(({ id }) => id)),
  eraseOf: async (tx: Transaction, userId: ObjectId): Promise<number> =>
    tx.execute('delete from exports.export where user_id = $1', [userId]),
});

export type ExportStore = ReturnType<typeof exportStore>;
