import pg from 'pg';

const ENTRIES = 1_000_000;

/**
 * Gives a member's wallet a history of a million transactions, bypassing the ledger: a tenth are fundings, a few are
 * withdrawals. The hashes are invalid, so that the ledger cannot be verified.
 */
export async function giveMillion(databaseUrl: string, userId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const { rows } = await client.query(
    'select id, last_seq, balance, received, updated_at from wallet.account where name = $1',
    [`wallet:${userId}`],
  );
  const { id, last_seq: seq, balance, received } = rows[0];
  const type = "case when i % 10 = 0 then 'fund' when i % 1000 = 1 then 'withdrawal' else 'transfer' end";
  await client.query(
    `insert into wallet.transaction (id, type, status, from_user_id, to_user_id, amount, created_at, processed_at)
     select 'e' || lpad(to_hex(i), 23, '0'), ${type}, 'completed', null, $1, 1, now() - (${ENTRIES} - i) * interval '1 second', now()
     from generate_series(1, ${ENTRIES}) i`,
    [userId],
  );
  await client.query(
    `with made as (
       select i, type, case when type <> 'transfer' then row_number() over (partition by type = 'transfer' order by i) end as other,
         case when type <> 'transfer' then row_number() over (partition by type order by i) end as of_type
       from (select i, ${type} as type from generate_series(1, ${ENTRIES}) i) typed
     ),
     -- The running numbers of what the account has already.
     others as (select coalesce(max(other_seq), 0) as upto from wallet.entry where account_id = $1),
     types as (
       select kind, coalesce(max(type_seq), 0) as upto, coalesce(max(type_sum), 0) as sum
       from unnest('{fund,withdrawal,transfer}'::text[]) as kind
       left join wallet.entry on account_id = $1 and type = kind group by kind
     )
     insert into wallet.entry
       (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at,
        other_seq, type_seq, type_sum)
     select $1, $2::bigint + i, 'e' || lpad(to_hex(i), 23, '0'), type, 1, $3::bigint + i - 1, $3::bigint + i,
       $4::bigint + i, sha256(''), now() - (${ENTRIES} - i) * interval '1 second',
       others.upto + other, types.upto + of_type, types.sum + of_type
     from made cross join others join types on kind = type order by i`,
    [id, seq, balance, received],
  );
  await client.query(
    `update wallet.account set last_seq = last_seq + ${ENTRIES}, balance = balance + ${ENTRIES},
       received = received + ${ENTRIES}, updated_at = now() where id = $1`,
    [id],
  );
  await client.query('vacuum analyze wallet.entry, wallet.transaction, wallet.account');
  await client.end();
}
