import { type Config, databaseAccessOf, developmentFile } from '../app/config.ts';
import { isValidAt } from '../gateway/keys/api-keys.model.ts';
import { apiKeyStore } from '../gateway/keys/api-keys.store.ts';
import { openDatabase } from '../kernel/database/database.ts';
import { digestOf } from '../kernel/secrets.ts';
import { systemClock } from '../kernel/time/time.ts';
import { developmentCredentials, KEY_NAMES, renewKeys } from './development-credentials.ts';
import { operatorOutput } from './progress.ts';

/**
 * Gives a development installation new keys in place of those of its file that were revoked or have expired, so that what a
 * start prints works. Call it before the credentials are read.
 */
export async function renewEndedKeys(config: Config, url: string): Promise<void> {
  const file = developmentFile(config);
  const access = databaseAccessOf(config);
  const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined, ...access });
  try {
    // Of several processes that start at once the later ones find the keys of the first.
    await database.transaction(async (tx) => {
      await tx.lock('cli.development-keys');
      const credentials = developmentCredentials(file);
      const digests = KEY_NAMES.map((name) => digestOf(credentials[name]));
      const stored = await apiKeyStore(database).findAll(digests);
      const ended = KEY_NAMES.filter((_name, place) => {
        const key = stored[place];
        return key !== undefined && !isValidAt(key, systemClock.now());
      });
      if (ended.length === 0) return;
      renewKeys(file, ended);
      const told =
        ended.length === 1
          ? `${ended[0]} was revoked or has expired; ${file} has a new one.`
          : `${ended.join(' and ')} were revoked or have expired; ${file} has new ones.`;
      operatorOutput(config)(told, 'warn');
    });
  } finally {
    await database.close();
  }
}
