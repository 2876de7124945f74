import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { Person } from '../../kernel/records/erasure.ts';
import type { Suppression } from './suppressions.model.ts';

const COLUMNS = 'id, email, kind, reason, reported_at, created_at';

const find = statement<{ id: string }>(
  'mail.find-suppression',
  'select id from mail.suppression where email = $1 and removed_at is null',
);

/** SQL of suppressed addresses. */
export const suppressionStore = (database: Database) => ({
  isSuppressed: async (email: string, queries: Queries = database): Promise<boolean> =>
    (await queries.first(find, [email])) !== undefined,
  /**
   * Saves a suppression; a later report about the same address replaces the earlier one, and a report older than the
   * removal of the suppression changes nothing. Returns whether anything changed.
   */
  async save(
    tx: Transaction,
    { id, email, kind, reason, reportedAt, createdAt }: Suppression,
  ): Promise<boolean> {
    const saved = await tx.execute(
      `insert into mail.suppression as kept (id, email, kind, reason, reported_at, created_at)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (email) do update
       set id = case when kept.removed_at is null then kept.id else excluded.id end,
         created_at = case when kept.removed_at is null then kept.created_at else excluded.created_at end,
         kind = excluded.kind, reason = excluded.reason, reported_at = excluded.reported_at, removed_at = null
       where greatest(kept.reported_at, kept.removed_at) < excluded.reported_at`,
      [id, email, kind, reason, reportedAt, createdAt],
    );
    return saved > 0;
  },
  /** Returns suppressions, newest first, of one address or of all. */
  pageOf: (email: string | undefined, request: PageRequest): Promise<Page<Suppression>> =>
    readPage(
      database,
      {
        columns: COLUMNS,
        from: 'mail.suppression where removed_at is null and ($1::text is null or email = $1)',
        orderBy: 'id desc',
        isGrowing: true,
      },
      [email ?? null],
      request,
    ),
  remove: (tx: Transaction, email: string, at: Date): Promise<Suppression | undefined> =>
    tx.first(
      `update mail.suppression set removed_at = $2 where email = $1 and removed_at is null returning ${COLUMNS}`,
      [email, at],
    ),
  /** Deletes what was reported of these addresses up to a time. */
  async erase({ emails, emailsUntil }: Pick<Person, 'emails' | 'emailsUntil'>): Promise<void> {
    await database.execute('delete from mail.suppression where email = any($1) and created_at <= $2', [
      emails,
      emailsUntil,
    ]);
  },
});

export type SuppressionStore = ReturnType<typeof suppressionStore>;
