import type { Database } from '../../../kernel/database/database.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Actor, Audit } from '../../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../../kernel/records/idempotency.ts';
import { digestOf, newSecret } from '../../../kernel/secrets.ts';
import { type Clock, MINUTE_MS } from '../../../kernel/time/time.ts';
import { lockWithActor } from '../accounts/locking.ts';
import type { UserStore } from '../users/users.store.ts';
import type { FundingKeyStore } from './funding-keys.store.ts';

export const invalidFundingKey = failure(400, 'INVALID_FUNDING_KEY', 'Invalid, used or expired funding key');

export const FUNDING_KEY_MS = 10 * MINUTE_MS;

interface FundingKeyDeps {
  database: Database;
  store: FundingKeyStore;
  audit: Audit;
  clock: Clock;
  users: Pick<UserStore, 'lock'>;
}

/** One-time secrets, valid for ten minutes, that an administrator issues for a user; stored as a hash. */
export function fundingKeyRules({ database, store, users, audit, clock }: FundingKeyDeps) {
  return {
    /** Issues a key and invalidates the user's previous one. @throws those of {@link lockWithActor} */
    issue: (
      userId: ObjectId,
      adminId: ObjectId,
      actor: Actor,
      idempotency = notIdempotent,
    ): Promise<{ fundingKey: string; expiresAt: Date }> =>
      database.transaction(async (tx) => {
        await lockWithActor(users, tx, { userId, actor: actor.actor });
        const fundingKey = newSecret();
        const expiresAt = new Date(clock.now() + FUNDING_KEY_MS);
        await store.replace(tx, {
          digest: digestOf(fundingKey),
          userId,
          issuedBy: adminId,
          createdAt: clock.date(),
          expiresAt,
        });
        await audit.record(tx, { ...actor, action: 'funding-key.issued', target: userId });
        return answered(tx, { idempotency }, { fundingKey, expiresAt });
      }),
    /** Spends a key of this user. @throws invalidFundingKey also for another user's key */
    async spend(userId: ObjectId, fundingKey: string): Promise<void> {
      if (!(await store.spend(digestOf(fundingKey), userId, clock.date()))) throw invalidFundingKey();
    },
  };
}

export type FundingKeys = ReturnType<typeof fundingKeyRules>;
