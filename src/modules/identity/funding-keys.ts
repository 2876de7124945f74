import { Type } from 'typebox';
import type { Actor, Audit } from '../../kernel/audit.ts';
import type { Database } from '../../kernel/database/database.ts';
import { failure } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { digestOf, newSecret } from '../../kernel/secrets.ts';
import { type Clock, MINUTE_MS } from '../../kernel/time.ts';

export const invalidFundingKey = failure(400, 'INVALID_FUNDING_KEY', 'Invalid, used or expired funding key');

const LIFETIME_MS = 10 * MINUTE_MS;

export const FundingKeyShape = Type.String({ minLength: 1, maxLength: 200, examples: ['q3Zl0l7s...'] });

interface FundingKeyDeps {
  database: Database;
  audit: Audit;
  clock: Clock;
}

/** One-time secrets of ten minutes that an administrator issues for a user, stored as a hash. */
export function fundingKeyRules({ database, audit, clock }: FundingKeyDeps) {
  return {
    /** Issues a key; one that the user had before is good no more. The user must exist. */
    issue: (
      userId: ObjectId,
      adminId: ObjectId,
      actor: Actor,
    ): Promise<{ fundingKey: string; expiresAt: Date }> =>
      database.transaction(async (tx) => {
        const fundingKey = newSecret();
        const expiresAt = new Date(clock.now() + LIFETIME_MS);
        await tx.execute('delete from identity.funding_key where user_id = $1', [userId]);
        await tx.execute(
          `insert into identity.funding_key (digest, user_id, issued_by, created_at, expires_at)
           values ($1, $2, $3, $4, $5)`,
          [digestOf(fundingKey), userId, adminId, new Date(clock.now()), expiresAt],
        );
        await audit.record(tx, { ...actor, action: 'funding-key.issued', target: userId });
        return { fundingKey, expiresAt };
      }),
    /** Spends a key of this user. @throws invalidFundingKey also for another user's */
    async spend(userId: ObjectId, fundingKey: string): Promise<void> {
      const changed = await database.execute(
        `update identity.funding_key set used_at = $3
         where digest = $1 and user_id = $2 and used_at is null and expires_at > $3 returning 1`,
        [digestOf(fundingKey), userId, new Date(clock.now())],
      );
      if (changed === 0) throw invalidFundingKey();
    },
  };
}

export type FundingKeys = ReturnType<typeof fundingKeyRules>;
