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

interface SigningKeyNeeds {
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
export function signingKeys({ database, clock, newId, secretKey }: SigningKeyNeeds) {
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
    const { rows } = await database.sql(
      'select kid, sealed from identity.signing_key where retired_at is null order by created_at desc, kid desc',
    );
    const keys = await Promise.all((rows as unknown as Row[]).map(open));
    known = new Map(keys.map((key) => [key.kid, key]));
    current = keys[0];
    loadedMs = clock.now();
  }

  async function create(): Promise<void> {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)));
    await database.transaction(async (tx) => {
      await tx.sql('lock table identity.signing_key in exclusive mode');
      const { rows } = await tx.sql('select 1 from identity.signing_key where retired_at is null');
      if (rows.length > 0) return; // another process was first
      await tx.sql('insert into identity.signing_key (kid, sealed, created_at) values ($1, $2, $3)', [
        newId(),
        sealed,
        new Date(clock.now()),
      ]);
    });
  }

  return {
    /** The key that signs now; made on first use. */
    async signing(): Promise<SigningKey> {
      if (clock.now() - loadedMs > REFRESH_AFTER_MS || !current) await load();
      if (!current) {
        await create();
        await load();
      }
      return current as unknown as SigningKey;
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
