import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../../kernel/database/database.ts';
import type { NewId } from '../../kernel/ids.ts';
import { sealer } from '../../kernel/secrets.ts';
import type { Clock } from '../../kernel/time.ts';
import type { SealedKey, SigningKeyStore } from './signing-keys.store.ts';

export const SIGNING_ALGORITHM = 'EdDSA';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Longer than the lifetime of any token. */
const RETIRE_AFTER_MS = 3_600_000;

interface SigningKeyDeps {
  database: Database;
  store: SigningKeyStore;
  clock: Clock;
  newId: NewId;
  secretKey: string;
}

/** For how long a process may use a key that another process has replaced or retired. */
const REFRESH_AFTER_MS = 60_000;
/** How soon an unknown key id triggers another load; another process may have just created it. */
const ASK_AGAIN_MS = 1_000;

/**
 * The key pairs that sign tokens (Ed25519), stored sealed in the database and identified by `kid`. The newest signs;
 * older ones still verify, so that a rotation ends no session.
 */
export function signingKeys({ database, store, clock, newId, secretKey }: SigningKeyDeps) {
  const seal = sealer(secretKey, 'identity.signing-key');
  let known = new Map<string, SigningKey>();
  let current: SigningKey | undefined;
  let loadedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function open({ kid, sealed }: SealedKey): Promise<SigningKey> {
    const found = known.get(kid);
    if (found) return found;
    const jwk = JSON.parse(openSealed(sealed)) as JWK;
    const { d: _private, ...publicPart } = jwk;
    return {
      kid,
      privateKey: (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey,
      publicKey: (await importJWK(publicPart, SIGNING_ALGORITHM)) as CryptoKey,
    };
  }

  function openSealed(sealed: Buffer): string {
    try {
      return seal.open(sealed);
    } catch (cause) {
      throw new Error(
        'SECRET_KEY cannot decrypt the signing keys of this database; they were encrypted with another one',
        { cause },
      );
    }
  }

  async function load(): Promise<void> {
    const keys = await Promise.all((await store.living()).map(open));
    known = new Map(keys.map((key) => [key.kid, key]));
    current = keys[0];
    loadedMs = clock.now();
  }

  /** Shares one load among the tokens that wait for it, of which there may be hundreds after a restart. */
  function loadTogether(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  /** Creates a key. If `isFirst`, does nothing when a key exists, as another process may have been faster. */
  async function create(isFirst: boolean): Promise<string> {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)));
    const kid = newId();
    await database.transaction(async (tx) => {
      await store.lock(tx);
      const living = await store.living(tx);
      if (isFirst && living.length > 0) return;
      const now = clock.date();
      await store.insert(tx, { kid, sealed }, now);
      // The previous signing key still verifies; tokens of the keys before it may have expired.
      const signedUntilNow = living[0]?.kid ?? kid;
      await store.retire(tx, new Date(clock.now() - RETIRE_AFTER_MS), [kid, signedUntilNow], now);
    });
    return kid;
  }

  return {
    /** Returns the current signing key; creates it on first use. */
    async signing(): Promise<SigningKey> {
      if (clock.now() - loadedMs > REFRESH_AFTER_MS || !current) await load();
      if (!current) {
        await create(true);
        await load();
      }
      if (!current) throw new Error('no key that signs could be made');
      return current;
    },
    /** Creates a new signing key, which other processes use within a minute; returns its id. */
    async rotate(): Promise<string> {
      const kid = await create(false);
      await load();
      return kid;
    },
    /** Returns the key with this id, unless it is unknown or retired. */
    async verifying(kid: string | undefined): Promise<CryptoKey | undefined> {
      if (kid === undefined) return undefined;
      const ageMs = clock.now() - loadedMs;
      if (ageMs > REFRESH_AFTER_MS || (!known.has(kid) && ageMs > ASK_AGAIN_MS)) await loadTogether();
      return known.get(kid)?.publicKey;
    },
  };
}

export type SigningKeys = ReturnType<typeof signingKeys>;
