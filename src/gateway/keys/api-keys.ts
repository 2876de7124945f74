import { batching } from '../../kernel/concurrency/batching.ts';
import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { failure, notFound, serviceUnavailable } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Actor, Audit } from '../../kernel/records/audit.ts';
import { digestOf, newSecret } from '../../kernel/secrets.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Tier } from '../limits/tiers.model.ts';
import type { StoredKey } from './api-keys.model.ts';
import { apiKeyStore } from './api-keys.store.ts';

export const invalidApiKey = failure(401, 'INVALID_API_KEY', 'Invalid API key');
export const apiKeyRequired = failure(401, 'API_KEY_REQUIRED', 'API key is required');

interface ApiKeyDeps {
  database: Database;
  audit: Audit;
  clock: Clock;
  newId: NewId;
  environment: 'development' | 'production';
}

interface NewKey {
  name: string;
  tier: Tier;
}

/** Longer keys are rejected without a lookup; no real key is longer. */
const KEY_MAX_LENGTH = 256;
const REMEMBER_MS = 1_000;
const MAX_REMEMBERED = 10_000;

const OWN_FORMAT = /^pk_[a-z]+_([0-9a-f]{24})_/;

/** Manages the API keys of this environment: `pk_<environment>_<id>_<secret>`, stored only as a hash. */
export function apiKeys({ database, audit, clock, newId, environment }: ApiKeyDeps) {
  const store = apiKeyStore(database);
  const load = batching<Buffer, StoredKey | undefined>(store.findAll, {
    maxSize: 500,
    concurrency: 2,
    maxQueued: 10_000,
    onOverflow: serviceUnavailable,
  });

  const validKeys = recentlyUsed<string, { key: StoredKey; seenMs: number }>(MAX_REMEMBERED);
  let revocations = 0;

  async function insert(key: string, { name, tier }: NewKey, actor: Actor, id = newId()): Promise<StoredKey> {
    const row = { id, name, tier, environment, createdAt: new Date(clock.now()), revokedAt: null };
    await database.transaction(async (tx) => {
      await store.insert(tx, { ...row, digest: digestOf(key) });
      const details = { name, tier };
      await audit.record(tx, { ...actor, action: 'api-key.created', target: id, targetName: name, details });
    });
    return row;
  }

  return {
    /**
     * Returns the active key of this environment. A valid key is cached for one second: a revocation takes effect at
     * once in the process that made it, and within that second in every other.
     * @throws invalidApiKey when it is unknown, revoked, or of another environment
     */
    async identify(key: string): Promise<StoredKey> {
      if (key.length > KEY_MAX_LENGTH) throw invalidApiKey();
      const remembered = validKeys.get(key);
      if (remembered && clock.now() - remembered.seenMs < REMEMBER_MS) return remembered.key;
      const seenMs = clock.now();
      const generation = revocations;
      const found = await load(digestOf(key));
      if (!found || found.revokedAt !== null || found.environment !== environment) {
        validKeys.delete(key);
        throw invalidApiKey();
      }
      // A key may have been revoked during the lookup, perhaps this one; then it is not cached.
      if (generation === revocations) validKeys.set(key, { key: found, seenMs });
      return found;
    },
    /** Creates a key; its text is returned only here. */
    async create(draft: NewKey, actor: Actor): Promise<StoredKey & { key: string }> {
      const id = newId();
      const key = `pk_${environment}_${id}_${newSecret()}`;
      return { ...(await insert(key, draft, actor, id)), key };
    },
    /** Stores the given text as a key, unless it exists. */
    async install(key: string, draft: NewKey, actor: Actor): Promise<void> {
      const [stored] = await store.findAll([digestOf(key)]);
      if (stored) return;
      await insert(key, draft, actor, OWN_FORMAT.exec(key)?.[1]).catch((error) => {
        // Another process, starting at the same time, may have installed it first.
        if (!isDuplicate(error)) throw error;
      });
    },
    list: (page: PageRequest): Promise<Page<StoredKey>> => store.pageOf(page),
    /** Revokes a key, effective from the next request. Idempotent. */
    async revoke(id: ObjectId, actor: Actor): Promise<StoredKey> {
      const key = await database.transaction(async (tx) => {
        const revoked = await store.revoke(tx, id, new Date(clock.now()));
        if (!revoked) throw notFound('API key')();
        await audit.record(tx, { ...actor, action: 'api-key.revoked', target: id, targetName: revoked.name });
        return revoked;
      });
      revocations++;
      validKeys.clear();
      return key;
    },
  };
}

export type ApiKeys = ReturnType<typeof apiKeys>;
