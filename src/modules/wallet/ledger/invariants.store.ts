/** Every invariant of the ledger, each with a query for its violations in the whole ledger. */
export const INVARIANTS: Record<string, string> = {
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
  'history up to the last proof is as it was proven': `
    select h.account_id as at from wallet.proven_head h
      left join wallet.entry e on e.account_id = h.account_id and e.seq = h.seq
    where e.hash is distinct from h.hash or (e.balance_after, e.received) is distinct from (h.balance, h.received)`,
};

/** Accounts with entries beyond their proven heads, and these entries. Each account is a short step in an index. */
const FRESH = `changed as materialized (
    select a.id, coalesce(h.seq, 0) as from_seq, coalesce(h.balance, 0) as from_balance,
      coalesce(h.received, 0) as from_received, coalesce(h.hash, '') as from_hash
    from wallet.account a left join wallet.proven_head h on h.account_id = a.id
    where a.last_seq > coalesce(h.seq, 0)),
  fresh as materialized (
    select c.from_seq, c.from_balance, c.from_received, c.from_hash, e.*
    from changed c cross join lateral (
      select * from wallet.entry where account_id = c.id and seq > c.from_seq offset 0) e)`;

/** The number of the entry's predecessor among those that are no transfers, and of its type, before the proven head. */
const NUMBERS_BEFORE = `
  left join lateral (
    select other_seq from wallet.entry where account_id = f.account_id and type <> 'transfer' and seq <= f.from_seq
    order by seq desc limit 1) others on true
  left join lateral (
    select type_seq, type_sum from wallet.entry
    where account_id = f.account_id and type <> 'transfer' and type = f.type and seq <= f.from_seq
    order by seq desc limit 1) same on true`;

/**
 * The invariants of what is beyond the proven heads, and those that cost little. They find what was changed in newer
 * entries, and accounts that differ from their entries; what was changed in older entries is found in the whole ledger.
 */
export const FRESH_INVARIANTS: Record<string, string> = {
  'the entries of each transaction sum to zero': `
    with ${FRESH} select transaction_id as at from fresh group by 1 having sum(amount) <> 0`,
  'each transaction has entries, all of its type and amount': `
    with ${FRESH} select f.transaction_id as at from fresh f left join wallet.transaction t on t.id = f.transaction_id
    where t.id is null or abs(f.amount) <> t.amount or f.type <> t.type`,
  'what an account holds and has received is what its entries say': `
    with ${FRESH}, sums as (
      select account_id, count(*) as entries, sum(amount) as amount, sum(greatest(amount, 0)) as received
      from fresh group by 1)
    select a.id as at from wallet.account a left join wallet.proven_head h on h.account_id = a.id
      left join sums s on s.account_id = a.id
    where a.last_seq <> coalesce(h.seq, 0) + coalesce(s.entries, 0)
      or a.balance <> coalesce(h.balance, 0) + coalesce(s.amount, 0)
      or a.received <> coalesce(h.received, 0) + coalesce(s.received, 0)
      or (s.account_id is null and a.hash <> coalesce(h.hash, ''))
    union all
    select account_id from wallet.proven_head where not exists (select from wallet.account where id = account_id)`,
  'before and after chain without a break or a gap': `
    with ${FRESH} select account_id || ' ' || seq as at from (
      select *,
        coalesce(lag(seq) over chain, from_seq) as previous_seq,
        coalesce(lag(balance_after) over chain, from_balance) as previous_balance,
        coalesce(lag(received) over chain, from_received) as previous_received,
        lag(created_at) over chain as previous_at
      from fresh window chain as (partition by account_id order by seq)
    ) link
    where seq <> previous_seq + 1 or balance_before <> previous_balance or balance_after <> balance_before + amount
      or received <> previous_received + greatest(amount, 0) or created_at < previous_at`,
  'running numbers of what is no transfer are what one counts': `
    with ${FRESH}, numbered as (
      select *, row_number() over (partition by account_id order by seq) as nth_other,
        row_number() over of_type as nth, sum(amount) over of_type as sum_of_type
      from fresh where type <> 'transfer' window of_type as (partition by account_id, type order by seq))
    select f.account_id || ' ' || f.seq as at from numbered f ${NUMBERS_BEFORE}
    where (f.other_seq, f.type_seq, f.type_sum) is distinct from (coalesce(others.other_seq, 0) + f.nth_other,
      coalesce(same.type_seq, 0) + f.nth, coalesce(same.type_sum, 0) + f.sum_of_type)
    union all
    select account_id || ' ' || seq from fresh
    where type = 'transfer' and num_nonnulls(other_seq, type_seq, type_sum) > 0`,
  'history is as it was hashed': `
    with ${FRESH}, link as (
      select f.account_id, f.seq, e.hash,
        wallet.entry_hash(coalesce(lag(f.hash) over (partition by f.account_id order by f.seq), f.from_hash), e,
          wallet.transaction_digest(t)) as expected
      from fresh f join wallet.entry e on e.account_id = f.account_id and e.seq = f.seq
        join wallet.transaction t on t.id = f.transaction_id)
    select account_id || ' ' || seq as at from link where hash <> expected
    union all
    select c.id from changed c join wallet.account a on a.id = c.id
      left join wallet.entry e on e.account_id = a.id and e.seq = a.last_seq
    where a.hash is distinct from e.hash`,
  'history up to the last proof is as it was proven': `
    with ${FRESH} select c.id as at from changed c left join wallet.entry e on e.account_id = c.id and e.seq = c.from_seq
    where c.from_seq > 0 and e.hash is distinct from c.from_hash`,
  ...Object.fromEntries(
    [
      'only the source of Keys is below zero',
      'what is held is what pending withdrawals hold',
      'all balances sum to zero',
    ].map((name) => [name, INVARIANTS[name] as string]),
  ),
};

/** The number of transactions beyond the proven heads. */
export const FRESH_TRANSACTIONS = `with ${FRESH} select count(distinct transaction_id) from fresh`;
