import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ResetState } from './password-resets.model.ts';

export const passwordResetStore = {
  /** Returns the state of this e-mail, locked. Locks the e-mail even if it has no state. */
  async lock(tx: Transaction, email: string): Promise<ResetState | undefined> {
    await tx.lock('identity.password-reset', email);
    return tx.first<ResetState>(
      `select email, user_id, password_version, requested_at, day::text, requests_on_day, code_digest, expires_at,
         wrong_tries
       from identity.password_reset where email = $1`,
      [email],
    );
  },
  /** Starts a request, bound to the current password of the e-mail's owner; its code follows later. */
  async begin(
    tx: Transaction,
    state: Pick<ResetState, 'email' | 'requestedAt' | 'day' | 'requestsOnDay' | 'expiresAt'>,
  ): Promise<void> {
    await tx.execute(
      `insert into identity.password_reset
         (email, requested_at, day, requests_on_day, expires_at, user_id, password_version)
       select $1, $2, $3, $4, $5, owner.id, owner.password_version
       from (select) one left join identity.user owner on owner.email = $1 and owner.deleted_at is null
       on conflict (email) do update set requested_at = $2, day = $3, requests_on_day = $4, expires_at = $5,
         user_id = excluded.user_id, password_version = excluded.password_version, code_digest = null, wrong_tries = 0`,
      [state.email, state.requestedAt, state.day, state.requestsOnDay, state.expiresAt],
    );
  },
  async setCode(
    tx: Transaction,
    email: string,
    { codeDigest, wrongTries }: Pick<ResetState, 'codeDigest' | 'wrongTries'>,
  ): Promise<void> {
    await tx.execute(
      'update identity.password_reset set code_digest = $2, wrong_tries = $3 where email = $1',
      [email, codeDigest, wrongTries],
    );
  },
};
