import { type Config, ConfigurationFault, developmentFile, type PlatformConfig } from '../app/config.ts';
import { createPlatform, type Platform } from '../app/platform.ts';
import { refuseToMakeDatabase } from './data-folder.ts';
import { type DevelopmentCredentials, developmentCredentials } from './development-credentials.ts';
import { holdDatabase } from './hold-database.ts';
import { newLog } from './log.ts';
import { ensureSchema } from './schema.ts';

/**
 * Returns the configuration with the defaults of development.
 * @param sandbox the settings for reaching the sandbox's external systems, if they run
 */
export function completeConfig(
  config: Config,
  databaseUrl: string,
  sandbox: Partial<PlatformConfig> = {},
): PlatformConfig & { credentials?: DevelopmentCredentials } {
  if (config.environment === 'production') {
    if (config.secretKey === undefined) throw new ConfigurationFault('SECRET_KEY is needed in production');
    return { ...config, databaseUrl, secretKey: config.secretKey };
  }
  const credentials = developmentCredentials(developmentFile(config));
  return {
    ...config,
    databaseUrl,
    secretKey: config.secretKey ?? credentials.secretKey,
    gateway: {
      ...config.gateway,
      internalApiKeys: config.gateway.internalApiKeys ?? [credentials.internalApiKey],
      webhookSecrets: config.gateway.webhookSecrets ?? [credentials.webhookSecret],
    },
    adminEmail: config.adminEmail ?? credentials.adminEmail,
    adminPassword: config.adminPassword ?? credentials.adminPassword,
    ...sandbox,
    credentials,
    developmentApiKey: credentials.apiKey,
  };
}

/**
 * Runs a command on a migrated platform that neither listens nor runs jobs.
 * @throws AlreadyRunning when a server runs on the embedded database and the command cannot run `besideServer`
 */
export async function withPlatform<T>(
  config: Config,
  work: (platform: Platform, config: ReturnType<typeof completeConfig>) => Promise<T>,
  besideServer = true,
): Promise<T> {
  if (config.migrate === 'off') refuseToMakeDatabase(config);
  const log = newLog(config);
  const hold = await holdDatabase(config, log, besideServer);
  try {
    await ensureSchema(config, hold.url, log);
    const complete = completeConfig(config, hold.url);
    const platform = await createPlatform({ config: complete, log });
    try {
      return await work(platform, complete);
    } finally {
      await platform.close();
    }
  } finally {
    await hold.release();
  }
}
