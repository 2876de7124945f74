import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { ForeignSecret, type Sealer } from '../../../kernel/secrets.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { SealedKey } from './signing-keys.model.ts';
import type { SigningKeyStore } from './signing-keys.store.ts';

export const SIGNING_ALGORITHM = 'EdDSA';

export interface SigningKey {
  kid: string;
  createdAt: Date;
  privateKey: KeyObject;
  publicKey: CryptoKey;
}

/** Longer than the lifetime of any token. */
export const RETIRE_AFTER_MS = 3_600_000;

export interface KeyRingDeps {
  store: SigningKeyStore;
  clock: Clock;
  /** Seals private keys. */
  sealer: Sealer;
  /** Called once for each key that this process cannot decrypt. */
  onForeign?: (error: Error, kid: string) => void;
}

/** The signing keys as this process last loaded them from the database. */
export function keyRing({ store, clock, sealer, onForeign = () => undefined }: KeyRingDeps) {
  let opened = new Map<string, SigningKey>();
  /** Keys that another process created with a different SECRET_KEY after this one started. */
  const foreign = new Map<string, Error>();
  let current: SigningKey | undefined;
  let loadedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function open({ kid, sealed, createdAt }: SealedKey): Promise<SigningKey> {
    const found = opened.get(kid);
    if (found) return found;
    const jwk = JSON.parse(openSealed(sealed)) as JWK;
    const { d: _private, ...publicPart } = jwk;
    return {
      kid,
      createdAt,
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
    const own = (await Promise.all(activeKeys.map(openOwn))).filter((key) => key !== undefined);
    for (const kid of foreign.keys()) if (!activeKeys.some((key) => key.kid === kid)) foreign.delete(kid);
    const keys = verifyingAt(clock.now(), own);
    opened = new Map(keys.map((key) => [key.kid, key]));
    current = keys[0];
    loadedMs = clock.now();
  }

  return {
    open,
    load,
    /** Shares one load among the waiting tokens, of which there may be hundreds after a restart. */
    loadTogether(): Promise<void> {
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },
    /** Whether the keys were loaded longer ago than this, or before the clock was set back. */
    isOlderThan(ms: number): boolean {
      const ageMs = clock.now() - loadedMs;
      return ageMs > ms || ageMs < 0;
    },
    /** The key that signs. */
    current: (): SigningKey | undefined => current,
    find: (kid: string): SigningKey | undefined => opened.get(kid),
    /** Returns why this process cannot decrypt a key, if it cannot. */
    foreign: foreign as ReadonlyMap<string, Error>,
  };
}

/** Returns the keys, newest first, whose tokens may still be valid: the others have had a successor for too long. */
const verifyingAt = (nowMs: number, keys: SigningKey[]): SigningKey[] =>
  keys.filter((_, place) => {
    const next = keys[place - 1];
    return !next || next.createdAt.getTime() > nowMs - RETIRE_AFTER_MS;
  });
