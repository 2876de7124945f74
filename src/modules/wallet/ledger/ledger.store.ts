import { bigintArray, byteaArray, textArray } from '../../../kernel/database/binary-arrays.ts';
import { LOCK_TIMEOUT_MS } from '../../../kernel/database/pooler.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { OutboxRow } from '../../../kernel/messaging/events.ts';
import { WRITE_OUTBOX } from '../../../kernel/messaging/outbox.ts';
import { type StoredResponse, WRITE_RESPONSES } from '../../../kernel/records/idempotency.ts';
import type { Accounts, NewTransaction, PostedMovement } from './ledger.model.ts';
import type { AccountName, AccountState, Entry } from './postings.model.ts';
import type { TransactionStatus, TransactionType } from './transactions.model.ts';

/** The rows of a batch. */
interface Batch {
  transactions: NewTransaction[];
  movements: PostedMovement[];
  at: Date;
}

/** Data that is compared and written with a batch. */
interface WithBatch {
  /** The accounts in their remembered state. */
  expected: Pick<AccountState, 'id' | 'hash'>[];
  outboxRows: OutboxRow[];
  responses: StoredResponse[];
}

interface AccountRow extends Omit<AccountState, 'received'> {
  name: AccountName;
  received: string;
}

/** The accounts that were locked. */
export interface Locked {
  accounts: Accounts;
  /** Those that exist, but are locked by another transaction. */
  held: Set<AccountName>;
}

/** How many Keys are issued: those in circulation, and those that were paid out. */
export const ISSUED = "(select coalesce(sum(-balance), 0)::bigint from wallet.account where name = 'issued')";

const ACCOUNTS = `select name, id, balance, last_seq as "lastSeq", received::text, hash, is_active as "isActive", locked,
     updated_at as "updatedAt"
   from wallet.account
   where name = any($1)`;

/**
 * Locks accounts, waiting for each, in one global order to prevent deadlocks. The platform's own accounts come last, so
 * that they are not held while waiting for a member's account.
 */
const lockAccounts = statement<AccountRow>(
  'wallet.lock-accounts',
  `${ACCOUNTS} order by user_id is null, id for no key update`,
);

/** Never waits: skips accounts that another transaction has locked. */
const lockFreeAccounts = statement<AccountRow>(
  'wallet.lock-free-accounts',
  `${ACCOUNTS} for no key update skip locked`,
);

/** How long to wait for the batches of other processes. */
const MAX_TURN_MS = 50;
const waitBriefly = statement<never>('wallet.wait-briefly', `set local lock_timeout = ${MAX_TURN_MS}`);
const takeTurn = statement<object>(
  'wallet.take-turn',
  "select from pg_advisory_xact_lock(hashtextextended('wallet.batches', 0))",
);
const waitAsUsual = statement<never>('wallet.wait-as-usual', `set local lock_timeout = ${LOCK_TIMEOUT_MS}`);

const existingAccounts = statement<{ name: AccountName }>(
  'wallet.existing-accounts',
  'select name from wallet.account where name = any($1)',
);

const insertTransactions = (condition = '') => `insert into wallet.transaction
       (id, type, status, from_user_id, to_user_id, amount, description, metadata, created_at, processed_at)
     select id, type, status, from_user, to_user, amount, description, metadata::json, $9::timestamptz,
       case status when 'pending' then null else $9::timestamptz end
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
       as posting (id, type, status, from_user, to_user, amount, description, metadata) ${condition}`;
const insertEntries = (condition = '') => `insert into wallet.entry
     (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at)
   select *, $9::timestamptz
   from unnest($10::text[], $11::bigint[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[],
     $17::bigint[], $18::bytea[]) ${condition}`;

const write = statement<never>(
  'wallet.write-batch',
  `with recorded as (${insertTransactions()}) ${insertEntries()}`,
);

/**
 * Locks the accounts and writes the batch with its events, if every account is free, open, and in its remembered state;
 * otherwise writes nothing. The hash of an account's newest entry covers the account and all its entries, so equal
 * hashes imply equal histories.
 */
const writeAtOnce = statement<never>(
  'wallet.write-at-once',
  `with held as materialized (
     select id from wallet.account
     where id = any($19::text[]) and hash = any($20::bytea[]) and is_active and not locked
     for no key update skip locked
   ),
   sound as materialized (select count(*) = cardinality($19::text[]) as is_sound from held),
   recorded as (${insertTransactions('where (select is_sound from sound)')}),
   told as (
     ${WRITE_OUTBOX}
     select event, events::json from unnest($21::text[], $22::text[]) as row (event, events)
     where (select is_sound from sound)
   ),
   answered as (
     ${WRITE_RESPONSES}
     select scope, key, fingerprint, answer::json, at
     from unnest($23::text[], $24::text[], $25::bytea[], $26::text[], $27::timestamptz[])
       as response (scope, key, fingerprint, answer, at)
     where (select is_sound from sound) order by scope, key
   )
   ${insertEntries('where (select is_sound from sound)')}`,
);

const readAccounts = statement<AccountRow>('wallet.read-accounts', ACCOUNTS);

