import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { User } from '../users/users.model.ts';
import { USER_COLUMNS } from '../users/users.store.ts';
import {
  MAX_PASSKEYS,
  type Passkey,
  type PresentedSignature,
  type Signer,
  type Use,
} from './passkeys.model.ts';

type PresentedRow = User & { jti: string; passkeyId: ObjectId; publicKey: Buffer; counter: number };

const COLUMNS =
  'id, user_id, credential_id, public_key, counter, name, transports, backed_up, created_at, last_used_at';

/**
 * The parameters are read in subqueries, which hide their lengths from the planner: otherwise PostgreSQL plans
 * every execution anew. The order keeps two statements that spend the same challenges from waiting for each other.
 * The statement does not wait until its writes are on the disk: a sign-in commits after it, and so never survives
 * without it. If PostgreSQL crashes before, the sign-in has not happened, and the response may be sent again.
 */
const present = statement<PresentedRow>(
  'identity.present-signatures',
  `with presented as (
     select * from unnest((select $1::text[]), (select $2::timestamptz[]), (select $3::text[]))
       as presented (jti, expires_at, credential_id)),
   spent as (
     insert into identity.spent_token (jti, expires_at) select jti, expires_at from presented order by jti
     on conflict do nothing returning jti)
   select presented.jti, passkey_id, public_key, counter, ${USER_COLUMNS}
   from (select set_config('synchronous_commit', 'off', true)) as quickly, presented
   join spent on spent.jti = presented.jti
   join (
     select id as passkey_id, user_id, credential_id, public_key, counter from identity.passkey
   ) passkey on passkey.credential_id = presented.credential_id
   join identity.user on id = user_id
   where deleted_at is null`,
);

/** A counter that does not rise indicates a copy of the authenticator. */
const markUsed = statement<never>(
  'identity.use-passkey',
  `update identity.passkey set counter = $2, backed_up = $3, last_used_at = $4
   where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1`,
);

const PROPERTIES = [
  'id',
  'userId',
  'credentialId',
  'publicKey',
  'counter',
  'name',
  'transports',
  'backedUp',
  'createdAt',
] as const;

function signerOf(
  { jti: _, passkeyId: id, publicKey, counter, ...user }: PresentedRow,
  credentialId: string,
): Signer {
  return { user, passkey: { id, credentialId, publicKey, counter } };
}

export const passkeyStore = (database: Database) => ({
  /** Returns a member's passkeys, oldest first. */
  listOf: (userId: ObjectId, queries: Queries = database): Promise<Passkey[]> =>
    queries.all(
      `select ${COLUMNS} from identity.passkey where user_id = $1 order by id limit ${MAX_PASSKEYS}`,
      [userId],
    ),
  find: (id: ObjectId, userId: ObjectId): Promise<Passkey | undefined> =>
    database.first(`select ${COLUMNS} from identity.passkey where id = $1 and user_id = $2`, [id, userId]),
  /**
   * Spends the challenges of signatures, each of which must occur once. Returns, for each, the passkey that is
   * named as its signer, with the owner; undefined if the challenge was already spent or no member has that
   * passkey.
   */
  async present(signatures: PresentedSignature[]): Promise<(Signer | undefined)[]> {
    const rows = await database.all(present, [
      signatures.map(({ jti }) => jti),
      signatures.map(({ expiresAt }) => expiresAt),
      signatures.map(({ credentialId }) => credentialId),
    ]);
    const found = new Map(rows.map((row) => [row.jti, row]));
    return signatures.map(({ jti, credentialId }) => {
      const row = found.get(jti);
      return row && signerOf(row, credentialId);
    });
  },
  /** Inserts a passkey; returns false if a member already has it. */
  insert: async (tx: Transaction, passkey: Passkey): Promise<boolean> =>
    (await tx.insert('identity.passkey', passkey, PROPERTIES, 'on conflict (credential_id) do nothing')) > 0,
  rename: async (id: ObjectId, name: string): Promise<void> => {
    await database.execute('update identity.passkey set name = $2 where id = $1', [id, name]);
  },
  /** Returns whether there was one. */
  delete: async (tx: Transaction, id: ObjectId, userId: ObjectId): Promise<boolean> =>
    (await tx.execute('delete from identity.passkey where id = $1 and user_id = $2 returning 1', [
      id,
      userId,
    ])) > 0,
  /**
   * Records a use; returns false if the passkey no longer exists or its counter has not risen. The member must be
   * locked.
   */
  use: async (tx: Transaction, { id, counter, backedUp }: Use, at: Date): Promise<boolean> =>
    (await tx.execute(markUsed, [id, counter, backedUp, at])) > 0,
});

export type PasskeyStore = ReturnType<typeof passkeyStore>;
