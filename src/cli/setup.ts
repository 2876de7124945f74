import type { Platform } from '../platform.ts';
import type { ReadyFacts } from './summary.ts';
import type { completeConfig } from './with-platform.ts';

const SETUP = { actor: 'service:setup' };

/** Installs the configured keys and administrator; returns the credentials to print in development. */
export async function installCredentials(
  { keys, identity }: Platform,
  config: ReturnType<typeof completeConfig>,
): Promise<ReadyFacts> {
  const { credentials, apiKey, adminEmail, adminPassword } = config;
  if (apiKey) await keys.install(apiKey, { name: 'API_KEY', tier: 'admin' }, SETUP);
  if (adminEmail && adminPassword) {
    await identity.ensureAdministrator({
      email: adminEmail,
      password: adminPassword,
      firstName: 'First',
      lastName: 'Administrator',
    });
  }
  if (!credentials) return {};
  await keys.install(credentials.apiKey, { name: 'Development client', tier: 'mobile' }, SETUP);
  await keys.install(credentials.adminApiKey, { name: 'Development administrator', tier: 'admin' }, SETUP);
  return {
    apiKey: credentials.apiKey,
    adminApiKey: credentials.adminApiKey,
    ...(adminEmail && adminPassword ? { adminEmail, adminPassword } : {}),
  };
}
