import type { Database } from '../../kernel/database/database.ts';
import type { Events } from '../../kernel/events.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Module } from '../../kernel/module.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time.ts';
import { accessTokens } from './access-tokens.ts';
import { passwordHasher } from './passwords.ts';
import { sessionStore } from './sessions.store.ts';
import { sessionRules } from './sessions.ts';
import { signInOperations } from './sign-in.operations.ts';
import { signingKeys } from './signing-keys.ts';
import { type User, userStore } from './users.store.ts';
import { canonicalEmail, type NewUser, userRules } from './users.ts';

interface IdentityNeeds {
  database: Database;
  events: Events;
  clock: Clock;
  newId: NewId;
  settings: { environment: string; secretKey: string; reuseLeewaySeconds: number };
}

export interface Identity {
  /** The member behind an access token, as of now. Throws 401. */
  authenticate(accessToken: string): Promise<UserCaller>;
  exists(userId: ObjectId): Promise<boolean>;
  /** Makes an administrator with this e-mail, unless the account exists. */
  ensureAdministrator(account: NewUser): Promise<{ userId: ObjectId; isNew: boolean }>;
}

/** Identity: accounts, passwords, sessions and tokens. Owns the database schema `identity`. */
export function identityModule({
  database,
  events,
  clock,
  newId,
  settings,
}: IdentityNeeds): Module<Identity> {
  const store = userStore(database);
  const keys = signingKeys({ database, clock, newId, secretKey: settings.secretKey });
  const tokens = accessTokens({ keys, clock, environment: settings.environment });
  const { reuseLeewaySeconds } = settings;
  const sessions = sessionRules({
    store: sessionStore(database),
    tokens,
    database,
    clock,
    newId,
    reuseLeewaySeconds,
  });
  const users = userRules({ store, hasher: passwordHasher(), database, events, clock, newId });

  return {
    name: 'identity',
    door: {
      authenticate: sessions.authenticate,
      exists: async (userId) => (await store.existing([userId])).length > 0,
      ensureAdministrator: async (account) => {
        const known = await store.findByEmail(canonicalEmail(account.email));
        if (known) return { userId: known.id, isNew: false };
        const created = await users.create(
          { ...account, permissions: ['admin'] },
          async (_tx, user: User) => user,
        );
        return { userId: created.id, isNew: true };
      },
    },
    operations: signInOperations({ users, sessions, store, database }),
    migrations: new URL('./migrations/', import.meta.url),
  };
}
