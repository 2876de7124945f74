import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { LedgerFault, Verification } from '../contract.ts';

/** Every invariant of the ledger, each with a query for its violations. */
const INVARIANTS: Record<string, string> = {
  'the entries of each transaction sum to zero': `
    select transaction_id as at from wallet.entry group by 1 having sum(amount) <> 0`,
  'each transaction has entries, all of its type and amount': `
    select id as at from wallet.transaction
    where not exists (select from wallet.entry where transaction_id = id)
    union all
    select transaction_id from wallet.entry left join wallet.transaction on id = transaction_id
    where id is null or abs(entry.amount) <> transaction.amount or entry.type <> transaction.type`,
  'what an account holds and has received is what its entries say': `
    select id as at from wallet.account left join wallet.entry on account_id = id
    group by id
    having balance <> coalesce(sum(amount), 0) or last_seq <> count(account_id)
      or account.received <> coalesce(sum(greatest(amount, 0)), 0)`,
  'before and after chain without a break or a gap': `
    select account_id || ' ' || seq as at from (
      select *,
        coalesce(lag(seq) over chain, 0) as previous_seq,
        coalesce(lag(balance_after) over chain, 0) as previous_balance,
        coalesce(lag(received) over chain, 0) as previous_received,
        lag(created_at) over chain as previous_at
      from wallet.entry window chain as (partition by account_id order by seq)
    ) link
    where seq <> previous_seq + 1 or balance_before <> previous_balance or balance_after <> balance_before + amount
      or received <> previous_received + greatest(amount, 0) or created_at < previous_at`,
  'running numbers of what is no transfer are what one counts': `
    select account_id || ' ' || seq as at from (
      select *, row_number() over (partition by account_id order by seq) as expected_other,
        row_number() over of_type as expected_number, sum(amount) over of_type as expected_sum
      from wallet.entry where type <> 'transfer' window of_type as (partition by account_id, type order by seq)
    ) numbered
    where (other_seq, type_seq, type_sum) is distinct from (expected_other, expected_number, expected_sum)
    union all
    select account_id || ' ' || seq from wallet.entry
    where type = 'transfer' and num_nonnulls(other_seq, type_seq, type_sum) > 0`,
  'history is as it was hashed': `
    select account_id || ' ' || seq as at from (
      select account_id, seq, entry.hash, wallet.entry_hash(
        coalesce(lag(entry.hash) over (partition by account_id order by seq), ''), entry,
        wallet.transaction_digest(transaction)) as expected
      from wallet.entry join wallet.transaction on id = transaction_id
    ) link where hash <> expected
    union all
    select id from wallet.account left join wallet.entry on account_id = id and seq = last_seq
    where account.hash <> coalesce(entry.hash, '')`,
  'only the source of Keys is below zero': `
    select id as at from wallet.account where balance < 0 and kind <> 'issued'`,
  'what is held is what pending withdrawals hold': `
    select coalesce(hold.user_id, pending.user_id) as at
    from (select user_id, balance from wallet.account where kind = 'hold') hold
    full join (
      select to_user_id as user_id, sum(amount) as amount from wallet.transaction
      where type = 'withdrawal' and status = 'pending' group by 1
    ) pending using (user_id)
    where coalesce(balance, 0) <> coalesce(amount, 0)`,
  'Keys in circulation are those funded less those withdrawn or refunded': `
    select 'in circulation' as at
    from (select coalesce(sum(balance), 0) as keys from wallet.account where kind in ('wallet', 'hold')) circulating,
      (select coalesce(sum(case
         when type = 'fund' then amount
         when type = 'withdrawal' and status = 'completed' then -amount
         else 0 end), 0) as keys from wallet.transaction) told,
      -- Refunds that take Keys back, and those that bring back what had been taken or paid out.
      (select coalesce(sum(amount), 0) as keys from wallet.entry join wallet.account on id = account_id
         where type = 'refund' and kind in ('issued', 'withdrawn')) refunded
    where circulating.keys <> told.keys - refunded.keys`,
  'all balances sum to zero': `
    select 'balances' as at from wallet.account having sum(balance) <> 0`,
  'each purchase is one funding of its Keys': `
    select checkout_id as at from wallet.purchase join wallet.transaction on id = transaction_id
    where type <> 'fund' or amount <> keys`,
  'what purchases gave back is what refunds of payments took, less what they brought back': `
    select 'purchases' as at
    from (select coalesce(sum(returned), 0) as keys from wallet.purchase) told,
      -- Members who delete their account may give Keys up, and administrators correct, which no purchase gave back.
      (select coalesce(sum(entry.amount), 0) as keys
         from wallet.entry join wallet.account on account.id = account_id
           join wallet.transaction on transaction.id = transaction_id
         where entry.type = 'refund' and account.kind = 'issued' and metadata ->> 'forfeited' is null
           and metadata ->> 'correction' is null) refunded
    where told.keys <> refunded.keys`,
  'each reversal moves back what its transaction moved, less what was short': `
    select r.transaction_id as at from wallet.reversal r
      join wallet.transaction original on original.id = r.transaction_id
      join wallet.transaction counter on counter.id = r.counter_id
    where counter.amount + r.short <> original.amount
      or (counter.from_user_id, counter.to_user_id) is distinct from (original.to_user_id, original.from_user_id)`,
};

