import { batching } from '../../kernel/concurrency/batching.ts';
import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import type { Database } from '../../kernel/database/database.ts';
import { isDuplicate } from '../../kernel/database/faults.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, notFound, serviceUnavailable } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Actor, type Audit, changesNothing, changesOf } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import { digestOf, newSecret } from '../../kernel/secrets.ts';
import { type Clock, HOUR_MS } from '../../kernel/time/time.ts';
import type { Tier } from '../limits/tiers.model.ts';
import { isValidAt, type StoredKey, type UsedKey } from './api-keys.model.ts';
import { apiKeyStore } from './api-keys.store.ts';
import { keyUsageStore } from './key-usage.store.ts';
import { keyUsage } from './key-usage.ts';

export const invalidApiKey = failure(401, 'INVALID_API_KEY', 'Invalid API key');
export const apiKeyNotFound = notFound('API key');
export const apiKeyNotActive = failure(
  409,
  'API_KEY_NOT_ACTIVE',
  'The key was revoked, has expired or was rolled already',
);
export const apiKeyRequired = failure(401, 'API_KEY_REQUIRED', 'API key is required');

interface ApiKeyDeps {
  database: Database;
  audit: Audit;
  clock: Clock;
  newId: NewId;
  environment: 'development' | 'production';
  onError: (error: Error) => void;
  mustStayAdministrator: MustStayAdministrator;
}

/**
 * Checks in a transaction that an administrator still is one, and keeps it so; a service passes.
 * @throws invalidToken, insufficientPermissions
 */
export type MustStayAdministrator = (tx: Transaction, actor: Actor) => Promise<void>;

interface NewKey {
  name: string;
  tier: Tier;
}

/** A key with its text, which is not stored. */
type IssuedKey = StoredKey & { key: string };

/** Longer keys are rejected without a lookup; no real key is longer. */
const KEY_MAX_LENGTH = 256;
const REMEMBER_MS = 1_000;
const MAX_REMEMBERED = 10_000;

const OWN_FORMAT = /^pk_[a-z]+_([0-9a-f]{24})_/;

