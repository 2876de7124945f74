// Loads little, so that `start` can have PostgreSQL start while it loads the platform.
import type { Logger } from 'pino';
import type { Config } from '../app/config.ts';
import { type Cluster, runningClusterUrl, startCluster } from '../embedded-postgres/cluster.ts';
import { AlreadyRunning, lockFolder } from '../embedded-postgres/instance-lock.ts';
import { embeddedFolder, makeDataFolder } from './data-folder.ts';

const DATABASE = 'platform';

/** The URL of the database, and how to release it. */
export interface DatabaseHold {
  url: string;
  release: () => Promise<void>;
  /** Releases the database immediately, when there is no time left. */
  abandon?: () => void;
}

/**
 * Returns the database of DATABASE_URL, or the embedded one, starting it if necessary.
 * @param onStart called before the embedded one is started
 * @throws AlreadyRunning when another process holds the embedded one, unless `shared`
 */
export async function holdDatabase(
  config: Config,
  log: Logger,
  shared: boolean,
  onStart: () => void = () => undefined,
): Promise<DatabaseHold> {
  makeDataFolder(config);
  if (config.databaseUrl) return { url: config.databaseUrl, release: async () => undefined };
  let unlock: () => Promise<void>;
  try {
    unlock = await lockFolder(config.dataDir);
  } catch (error) {
    const url =
      shared && error instanceof AlreadyRunning && runningClusterUrl(embeddedFolder(config), DATABASE);
    if (!url) throw error;
    return { url, release: async () => undefined };
  }
  let cluster: Cluster;
  try {
    onStart();
    cluster = await startCluster({
      folder: embeddedFolder(config),
      onUnexpectedExit: (code) => log.error({ code }, 'the embedded PostgreSQL exited; restarting it'),
    });
    await cluster.createDatabase(DATABASE);
  } catch (error) {
    await unlock();
    throw error;
  }
  return {
    url: cluster.urlOf(DATABASE),
    release: async () => {
      await cluster.stop();
      await unlock();
    },
    abandon: cluster.abandon,
  };
}
