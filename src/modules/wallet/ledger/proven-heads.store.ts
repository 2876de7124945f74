import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

/** The newest entry of an account. */
export interface Head {
  accountId: ObjectId;
  seq: number;
  balance: number;
  received: number;
  hash: Buffer;
  /** Whether a verification has found everything up to it sound. */
  isProven: boolean;
}

const HEADS_AT_ONCE = 10_000;

const heads = statement<Head>(
  'wallet.heads',
  `select a.id as "accountId", a.last_seq as seq, a.balance, a.received, a.hash,
     a.last_seq = coalesce(h.seq, 0) as "isProven"
   from wallet.account a left join wallet.proven_head h on h.account_id = a.id
   where a.id > $1 order by a.id limit $2`,
);

/** Yields the heads of all accounts in the order of their ids, some thousand at a time. */
export async function* headsIn(queries: Queries): AsyncGenerator<Head[]> {
  for (let after = ''; ; ) {
    const rows = await queries.all(heads, [after, HEADS_AT_ONCE]);
    if (rows.length > 0) yield rows;
    if (rows.length < HEADS_AT_ONCE) return;
    after = (rows.at(-1) as Head).accountId;
  }
}

const note = statement<never>(
  'wallet.note-heads',
  `insert into wallet.read_head (verification_id, account_id, seq, balance, received, hash)
   select $1, account_id, seq, balance, received, decode(hash, 'hex')
   from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
     as n (account_id, seq, balance, received, hash)
   on conflict (verification_id, account_id) do update
     set seq = excluded.seq, balance = excluded.balance, received = excluded.received, hash = excluded.hash`,
);

export const provenHeadStore = {
  /** Notes heads that a verification has read; they are not proven yet. */
  async note(database: Database, verificationId: ObjectId, read: Head[]): Promise<void> {
    const rows = read.map((head) => ({ ...head, hash: head.hash.toString('hex') }));
    await database.execute(note, [
      verificationId,
      ...columnsOf(rows, 'accountId', 'seq', 'balance', 'received', 'hash'),
    ]);
  },

  /** Makes the noted heads proven, all at once. An older verification that ends later changes nothing. */
  async prove(tx: Transaction, verificationId: ObjectId): Promise<void> {
    await tx.execute(
      `insert into wallet.proven_head as known (account_id, seq, balance, received, hash)
       select account_id, seq, balance, received, hash from wallet.read_head where verification_id = $1 order by account_id
       on conflict (account_id) do update
         set seq = excluded.seq, balance = excluded.balance, received = excluded.received, hash = excluded.hash
         where known.seq < excluded.seq`,
      [verificationId],
    );
  },

  /** Deletes what a verification has noted, and what those noted that began before an id and never ended. */
  async forgetNotes(tx: Transaction, verificationId: ObjectId, lostBefore: ObjectId): Promise<void> {
    await tx.execute('delete from wallet.read_head where verification_id = $1 or verification_id < $2', [
      verificationId,
      lostBefore,
    ]);
  },
};