const SHOWN = 5;
const HEADS_AT_ONCE = 10_000;

const heads = statement<{ id: ObjectId; hash: Buffer }>(
  'wallet.heads',
  'select id, hash from wallet.account where id > $1 order by id limit $2',
);

async function headOf(queries: Queries): Promise<string> {
  const hash = createHash('sha256');
  for (let after = ''; ; ) {
    const rows = await queries.all(heads, [after, HEADS_AT_ONCE]);
    for (const row of rows) hash.update(`${row.id} ${row.hash.toString('hex')}\n`);
    if (rows.length < HEADS_AT_ONCE) return hash.digest('hex');
    after = (rows.at(-1) as { id: ObjectId }).id;
  }
}

/** Returns the size and the head of the ledger in a snapshot. */
export const ledgerStateIn = async (
  queries: Queries,
): Promise<Pick<Verification, 'entries' | 'transactions' | 'head'>> => ({
  entries: await queries.count('select count(*) from wallet.entry'),
  transactions: await queries.count('select count(*) from wallet.transaction'),
  head: await headOf(queries),
});

/** Checks a snapshot of the whole ledger. PostgreSQL does the work; memory use does not grow with the ledger. */
export async function verifyLedger(database: Database): Promise<Verification> {
  const verify = async (queries: Queries): Promise<Verification> => {
    const faults: LedgerFault[] = [];
    for (const [invariant, query] of Object.entries(INVARIANTS)) {
      const rows = await queries.all<{ at: unknown }>(`${query} limit ${SHOWN}`);
      if (rows.length > 0) faults.push({ invariant, at: rows.map(({ at }) => String(at)) });
    }
    const figures = await queries.first<Omit<Verification, 'head' | 'faults'>>(
      `select (select count(*) from wallet.entry) as entries, (select count(*) from wallet.transaction) as transactions,
         (select coalesce(sum(balance), 0)::bigint from wallet.account where kind in ('wallet', 'hold')) as in_circulation`,
    );
    return { ...(figures as Omit<Verification, 'head' | 'faults'>), head: await headOf(queries), faults };
  };
  return database.snapshot(verify, { onReplica: true });
}

export const verificationStore = (database: Database) => ({
  async insert(id: ObjectId, verification: Verification, at: Date): Promise<void> {
    const { entries, transactions, inCirculation, head, faults } = verification;
    await database.insert('wallet.verification', {
      id,
      entries,
      transactions,
      inCirculation,
      head,
      faults: JSON.stringify(faults),
      verifiedAt: at,
    });
  },
  /** Returns the result of the latest verification. */
  async latest(): Promise<(Verification & { at: Date }) | undefined> {
    return database.first<Verification & { at: Date }>(
      `select entries, transactions, in_circulation, head, faults, verified_at as at
       from wallet.verification order by id desc limit 1`,
    );
  },
  /** Returns the number of invariants that the latest verification found violated, and its time. */
  async last(): Promise<{ faults: number; at: Date } | undefined> {
    return database.first<{ faults: number; at: Date }>(
      'select jsonb_array_length(faults) as faults, verified_at as at from wallet.verification order by id desc limit 1',
    );
  },
});
