import type { Database } from '../../src/kernel/database/database.ts';

/** Every invariant of the ledger, each as a query for what breaks it. */
const INVARIANTS: Record<string, string> = {
  'entries of each transaction sum to zero': `
    select transaction_id from wallet.entry group by 1 having sum(amount) <> 0`,
  'each transaction has entries': `
    select id from wallet.transaction where not exists (select from wallet.entry where transaction_id = transaction.id)`,
  'balances equal the sum of entries': `
    select id from wallet.account left join wallet.entry on account_id = id
    group by id having balance <> coalesce(sum(amount), 0) or last_seq <> count(account_id)`,
  'before and after chain without a break or a gap': `
    select account_id from (
      select account_id, seq, balance_before, created_at,
        coalesce(lag(seq) over chain, 0) as previous_seq,
        coalesce(lag(balance_after) over chain, 0) as previous_balance,
        lag(created_at) over chain as previous_at
      from wallet.entry window chain as (partition by account_id order by seq)
    ) link where seq <> previous_seq + 1 or balance_before <> previous_balance or created_at < previous_at`,
  'no account but the source is negative': `
    select id from wallet.account where balance < 0 and kind <> 'issued'`,
  'all balances sum to zero': 'select sum(balance) from wallet.account having sum(balance) <> 0',
};

/** The names of the invariants that do not hold. */
export async function ledgerFaults(database: Database): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, query] of Object.entries(INVARIANTS)) {
    const { rows } = await database.sql(query);
    if (rows.length > 0) broken.push(name);
  }
  return broken;
}
