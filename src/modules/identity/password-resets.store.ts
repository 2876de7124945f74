import type { Transaction } from '../../kernel/database/queries.ts';

export interface ResetState {
  email: string;
  requestedAt: Date;
  /** The UTC day that `requestsOnDay` counts. */
  day: string;
  requestsOnDay: number;
  codeDigest: Buffer | null;
  expiresAt: Date;
  wrongTries: number;
}

export const passwordResetStore = {
  /** The state of this e-mail, locked. A lock is taken for an e-mail without a state too. */
  async lock(tx: Transaction, email: string): Promise<ResetState | undefined> {
    await tx.sql("select pg_advisory_xact_lock(hashtext('identity.password-reset'), hashtext($1))", [email]);
    const { rows } = await tx.sql(
      `select email, requested_at as "requestedAt", day::text, requests_on_day as "requestsOnDay",
         code_digest as "codeDigest", expires_at as "expiresAt", wrong_tries as "wrongTries"
       from identity.password_reset where email = $1`,
      [email],
    );
    return rows[0] as unknown as ResetState | undefined;
  },
  async put(tx: Transaction, state: ResetState): Promise<void> {
    await tx.sql(
      `insert into identity.password_reset
         (email, requested_at, day, requests_on_day, code_digest, expires_at, wrong_tries)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (email) do update set requested_at = $2, day = $3, requests_on_day = $4, code_digest = $5,
         expires_at = $6, wrong_tries = $7`,
      [
        state.email,
        state.requestedAt,
        state.day,
        state.requestsOnDay,
        state.codeDigest,
        state.expiresAt,
        state.wrongTries,
      ],
    );
  },
};
