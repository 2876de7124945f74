import type { Platform } from '../app/platform.ts';
import { Failure } from '../kernel/failures.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { weaknessOf } from './password.ts';
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
    const account = {
      email: adminEmail,
      password: adminPassword,
      firstName: 'First',
      lastName: 'Administrator',
    };
    await identity.ensureAdministrator(account).catch((error) => {
      const weakness = weaknessOf(error);
      if (weakness) throw new OperatorFault(`ADMIN_PASSWORD ${weakness}`);
      if (!(error instanceof Failure) || error.status !== 503) throw error;
      throw new OperatorFault(
        'The administrator of ADMIN_EMAIL cannot be created, because the customer directory does not respond correctly. Check CUSTOMER_DIRECTORY and BACKOFFICE_URL.',
      );
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
