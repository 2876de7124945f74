import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { highestIdAt, lowestIdAt, type ObjectId } from '../../kernel/ids.ts';
import type { Checkout } from './checkouts.model.ts';
import type { CheckoutFacts, CheckoutFilter, CheckoutStatus } from './contract.ts';
import { dueStore } from './due.store.ts';

const COLUMNS = `id, session_id, user_id, purpose, details, cents, status, provider_status, payment_id, refunded_cents,
  reason, expires_at, attempts, next_check_at is not null as is_awaited`;
const FACTS = `id, session_id, user_id, purpose, details, cents, status, provider_status, payment_id, refunded_cents,
  attempts, case when status = 'failed' and next_check_at is null then reason else last_error end as last_error, created_at, expires_at, settled_at`;

/** The properties of a checkout that are known when it is opened. */
const OPENED = [
  'id',
  'sessionId',
  'userId',
  'purpose',
  'details',
  'cents',
  'status',
  'createdAt',
  'expiresAt',
  'nextCheckAt',
] as const;

export function checkoutStore(database: Database) {
  const one = (tx: Transaction, condition: string, value: string): Promise<Checkout | undefined> =>
    tx.first(`select ${COLUMNS} from merchant.checkout where ${condition}`, [value]);
  return {
    /** Inserts a checkout; returns false if its session already exists. */
    async insert(
      tx: Transaction,
      checkout: Omit<
        Checkout,
        'status' | 'providerStatus' | 'paymentId' | 'refundedCents' | 'reason' | 'attempts' | 'isAwaited'
      >,
      at: Date,
      nextCheckAt: Date,
    ): Promise<boolean> {
      const opened = { ...checkout, details: JSON.stringify(checkout.details), status: 'open' };
      return (
        (await tx.insert(
          'merchant.checkout',
          { ...opened, createdAt: at, nextCheckAt },
          OPENED,
          'on conflict (session_id) do nothing',
        )) > 0
      );
    },
    /** Returns the checkouts with this id, session or payment; several only if the provider reuses its identifiers. */
    findByAnyId: (text: string): Promise<Checkout[]> =>
      database.all<Checkout>(
        `select ${COLUMNS} from merchant.checkout where id = $1 union
         select ${COLUMNS} from merchant.checkout where session_id = $1 union
         select ${COLUMNS} from merchant.checkout where payment_id = $1 limit 20`,
        [text],
      ),
    lockBySession: (tx: Transaction, sessionId: string) => one(tx, 'session_id = $1 for update', sessionId),
    lockByPayment: (tx: Transaction, paymentId: string) => one(tx, 'payment_id = $1 for update', paymentId),
    async settle(
      tx: Transaction,
      id: ObjectId,
      settled: { status: Checkout['status']; paymentId: string | null; reason: string | null; at: Date },
    ): Promise<void> {
      await tx.execute(
        `update merchant.checkout set status = $2, payment_id = coalesce($3, payment_id), reason = $4, settled_at = $5,
           next_check_at = null where id = $1`,
        [id, settled.status, settled.paymentId, settled.reason, settled.at],
      );
    },
    async setProviderStatus(tx: Transaction, id: ObjectId, status: CheckoutStatus): Promise<void> {
      await tx.execute('update merchant.checkout set provider_status = $2 where id = $1', [id, status]);
    },
    /** Records that the provider has reported a payment, and has it asked about the checkout, also one that had ended. */
    async awaitReversals(tx: Transaction, id: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        `update merchant.checkout set provider_status = 'paid', next_check_at = coalesce(next_check_at, $2)
         where id = $1`,
        [id, at],
      );
    },
    /** Ends what `awaitReversals` began, if the checkout had ended before. */
    async endAwaiting(tx: Transaction, sessionId: string): Promise<void> {
      await tx.execute(
        `update merchant.checkout set next_check_at = null
         where session_id = $1 and status <> 'open' and next_check_at is not null`,
        [sessionId],
      );
    },
    async setRefunded(tx: Transaction, id: ObjectId, refundedCents: number): Promise<void> {
      await tx.execute('update merchant.checkout set refunded_cents = $2 where id = $1', [id, refundedCents]);
    },
    /** Records a payment that matches no checkout; returns false if it was recorded before. */
    async insertUnknown(tx: Transaction, subject: string, details: object, at: Date): Promise<boolean> {
      return (
        (await tx.execute(
          `insert into merchant.unknown_payment (subject, details, seen_at) values ($1, $2, $3)
         on conflict do nothing returning subject`,
          [subject, JSON.stringify(details), at],
        )) > 0
      );
    },
    /** Whether a payment that matches no checkout was recorded under a subject that begins so. */
    hasUnknown: async (tx: Transaction, prefix: string): Promise<boolean> =>
      (await tx.first('select from merchant.unknown_payment where starts_with(subject, $1) limit 1', [
        prefix,
      ])) !== undefined,
    find: (id: ObjectId): Promise<Checkout | undefined> =>
      database.first(`select ${COLUMNS} from merchant.checkout where id = $1`, [id]),
    facts: (id: ObjectId): Promise<CheckoutFacts | undefined> =>
      database.first(`select ${FACTS} from merchant.checkout where id = $1`, [id]),
    /** Returns the facts of checkouts by their sessions, in no particular order. */
    factsOf: (sessionIds: string[]): Promise<CheckoutFacts[]> =>
      database.all(`select ${FACTS} from merchant.checkout where session_id = any($1)`, [sessionIds]),
    /** Returns checkouts, newest first. */
    pageOf({ status, userId, from, to }: CheckoutFilter, page: PageRequest): Promise<Page<CheckoutFacts>> {
      // Ids begin with the second of their creation, so that a period is a range of the primary key.
      const rows = `merchant.checkout where ($1::text is null or status = $1) and ($2::text is null or user_id = $2)
        and ($3::timestamptz is null or (id >= $4 and created_at >= $3))
        and ($5::timestamptz is null or (id <= $6 and created_at <= $5))`;
      const paged = { columns: FACTS, from: rows, orderBy: 'id desc', isGrowing: true };
      const period = [from ?? null, from ? lowestIdAt(from) : null, to ?? null, to ? highestIdAt(to) : null];
      return readPage(database, paged, [status ?? null, userId ?? null, ...period], page);
    },
    due: dueStore<Checkout>(database, 'merchant.checkout', COLUMNS),
  };
}

export type CheckoutStore = ReturnType<typeof checkoutStore>;
