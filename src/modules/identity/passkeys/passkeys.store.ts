import type { Database } from '../../../kernel/database/database.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { User } from '../users/users.model.ts';
import { USER_COLUMNS } from '../users/users.store.ts';
import { MAX_PASSKEYS, type Passkey, type SigningPasskey, type Use } from './passkeys.model.ts';

const COLUMNS =
  'id, user_id, credential_id, public_key, counter, name, transports, backed_up, created_at, last_used_at';

const signer = statement<User & { passkeyId: ObjectId; publicKey: Buffer; counter: number }>(
  'identity.signer',
  `select ${USER_COLUMNS}, passkey_id, public_key, counter
   from identity.user join (
     select id as passkey_id, user_id, public_key, counter from identity.passkey where credential_id = $1
   ) passkey on user_id = id
   where deleted_at is null`,
);

/** A counter that does not rise belongs to a copy of the authenticator. */
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

export const passkeyStore = (database: Database) => ({
  /** Returns a member's passkeys, oldest first. */
  listOf: (userId: ObjectId, queries: Queries = database): Promise<Passkey[]> =>
    queries.all(
      `select ${COLUMNS} from identity.passkey where user_id = $1 order by id limit ${MAX_PASSKEYS}`,
      [userId],
    ),
  find: (id: ObjectId, userId: ObjectId): Promise<Passkey | undefined> =>
    database.first(`select ${COLUMNS} from identity.passkey where id = $1 and user_id = $2`, [id, userId]),
  /** Returns the passkey of a credential and whose it is; undefined if nobody has it. */
  async findSigner(credentialId: string): Promise<{ user: User; passkey: SigningPasskey } | undefined> {
    const row = await database.first(signer, [credentialId]);
    if (!row) return undefined;
    const { passkeyId: id, publicKey, counter, ...user } = row;
    return { user, passkey: { id, credentialId, publicKey, counter } };
  },
  /** Inserts a passkey; returns false if somebody has it already. */
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
  /** Records a use; returns false if the passkey is gone or its counter has not risen. The member must be locked. */
  use: async (tx: Transaction, { id, counter, backedUp }: Use, at: Date): Promise<boolean> =>
    (await tx.execute(markUsed, [id, counter, backedUp, at])) > 0,
});

export type PasskeyStore = ReturnType<typeof passkeyStore>;
