import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import type { Database } from '../../../kernel/database/database.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { type KeyRingDeps, keyRing, SIGNING_ALGORITHM, type SigningKey, verifyingAt } from './key-ring.ts';

interface SigningKeyDeps extends KeyRingDeps {
  database: Database;
  newId: NewId;
}

/** How long a process may use a key after another process has replaced or retired it. */
const REFRESH_AFTER_MS = 60_000;

/**
 * The key pairs that sign tokens (Ed25519), stored sealed in the database and identified by `kid`. The newest signs;
 * older ones verify until their tokens have expired, so that a rotation ends no session.
 */
export function signingKeys({ database, newId, ...ringDeps }: SigningKeyDeps) {
  const { store, clock, sealer } = ringDeps;
  const ring = keyRing(ringDeps);

  /**
   * Creates a key. With `isFirst`, does nothing if a key exists, because another process was faster; with `isLeaked`,
   * tokens of all former keys become invalid.
   */
  async function create({ isFirst = false, isLeaked = false }): Promise<string> {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const sealed = sealer.seal(JSON.stringify(await exportJWK(privateKey)));
    const kid = newId();
    await database.transaction(async (tx) => {
      await store.lock(tx);
      const activeKeys = await store.active(tx);
      // A key created with a different SECRET_KEY would be useless to all other processes.
      await Promise.all(activeKeys.map(ring.open));
      if (isFirst && activeKeys.length > 0) return;
      const now = clock.date();
      const [newest] = activeKeys;
      // The newest key signs, also after the clock was set back.
      const createdAt = new Date(Math.max(now.getTime(), (newest?.createdAt.getTime() ?? 0) + 1));
      await store.insert(tx, { kid, sealed, createdAt });
      const kept = isLeaked ? [] : verifyingAt(now.getTime(), [{ kid, createdAt }, ...activeKeys]);
      await store.retire(tx, [kid, ...kept.map((key) => key.kid)], now);
    });
    return kid;
  }

  /** Returns the current signing key; creates it on first use. */
  async function signing(maxAgeMs = REFRESH_AFTER_MS): Promise<SigningKey> {
    if (ring.isOlderThan(maxAgeMs) || !ring.current()) await ring.loadTogether();
    if (!ring.current()) {
      await create({ isFirst: true });
      await ring.load();
    }
    const current = ring.current();
    if (!current) throw new Error('no signing key could be created');
    return current;
  }

  return {
    signing: () => signing(),
    /** Returns the current signing key, unless it has to be loaded first. */
    signingNow: (): SigningKey | undefined =>
      ring.isOlderThan(REFRESH_AFTER_MS) ? undefined : ring.current(),
    /**
     * Loads the keys if {@link signing} would soon have to, for which a transaction has no second connection, or if they were
     * loaded longer than `maxAgeMs` ago.
     */
    async prepare(maxAgeMs = REFRESH_AFTER_MS / 2): Promise<void> {
      await signing(maxAgeMs);
    },
    /**
     * Checks that this process can decrypt all keys, and creates the first one.
     * @throws ForeignSecret
     */
    async check(): Promise<void> {
      await signing();
      for (const error of ring.foreign.values()) throw error;
    },
    /** Returns those of these ids whose keys have ended, so that tokens signed with them are no longer valid. */
    async ended(kids: Iterable<string>): Promise<Set<string>> {
      if (ring.isOlderThan(REFRESH_AFTER_MS)) await ring.loadTogether();
      return new Set([...kids].filter((kid) => !ring.find(kid) && !ring.foreign.has(kid)));
    },
    /** Whether there are keys that this process cannot decrypt, so that it cannot verify their tokens. */
    hasForeign: (): boolean => ring.foreign.size > 0,
    /**
     * Creates a new signing key, which other processes use within a minute; returns its id. Tokens of the former one stay
     * valid, for an hour at most, unless it has leaked.
     * @throws ForeignSecret
     */
    async rotate({ isLeaked = false } = {}): Promise<string> {
      const kid = await create({ isLeaked });
      await ring.load();
      return kid;
    },
    /**
     * Returns the key with this id; `former` if its tokens are no longer valid, and undefined if it is unknown.
     * @throws 503 if this process cannot decrypt it, because its tokens are valid in other processes
     */
    async verifying(kid: string | undefined): Promise<CryptoKey | 'former' | undefined> {
      if (kid === undefined) return undefined;
      if (ring.isOlderThan(REFRESH_AFTER_MS)) await ring.loadTogether();
      if (!ring.knows(kid)) await ring.askAgain();
      if (ring.foreign.has(kid)) throw serviceUnavailable(ring.foreign.get(kid));
      return ring.find(kid)?.publicKey ?? (ring.knows(kid) ? 'former' : undefined);
    },
  };
}

export type SigningKeys = ReturnType<typeof signingKeys>;
