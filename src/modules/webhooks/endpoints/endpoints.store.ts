import { type Backlog, readBacklog } from '../../../kernel/database/backlog.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Endpoint } from './endpoints.model.ts';

const COLUMNS = `id, number, url, types, description, enabled, ordered, secret, previous_secret, previous_secret_expires_at,
  last_sequence, failing_since, disabled_reason, last_delivered_at, created_at,
  coalesce(updated_at, created_at) as updated_at`;

/** For each endpoint; the fan-out reads them all. */
const FORMER_TYPES_KEPT = 100;

/** SQL of endpoints. */
export function endpointStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Endpoint | undefined> =>
      database.first<Endpoint>(`select ${COLUMNS} from webhooks.endpoint where id = $1`, [id]),
    lock: (tx: Transaction, id: ObjectId): Promise<Endpoint | undefined> =>
      tx.first<Endpoint>(`select ${COLUMNS} from webhooks.endpoint where id = $1 for update`, [id]),
    pageOf: (request: PageRequest): Promise<Page<Endpoint>> =>
      readPage<Endpoint>(
        database,
        { columns: COLUMNS, from: 'webhooks.endpoint', orderBy: 'id desc' },
        [],
        request,
      ),
    /**
     * Counts the endpoints that receive nothing: those whose deliveries fail, and those that the platform has
     * therefore disabled.
     */
    failing: (): Promise<Backlog> =>
      readBacklog(
        database,
        `select failing_since as at from webhooks.endpoint
         where failing_since is not null and (enabled or disabled_reason is not null) order by failing_since`,
      ),
    count: (tx: Transaction): Promise<number> => tx.count('select count(*) from webhooks.endpoint'),
    /**
     * Inserts an endpoint, which receives the events after the newest one. If it is the first endpoint, the fan-out
     * skips all earlier events. Waits for a fan-out in progress.
     */
    async insert(tx: Transaction, one: Endpoint, isFirst: boolean): Promise<void> {
      await tx.execute('select position from webhooks.progress for update' as string);
      if (isFirst)
        await tx.execute(
          'update webhooks.progress set position = (select coalesce(max(position), 0) from webhooks.event)',
        );
      await tx.execute(
        `insert into webhooks.endpoint (id, url, types, description, enabled, ordered, secret, created_at, updated_at, after_position)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, (select coalesce(max(position), 0) from webhooks.event))`,
        [one.id, one.url, one.types, one.description, one.enabled, one.ordered, one.secret, one.createdAt],
      );
    },
    update: (tx: Transaction, one: Endpoint): Promise<boolean> =>
      tx.update('webhooks.endpoint', one, [
        'url',
        'types',
        'description',
        'enabled',
        'ordered',
        'secret',
        'previousSecret',
        'previousSecretExpiresAt',
        'failingSince',
        'disabledReason',
        'updatedAt',
      ]),
    /** Keeps the types that an endpoint had up to now; of those that it had before, the newest. */
    async keepTypes(tx: Transaction, { number, types }: Endpoint, until: Date): Promise<void> {
      await tx.execute(
        `insert into webhooks.former_types (endpoint, until, types) values ($1, $2, $3) on conflict do nothing`,
        [number, until, types],
      );
      await tx.execute(
        `delete from webhooks.former_types where endpoint = $1 and until <= (
           select until from webhooks.former_types where endpoint = $1 order by until desc
           offset ${FORMER_TYPES_KEPT} limit 1)`,
        [number],
      );
    },
    /**
     * Records which endpoints have had pending deliveries since then, unless that was recorded recently; returns
     * these.
     */
    warn: (
      tx: Transaction,
      { at, warnedBefore, waitingSince }: { at: Date; warnedBefore: Date; waitingSince: Date },
    ): Promise<Pick<Endpoint, 'id' | 'url'>[]> =>
      tx.all<Pick<Endpoint, 'id' | 'url'>>(
        `update webhooks.endpoint e set warned_at = $1
         where (warned_at is null or warned_at <= $2) and exists (
           select from webhooks.delivery d
           where d.endpoint = e.number and d.status = 'pending' and d.created_at < $3)
         returning id, url`,
        [at, warnedBefore, waitingSince],
      ),
    delete: (tx: Transaction, id: ObjectId): Promise<number> =>
      tx.execute('delete from webhooks.endpoint where id = $1', [id]),
    /**
     * Gives an endpoint its next number, for an event that is sent to this endpoint only. Its position is below those of the
     * log: those are given by one transaction at a time, and one that another had overtaken would never be sent.
     */
    async appendTest(
      tx: Transaction,
      { id, number }: Endpoint,
      { eventId, type, at }: { eventId: ObjectId; type: string; at: Date },
    ): Promise<void> {
      await tx.execute(
        `with event as (
           insert into webhooks.event (position, id, type, happened_at, data) overriding system value
           values (-nextval(pg_get_serial_sequence('webhooks.event', 'position')), $3, $4, $5, '{}') returning position),
         numbered as (
           update webhooks.endpoint set last_sequence = last_sequence + 1 where id = $1 returning last_sequence)
         insert into webhooks.delivery (endpoint, sequence, position, type, created_at)
         select $2, last_sequence, position, $4, $5 from event, numbered`,
        [id, number, eventId, type, at],
      );
    },
  };
}

export type EndpointStore = ReturnType<typeof endpointStore>;
