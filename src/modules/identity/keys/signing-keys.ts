import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../../../kernel/database/database.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { ForeignSecret, type Sealer } from '../../../kernel/secrets.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { SealedKey } from './signing-keys.model.ts';
import type { SigningKeyStore } from './signing-keys.store.ts';

export const SIGNING_ALGORITHM = 'EdDSA';

interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: CryptoKey;
}

/** Longer than the lifetime of any token. */
const RETIRE_AFTER_MS = 3_600_000;

interface SigningKeyDeps {
  database: Database;
  store: SigningKeyStore;
  clock: Clock;
  newId: NewId;
  /** Seals private keys. */
  sealer: Sealer;
  /** Called once for each key that this process cannot decrypt. */
  onForeign?: (error: Error, kid: string) => void;
}

/** How long a process may use a key after another process has replaced or retired it. */
const REFRESH_AFTER_MS = 60_000;
/** Minimum interval between loads for unknown key ids, which another process may have just created. */
const ASK_AGAIN_MS = 1_000;

/**
 * The key pairs that sign tokens (Ed25519), stored sealed in the database and identified by `kid`. The newest signs;
 * older ones still verify, so that a rotation ends no session.
 */
export function signingKeys({
  database,
  store,
  clock,
  newId,
  sealer,
  onForeign = () => undefined,
}: SigningKeyDeps) {
  let opened = new Map<string, SigningKey>();
  /** Keys that another process created with a different SECRET_KEY after this one started. */
  const foreign = new Map<string, Error>();
  let current: SigningKey | undefined;
  let loadedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function open({ kid, sealed }: SealedKey): Promise<SigningKey> {
    const found = opened.get(kid);
    if (found) return found;
    const jwk = JSON.parse(openSealed(sealed)) as JWK;
    const { d: _private, ...publicPart } = jwk;
    return {
      kid,
      privateKey: createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' }),
      publicKey: (await importJWK(publicPart, SIGNING_ALGORITHM)) as CryptoKey,
    };
  }

  function openSealed(sealed: Buffer): string {
    try {
      return sealer.open(sealed);
    } catch (cause) {
      throw new ForeignSecret(cause);
    }
  }

  /** Decrypts a key; returns undefined if it is foreign. */
  async function openOwn(key: SealedKey): Promise<SigningKey | undefined> {
    try {
      return await open(key);
    } catch (error) {
      if (!(error instanceof ForeignSecret)) throw error;
      if (!foreign.has(key.kid)) onForeign(error, key.kid);
      foreign.set(key.kid, error);
      return undefined;
    }
  }

  /** Loads the keys. If a foreign key appears, this process continues to sign with a key that it can decrypt. */
  async function load(): Promise<void> {
    const activeKeys = await store.active();
    const keys = (await Promise.all(activeKeys.map(openOwn))).filter((key) => key !== undefined);
    for (const kid of foreign.keys()) if (!activeKeys.some((key) => key.kid === kid)) foreign.delete(kid);
    opened = new Map(keys.map((key) => [key.kid, key]));
    current = keys[0];
    loadedMs = clock.now();
  }

  /** Shares one load among the waiting tokens, of which there may be hundreds after a restart. */
  function loadTogether(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  /** Creates a key. With `isFirst`, does nothing if a key exists, because another process was faster. */
  async function create(isFirst: boolean): Promise<string> {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const sealed = sealer.seal(JSON.stringify(await exportJWK(privateKey)));
    const kid = newId();
    await database.transaction(async (tx) => {
      await store.lock(tx);
      const activeKeys = await store.active(tx);
      // A key created with a different SECRET_KEY would be useless to all other processes.
      await Promise.all(activeKeys.map(open));
      if (isFirst && activeKeys.length > 0) return;
      const now = clock.date();
      await store.insert(tx, { kid, sealed }, now);
      // The previous signing key still verifies; tokens of the keys before it may have expired.
      const signedUntilNow = activeKeys[0]?.kid ?? kid;
      await store.retire(tx, new Date(clock.now() - RETIRE_AFTER_MS), [kid, signedUntilNow], now);
    });
    return kid;
  }

  /** Returns the current signing key; creates it on first use. */
  async function signing(maxAgeMs = REFRESH_AFTER_MS): Promise<SigningKey> {
    if (clock.now() - loadedMs > maxAgeMs || !current) await loadTogether();
    if (!current) {
      await create(true);
      await load();
    }
    if (!current) throw new Error('no signing key could be created');
    return current;
  }

  return {
    signing: () => signing(),
    /** Returns the current signing key, unless it has to be loaded first. */
    signingNow: (): SigningKey | undefined =>
      clock.now() - loadedMs > REFRESH_AFTER_MS ? undefined : current,
    /** Loads the keys if {@link signing} would soon have to, for which a transaction has no second connection. */
    async prepare(): Promise<void> {
      await signing(REFRESH_AFTER_MS / 2);
    },
    /**
     * Checks that this process can decrypt all keys, and creates the first one.
     * @throws ForeignSecret
     */
    async check(): Promise<void> {
      await signing();
      for (const error of foreign.values()) throw error;
    },
    /** Whether there are keys that this process cannot decrypt, so that it cannot verify their tokens. */
    hasForeign: (): boolean => foreign.size > 0,
    /**
     * Creates a new signing key, which other processes use within a minute; returns its id.
     * @throws ForeignSecret
     */
    async rotate(): Promise<string> {
      const kid = await create(false);
      await load();
      return kid;
    },
    /**
     * Returns the key with this id; undefined if it is unknown or retired.
     * @throws 503 if this process cannot decrypt it, because its tokens are valid in other processes
     */
    async verifying(kid: string | undefined): Promise<CryptoKey | undefined> {
      if (kid === undefined) return undefined;
      const ageMs = clock.now() - loadedMs;
      if (ageMs > REFRESH_AFTER_MS || (!opened.has(kid) && ageMs > ASK_AGAIN_MS)) await loadTogether();
      if (foreign.has(kid)) throw serviceUnavailable(foreign.get(kid));
      return opened.get(kid)?.publicKey;
    },
  };
}

export type SigningKeys = ReturnType<typeof signingKeys>;
