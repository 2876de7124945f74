import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Indicator } from './catalogue.model.ts';

const COLUMNS = `id, name, description, pine_id as "pineId", charting_url as "chartingUrl", is_active as "isActive",
  sort_order as "sortOrder", created_at as "createdAt", updated_at as "updatedAt",
  (select coalesce(sum(count), 0) from indicators.tally t where t.indicator_id = i.id and t.status = 'active')
    as "activeAccessCount"`;

/** The properties that an update writes. */
const CONTENT = [
  'name',
  'description',
  'pineId',
  'chartingUrl',
  'isActive',
  'sortOrder',
  'updatedAt',
] as const;

type Script = Pick<Indicator, 'id' | 'name' | 'pineId'>;
type OfferedIndicator = Pick<Indicator, 'id' | 'name' | 'description' | 'createdAt'>;

const listIndicators = statement<Indicator>(
  'indicators.list',
  `select ${COLUMNS} from indicators.indicator i
   where deleted_at is null and (is_active or $1) order by sort_order, id limit $2`,
);
const findIndicator = statement<Indicator>(
  'indicators.find',
  `select ${COLUMNS} from indicators.indicator i where id = $1 and deleted_at is null`,
);

/** The data of active indicators that a webhook needs; without counts, which would cost more than all its writes. */
const listScripts = statement<Script>(
  'indicators.scripts',
  `select id, name, pine_id as "pineId" from indicators.indicator
   where deleted_at is null and is_active order by sort_order, id limit $1`,
);
const findNames = statement<Pick<Script, 'id' | 'name'>>(
  'indicators.names',
  'select id, name from indicators.indicator where id = any($1)',
);

/** SQL of the catalogue. */
export function catalogueStore(database: Database) {
  return {
    list: (
      includesInactive: boolean,
      limit: number,
      queries: Pick<Queries, 'all'> = database.reads,
    ): Promise<Indicator[]> => queries.all(listIndicators, [includesInactive, limit]),
    /** Returns the active indicators. */
    scripts: (tx: Transaction, limit: number): Promise<Script[]> => tx.all(listScripts, [limit]),
    /** Returns the names of indicators, including deleted ones. */
    namesOf: (queries: Queries, ids: ObjectId[]): Promise<Pick<Script, 'id' | 'name'>[]> =>
      queries.all(findNames, [ids]),
    find: (id: ObjectId, queries: Queries = database): Promise<Indicator | undefined> =>
      queries.first(findIndicator, [id]),
    /** Returns those of the indicators that are offered to members. */
    findOffered: (ids: ObjectId[], queries: Queries): Promise<OfferedIndicator[]> =>
      queries.all(
        `select id, name, description, created_at from indicators.indicator
         where id = any($1) and is_active and deleted_at is null`,
        [ids],
      ),
    async idsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
      const rows = await database.all<{ id: ObjectId }>(
        'select id from indicators.indicator where id > $1 order by id limit $2',
        [id, limit],
      );
      return rows.map((row) => row.id);
    },
    /** Returns whether a member has a grant of an indicator that has not ended. */
    async isHeldBy(indicatorId: ObjectId, userId: ObjectId): Promise<boolean> {
      const found = await database.first(
        `select id from indicators.access where indicator_id = $1 and user_id = $2 and status <> 'revoked'`,
        [indicatorId, userId],
      );
      return found !== undefined;
    },
    count: (tx: Transaction): Promise<number> =>
      tx.count('select count(*) from indicators.indicator where deleted_at is null'),

    /** Locks an indicator against deletion and new references; grants and references share it. */
    async lock(tx: Transaction, id: ObjectId): Promise<boolean> {
      const found = await tx.first(
        'select id from indicators.indicator where id = $1 and deleted_at is null for update',
        [id],
      );
      return found !== undefined;
    },
    /** Prevents deletion of indicators until the transaction ends; returns those that exist. */
    async share(tx: Transaction, ids: ObjectId[]): Promise<ObjectId[]> {
      const rows = await tx.all<{ id: ObjectId }>(
        `select id from indicators.indicator where id = any($1) and deleted_at is null order by id for share`,
        [ids],
      );
      return rows.map(({ id }) => id);
    },
    async insert(tx: Transaction, indicator: Indicator): Promise<void> {
      await tx.insert('indicators.indicator', indicator, ['id', 'createdAt', ...CONTENT]);
    },
    async update(tx: Transaction, indicator: Indicator): Promise<void> {
      await tx.update('indicators.indicator', indicator, CONTENT);
    },
    async delete(tx: Transaction, id: ObjectId, at: Date): Promise<void> {
      await tx.execute('update indicators.indicator set deleted_at = $2, is_active = false where id = $1', [
        id,
        at,
      ]);
    },

    /** Returns the numbers of grants and references of an indicator. */
    async usesOf(tx: Transaction, id: ObjectId): Promise<{ held: number; referenced: number }> {
      const found = await tx.first<{ held: number; referenced: number }>(
        `select (select coalesce(sum(count), 0) from indicators.tally where indicator_id = $1 and status <> 'revoked') as held,
           (select count(*) from indicators.reference where indicator_id = $1) as referenced`,
        [id],
      );
      return found ?? { held: 0, referenced: 0 };
    },
    async refer(tx: Transaction, kind: string, id: ObjectId, indicatorId: ObjectId): Promise<void> {
      await tx.execute(
        `insert into indicators.reference (kind, id, indicator_id) values ($1, $2, $3)
         on conflict (kind, id) do update set indicator_id = excluded.indicator_id`,
        [kind, id, indicatorId],
      );
    },
    async forget(tx: Transaction, kind: string, id: ObjectId): Promise<void> {
      await tx.execute('delete from indicators.reference where kind = $1 and id = $2', [kind, id]);
    },
    /**
     * Schedules all wanted grants of an indicator to be granted again, under its new script; countdowns continue. Without a
     * script, access in a countdown stays until its end.
     */
    async moveGrants(
      tx: Transaction,
      { id, pineId }: Pick<Indicator, 'id' | 'pineId'>,
      actor: string,
      at: Date,
    ): Promise<number> {
      return tx.execute(
        `update indicators.access set status = 'pending_grant', version = version + 1, attempts = 0, last_error = null,
           error_kind = null, due_at = greatest($3, leased_until), moved_by = $2,
           moved_why = 'The script of the indicator was changed', updated_at = $3
         where indicator_id = $1 and is_wanted and (status in ('pending_grant', 'active') or (status = 'pending_revoke' and $4))`,
        [id, actor, at, pineId !== null],
      );
    },
  };
}

export type CatalogueStore = ReturnType<typeof catalogueStore>;
