import type { Database } from './database/database.ts';
import type { SealedColumn } from './records/sealed-columns.ts';
import { ForeignSecret, type SecretKeys, type Secrets, secretsOf } from './secrets.ts';

/** The sealed column of the lasting key itself. */
export const sealedLastingKey = (secrets: Secrets): SealedColumn => ({
  table: 'kernel.lasting_key',
  key: 'only_one',
  column: 'sealed',
  sealer: secrets.sealer('kernel.lasting-key'),
});

/**
 * Opens the secrets of an installation. The first process stores the SECRET_KEY in use, sealed with itself, as the one
 * that lasting keys are derived from.
 * @param keyInUse returns the key that the database was used with before there were lasting keys
 * @throws ForeignSecret if none of the keys opens the stored one
 */
export async function openSecrets(
  database: Database,
  secretKeys: SecretKeys,
  keyInUse: () => Promise<string>,
): Promise<Secrets> {
  const { sealer } = sealedLastingKey(secretsOf(secretKeys));
  const stored = () => database.first<{ sealed: Buffer }>('select sealed from kernel.lasting_key');
  let found = await stored();
  if (!found) {
    const sealed = sealer.seal(await keyInUse());
    await database.execute('insert into kernel.lasting_key (sealed) values ($1) on conflict do nothing', [
      sealed,
    ]);
    // Another process may have been faster.
    found = (await stored()) ?? { sealed };
  }
  try {
    return secretsOf(secretKeys, sealer.open(found.sealed));
  } catch (cause) {
    throw new ForeignSecret(cause);
  }
}