/** Manages the API keys of this environment: `pk_<environment>_<id>_<secret>`, stored only as a hash. */
export function apiKeys(deps: ApiKeyDeps) {
  const { database, audit, clock, newId, environment, onError, mustStayAdministrator } = deps;
  const store = apiKeyStore(database);
  const usage = keyUsage({ store: keyUsageStore(database), clock, onError });
  const load = batching<Buffer, StoredKey | undefined>(store.findAll, {
    maxSize: 500,
    concurrency: 2,
    maxQueued: 10_000,
    onOverflow: serviceUnavailable,
  });

  const validKeys = recentlyUsed<string, { key: StoredKey; seenMs: number }>(MAX_REMEMBERED);
  let endings = 0;
  /** Forgets keys that were found valid; call it once a key has ended. */
  const forget = (): void => {
    endings++;
    validKeys.clear();
  };

  async function insertIn(
    tx: Transaction,
    key: string,
    { id, name, tier }: NewKey & { id: ObjectId },
    actor: Actor,
  ): Promise<StoredKey> {
    const ends = { revokedAt: null, expiresAt: null, replacedBy: null };
    const row = { id, name, tier, environment, createdAt: new Date(clock.now()), ...ends };
    await mustStayAdministrator(tx, actor);
    await store.insert(tx, { ...row, digest: digestOf(key) });
    const details = { name, tier };
    await audit.record(tx, { ...actor, action: 'api-key.created', target: id, targetName: name, details });
    return row;
  }

  const newKeyOf = (id: ObjectId): string => `pk_${environment}_${id}_${newSecret()}`;

  /** @throws apiKeyNotFound */
  async function lock(tx: Transaction, id: ObjectId): Promise<StoredKey> {
    const key = await store.lock(tx, id);
    if (!key) throw apiKeyNotFound();
    return key;
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
      const isFresh = remembered && clock.elapsedMs() - remembered.seenMs < REMEMBER_MS;
      if (isFresh && isValidAt(remembered.key, clock.now())) return remembered.key;
      const seenMs = clock.elapsedMs();
      const generation = endings;
      const found = await load(digestOf(key));
      if (!found || !isValidAt(found, clock.now()) || found.environment !== environment) {
        validKeys.delete(key);
        throw invalidApiKey();
      }
      // A key may have ended during the lookup, perhaps this one; then it is not cached.
      if (generation === endings) validKeys.set(key, { key: found, seenMs });
      return found;
    },
    /** Creates a key; its text is returned only here. */
    async create(draft: NewKey, actor: Actor, idempotency = notIdempotent): Promise<IssuedKey> {
      const id = newId();
      const key = newKeyOf(id);
      return database.transaction(async (tx) => {
        const created = await insertIn(tx, key, { ...draft, id }, actor);
        return answered(tx, { idempotency }, { ...created, key });
      });
    },
    /** Stores the given text as a key, unless it exists. */
    async install(key: string, draft: NewKey, actor: Actor): Promise<void> {
      const [stored] = await store.findAll([digestOf(key)]);
      if (stored) return;
      const id = OWN_FORMAT.exec(key)?.[1] ?? newId();
      await database
        .transaction((tx) => insertIn(tx, key, { ...draft, id }, actor))
        .catch((error) => {
          // Another process, starting at the same time, may have installed it first.
          if (!isDuplicate(error)) throw error;
        });
    },
    /** Counts a request with a key; `isRejected` if it exceeded a limit. */
    countUse: usage.count,
    /** Stores the counts that are still in memory. */
    flush: usage.flush,
    /** Stores them for the last time. */
    close: usage.close,
    /** Returns keys with today's use, including the use that other processes have stored so far. */
    async list(page: PageRequest): Promise<Page<UsedKey>> {
      await usage.flush();
      return store.pageOf(page, clock.date());
    },
    /** @throws apiKeyNotFound */
    async rename(id: ObjectId, name: string, actor: Actor): Promise<StoredKey> {
      const key = await database.transaction(async (tx) => {
        const before = await lock(tx, id);
        const changes = changesOf(before, { name });
        if (changesNothing(changes)) return before;
        await store.rename(tx, id, name);
        const entry = { action: 'api-key.renamed', target: id, targetName: name, changes };
        await audit.record(tx, { ...actor, ...entry });
        return { ...before, name };
      });
      forget();
      return key;
    },
    /**
     * Replaces a key by a new one, whose text is returned only here. The old one stays valid for the overlap.
     * @throws apiKeyNotFound, apiKeyNotActive
     */
    async roll(
      id: ObjectId,
      overlapHours: number,
      actor: Actor,
      idempotency = notIdempotent,
    ): Promise<IssuedKey & { replaces: ObjectId; previousExpiresAt: Date }> {
      const newKeyId = newId();
      const key = newKeyOf(newKeyId);
      const previousExpiresAt = new Date(clock.now() + overlapHours * HOUR_MS);
      const rolled = await database.transaction(async (tx) => {
        const { name, tier, ...before } = await lock(tx, id);
        if (!isValidAt(before, clock.now()) || before.replacedBy !== null) throw apiKeyNotActive();
        await store.replace(tx, id, newKeyId, previousExpiresAt);
        const details = { replacedBy: newKeyId, overlapHours };
        await audit.record(tx, { ...actor, action: 'api-key.rolled', target: id, targetName: name, details });
        const created = await insertIn(tx, key, { id: newKeyId, name, tier }, actor);
        return answered(tx, { idempotency }, { ...created, key, replaces: id, previousExpiresAt });
      });
      forget();
      return rolled;
    },
    /** Revokes a key, effective from the next request. Idempotent. */
    async revoke(id: ObjectId, actor: Actor): Promise<StoredKey> {
      const key = await database.transaction(async (tx) => {
        const before = await lock(tx, id);
        if (before.revokedAt !== null) return before;
        await store.revoke(tx, id, clock.date());
        await audit.record(tx, { ...actor, action: 'api-key.revoked', target: id, targetName: before.name });
        return lock(tx, id);
      });
      forget();
      return key;
    },
  };
}

export type ApiKeys = ReturnType<typeof apiKeys>;
