import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { shared } from '../../../kernel/concurrency/lazy.ts';
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
const RETIRE_AFTER_MS = 3_600_000;

/** Minimum interval between loads for unknown ids of keys, which anybody may send. */
const ASK_AGAIN_MS = 1_000;

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
  /** The ids of all keys that are or were ours. */
  let all = new Set<string>();
  let current: SigningKey | undefined;
  let loadedMs = Number.NEGATIVE_INFINITY;

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
    const [activeKeys, retired] = await Promise.all([store.active(), store.retired()]);
    const own = (await Promise.all(activeKeys.map(openOwn))).filter((key) => key !== undefined);
    for (const kid of foreign.keys()) if (!activeKeys.some((key) => key.kid === kid)) foreign.delete(kid);
    const keys = verifyingAt(clock.now(), own);
    opened = new Map(keys.map((key) => [key.kid, key]));
    all = new Set([...retired, ...own.map(({ kid }) => kid)]);
    current = keys[0];
    loadedMs = clock.elapsedMs();
  }

  /** Loads the keys once for all tokens that wait, of which there may be hundreds after a restart. */
  const loadTogether = shared(load);

  const isOlderThan = (ms: number): boolean => clock.elapsedMs() - loadedMs > ms;

  return {
    open,
    load,
    loadTogether,
    /** Loads the keys for an id that is not known, a second after the last load: another process may just have made it. */
    askAgain: shared(async () => {
      if (!isOlderThan(ASK_AGAIN_MS)) await sleep(ASK_AGAIN_MS);
      await loadTogether();
    }),
    /** Whether the keys were loaded longer ago than this. */
    isOlderThan,
    /** The key that signs. */
    current: (): SigningKey | undefined => current,
    find: (kid: string): SigningKey | undefined => opened.get(kid),
    /** Whether a key is one of ours, also if its tokens are no longer valid. */
    knows: (kid: string): boolean => all.has(kid) || foreign.has(kid),
    /** Returns why this process cannot decrypt a key, if it cannot. */
    foreign: foreign as ReadonlyMap<string, Error>,
  };
}

/** Returns the keys, newest first, whose tokens may still be valid: the others have had a successor for too long. */
export const verifyingAt = <Key extends { createdAt: Date }>(nowMs: number, keys: Key[]): Key[] =>
  keys.filter((_, place) => {
    const next = keys[place - 1];
    return !next || next.createdAt.getTime() > nowMs - RETIRE_AFTER_MS;
  });
