import type { Database } from '../../../kernel/database/database.ts';
import { statement } from '../../../kernel/database/queries.ts';

const spend = statement<never>(
  'identity.spend-token',
  'insert into identity.spent_token (jti, expires_at) values ($1, $2) on conflict do nothing',
);

/** Stores spent single-use tokens until they expire. */
export const spentTokenStore = (database: Database) => ({
  /** Spends a token, and returns whether it was unspent. */
  spend: async (jti: string, expiresAt: Date): Promise<boolean> =>
    (await database.execute(spend, [jti, expiresAt])) > 0,
});

export type SpentTokenStore = ReturnType<typeof spentTokenStore>;
