import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Checkout } from './checkouts.model.ts';
import type { Due } from './due.model.ts';
import { dueStore } from './due.store.ts';

const COLUMNS = `id, session_id, user_id, purpose, details, cents, status, payment_id, refunded_cents, reason,
  expires_at`;

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
      checkout: Omit<Checkout, 'status' | 'paymentId' | 'refundedCents' | 'reason'>,
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
    due: dueStore<Checkout & Due>(database, 'merchant.checkout', COLUMNS),
  };
}

export type CheckoutStore = ReturnType<typeof checkoutStore>;
