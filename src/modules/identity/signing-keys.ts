import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Database } from '../../kernel/database/database.ts';
import type { NewId } from '../../kernel/ids.ts';
import { sealer } from '../../kernel/secrets.ts';
import type { Clock } from '../../kernel/time.ts';

export const SIGNING_ALGORITHM = 'EdDSA';

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

/** Longer than any token lives. */
const RETIRE_AFTER_MS = 3_600_000;

interface SigningKeyDeps {
  database: Database;
  clock: Clock;
  newId: NewId;
  secretKey: string;
}

interface Row {
  kid: string;
  sealed: Buffer;
}

/** How long a process may go on with a key that another has replaced or retired. */
const REFRESH_AFTER_MS = 60_000;
/** How soon it asks again for a key it does not know, which another may just have made. */
const ASK_AGAIN_MS = 1_000;

/**
 * The key pairs that sign tokens (Ed25519), kept sealed in the database, known to every process by `kid`. The
 * newest signs; older ones still verify, so that a rotation ends no session.
 */
export function signingKeys({ database, clock, newId, secretKey }: SigningKeyDeps) {
  const seal = sealer(secretKey, 'identity.signing-key');
  let known = new Map<string, SigningKey>();
  let current: SigningKey | undefined;
  let loadedMs = Number.NEGATIVE_INFINITY;

  async function open({ kid, sealed }: Row): Promise<SigningKey> {
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
        'SECRET_KEY does not open the signing keys of this database: it was another one before',
        { cause },
      );
    }
  }

  async function load(): Promise<void> {
    const rows = await database.all(
      'select kid, sealed from identity.signing_key where retired_at is null order by created_at desc, kid desc',
    );
    const keys = await Promise.all((rows as unknown as Row[]).map(open));
    known = new Map(keys.map((key) => [key.kid, key]));
    current = keys[0];
    loadedMs = clock.now();
  }

  /** Makes a key; the first only if there is none, for another process may have been faster. */
  async function create(isFirst: boolean): Promise<string> {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)));
    const kid = newId();
    await database.transaction(async (tx) => {
      await tx.execute('lock table identity.signing_key in exclusive mode');
      const rows = await tx.all(
        'select kid from identity.signing_key where retired_at is null order by created_at desc',
      );
      if (isFirst && rows.length > 0) return;
      const now = new Date(clock.now());
      await tx.execute('insert into identity.signing_key (kid, sealed, created_at) values ($1, $2, $3)', [
        kid,
        sealed,
        now,
      ]);
      // The key that signed until now still verifies; what those before it signed may have expired.
      await tx.execute(
        'update identity.signing_key set retired_at = $1 where retired_at is null and created_at < $2 and kid <> all($3)',
        [now, new Date(clock.now() - RETIRE_AFTER_MS), [kid, rows[0]?.kid ?? kid]],
      );
    });
    return kid;
  }

  return {
    /** The key that signs now; made on first use. */
    async signing(): Promise<SigningKey> {
      if (clock.now() - loadedMs > REFRESH_AFTER_MS || !current) await load();
      if (!current) {
        await create(true);
        await load();
      }
      return current as unknown as SigningKey;
    },
    /** Makes a new key that signs from now on, in other processes within a minute; answers its id. */
    async rotate(): Promise<string> {
      const kid = await create(false);
      await load();
      return kid;
    },
    /** The key of this id, if there is one that still verifies. */
    async verifying(kid: string | undefined): Promise<CryptoKey | undefined> {
      if (kid === undefined) return undefined;
      const ageMs = clock.now() - loadedMs;
      if (ageMs > REFRESH_AFTER_MS || (!known.has(kid) && ageMs > ASK_AGAIN_MS)) await load();
      return known.get(kid)?.publicKey;
    },
  };
}

export type SigningKeys = ReturnType<typeof signingKeys>;
