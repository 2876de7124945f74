import type { Database } from '../../kernel/database/database.ts';
import type { SealedColumn } from '../../kernel/records/sealed-columns.ts';
import { ForeignSecret, type SecretKeys, type Secrets, secretsOf } from '../../kernel/secrets.ts';
import { signingKeyStore } from './keys/signing-keys.store.ts';

/** What is sealed in the tables of this module. */
export const sealers = (secrets: Secrets) => ({
  signingKeys: secrets.sealer('identity.signing-key'),
  authenticators: secrets.sealer('identity.authenticator'),
});

export const sealedColumns = (secrets: Secrets): SealedColumn[] => [
  {
    table: 'identity.signing_key',
    key: 'kid',
    column: 'sealed',
    where: 'retired_at is null',
    sealer: sealers(secrets).signingKeys,
  },
  {
    table: 'identity.authenticator',
    key: 'user_id',
    column: 'sealed',
    sealer: sealers(secrets).authenticators,
  },
];

/**
 * Returns the one of these keys with which the newest signing key was sealed; the first one if there is none yet.
 * @throws ForeignSecret if it was sealed with another one
 */
export async function keyInUse(database: Database, secretKeys: SecretKeys): Promise<string> {
  const [newest] = await signingKeyStore(database).active();
  if (!newest) return secretKeys[0];
  const found = secretKeys.find((key) => sealers(secretsOf([key])).signingKeys.isCurrent(newest.sealed));
  if (found === undefined) throw new ForeignSecret();
  return found;
}
