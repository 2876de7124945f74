import type { Database } from '../../../kernel/database/database.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Verification } from './email-verification.model.ts';

const COLUMNS = 'user_id, email, code_digest, wrong_tries, token_digest, expires_at, requested_at';
/** A later link has ended nothing yet. */
const READ = `${COLUMNS}, ended_by is not distinct from token_digest as has_ended_access`;

/** SQL of the codes and links that verify e-mail addresses. */
export const verificationStore = (database: Database) => ({
  find: (userId: ObjectId, queries: Queries = database): Promise<Verification | undefined> =>
    queries.first<Verification>(`select ${READ} from identity.email_verification where user_id = $1`, [
      userId,
    ]),
  /** Finds by any of these digests of a token. */
  findByToken: (digests: Buffer[], queries: Queries = database): Promise<Verification | undefined> =>
    queries.first<Verification>(
      `select ${READ} from identity.email_verification where token_digest = any($1)`,
      [digests],
    ),
  /** Locks a member until the transaction ends, and returns them; undefined if they were deleted. */
  keepAsIs: (tx: Transaction, userId: ObjectId): Promise<{ emailVerified: boolean } | undefined> =>
    tx.first('select email_verified from identity.user where id = $1 and deleted_at is null for share', [
      userId,
    ]),
  /** Stores a new code and link in place of the earlier ones. */
  async put(tx: Transaction, one: Omit<Verification, 'hasEndedAccess'>): Promise<void> {
    await tx.execute(
      `insert into identity.email_verification (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (user_id) do update set email = $2, code_digest = $3, wrong_tries = $4, token_digest = $5,
         expires_at = $6, requested_at = $7`,
      [
        one.userId,
        one.email,
        one.codeDigest,
        one.wrongTries,
        one.tokenDigest,
        one.expiresAt,
        one.requestedAt,
      ],
    );
  },
  /**
   * Marks the address of a member as verified.
   * @param isProof whether whoever signed up has shown that the address is theirs, rather than its reader that it is read
   */
  async mark(tx: Transaction, userId: ObjectId, isProof: boolean): Promise<void> {
    await tx.execute(
      `update identity.user set email_verified = true, email_unproven = email_unproven and not $2
       where id = $1 and (not email_verified or email_unproven and $2)`,
      [userId, isProof],
    );
  },
  /** Notes that the follower of the member's link has ended the access of whoever signed up. */
  async noteEnding(tx: Transaction, userId: ObjectId): Promise<void> {
    await tx.execute('update identity.email_verification set ended_by = token_digest where user_id = $1', [
      userId,
    ]);
  },
  /**
   * Removes the verified mark of the member with this canonical address, if there is one. Voids the mailed code and
   * link, too: they would set the mark again, although they prove nothing about the address since.
   */
  async clear(tx: Transaction, email: string, at: Date): Promise<void> {
    await tx.execute(
      `with cleared as (
         update identity.user set email_verified = false
         where email = $1 and email_verified and deleted_at is null returning id)
       update identity.email_verification set expires_at = least(expires_at, $2)
       where user_id in (select id from cleared)`,
      [email, at],
    );
  },
});

export type VerificationStore = ReturnType<typeof verificationStore>;