/** A statement that writes a batch, with its values. */
export type Write = [typeof write, unknown[]];

export const ledgerStore = {
  /** Locks the existing accounts; waits for those that another transaction has locked. */
  async lock(tx: Transaction, names: Iterable<AccountName>): Promise<Accounts> {
    return statesOf(await tx.all(lockAccounts, [[...names]]));
  },

  /**
   * Waits until no other process writes a batch in turn; the turn lasts until the transaction ends.
   * @throws a PostgreSQL error 55P03 when that takes longer than batches do; the transaction must then roll back
   */
  async takeTurn(tx: Transaction): Promise<void> {
    tx.send(waitBriefly, []);
    await tx.all(takeTurn, []);
    tx.send(waitAsUsual, []);
  },

  /** Locks the existing accounts that are free. */
  async lockFree(tx: Transaction, names: Set<AccountName>): Promise<Locked> {
    const accounts = statesOf(await tx.all(lockFreeAccounts, [[...names]]));
    const missing = [...names].filter((name) => !accounts.has(name));
    const existing = missing.length > 0 ? await tx.all(existingAccounts, [missing]) : [];
    return { accounts, held: new Set(existing.map(({ name }) => name)) };
  },

  /** Reads the existing accounts without locking them. */
  async read(queries: Queries, names: AccountName[]): Promise<Accounts> {
    return statesOf(await queries.all(readAccounts, [names]));
  },

  /** Returns how many Keys are issued, see {@link ISSUED}. */
  async issued(queries: Queries): Promise<number> {
    return queries.count(`select ${ISSUED}`);
  },

  /**
   * Returns the statement that writes the batch; the database applies the entries to the balances, or rejects them all.
   */
  write: (batch: Batch): Write => [write, valuesOf(batch)],

  /**
   * Returns the statement that also writes the events and responses, if the accounts have the given hashes; it affects
   * 0 rows if it wrote nothing.
   */
  writeAtOnce: (
    batch: Batch,
    { expected, outboxRows, responses }: WithBatch,
  ): [typeof writeAtOnce, unknown[]] => [
    writeAtOnce,
    [
      ...valuesOf(batch),
      textArray(expected.map(({ id }) => id)),
      byteaArray(expected.map(({ hash }) => hash)),
      textArray(outboxRows.map(({ event }) => event)),
      textArray(outboxRows.map(({ events }) => events)),
      textArray(responses.map(({ scope }) => scope)),
      textArray(responses.map(({ key }) => key)),
      byteaArray(responses.map(({ fingerprint }) => fingerprint)),
      textArray(responses.map(({ answer }) => answer)),
      responses.map(({ at }) => at),
    ],
  ],

  /** Creates an account unless it exists; returns whether it was created. */
  async insertAccount(
    queries: Queries,
    account: { id: ObjectId; kind: 'wallet' | 'hold'; userId: ObjectId },
    at: Date,
  ): Promise<boolean> {
    return (
      (await queries.execute(
        `insert into wallet.account (id, kind, user_id, created_at, updated_at) values ($1, $2, $3, $4, $4)
       on conflict do nothing returning id`,
        [account.id, account.kind, account.userId, at],
      )) > 0
    );
  },

  /** Ends a pending transaction. */
  async end(tx: Transaction, id: ObjectId, status: TransactionStatus, at: Date): Promise<void> {
    await tx.execute('update wallet.transaction set status = $2, processed_at = $3 where id = $1', [
      id,
      status,
      at,
    ]);
  },
};

const statesOf = (rows: AccountRow[]): Accounts =>
  new Map(rows.map((row) => [row.name, { ...row, received: BigInt(row.received) }]));

function valuesOf({ transactions, movements, at }: Batch): unknown[] {
  const entries = movements.flatMap(({ from, to, transactionId, type }) =>
    [from, to].map((entry): Entry & { transactionId: ObjectId; type: TransactionType } => ({
      ...entry,
      transactionId,
      type,
    })),
  );
  return [
    textArray(transactions.map(({ id }) => id)),
    textArray(transactions.map(({ type }) => type)),
    textArray(transactions.map(({ status }) => status)),
    textArray(transactions.map(({ fromUserId }) => fromUserId)),
    textArray(transactions.map(({ toUserId }) => toUserId)),
    bigintArray(transactions.map(({ amount }) => amount)),
    textArray(transactions.map(({ description }) => description)),
    textArray(transactions.map(({ metadata }) => metadata)),
    at,
    textArray(entries.map(({ accountId }) => accountId)),
    bigintArray(entries.map(({ seq }) => seq)),
    textArray(entries.map(({ transactionId }) => transactionId)),
    textArray(entries.map(({ type }) => type)),
    bigintArray(entries.map(({ amount }) => amount)),
    bigintArray(entries.map(({ balanceBefore }) => balanceBefore)),
    bigintArray(entries.map(({ balanceAfter }) => balanceAfter)),
    bigintArray(entries.map(({ received }) => received)),
    byteaArray(entries.map(({ hash }) => hash)),
  ];
}
