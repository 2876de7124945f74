import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { newSecret } from '../kernel/secrets.ts';

/** The credentials of a fresh development installation; stored so that they survive restarts. */
export interface DevelopmentCredentials {
  /** A client's key, of the Mobile tier. */
  apiKey: string;
  /** A key of the Admin tier. */
  adminApiKey: string;
  adminEmail: string;
  adminPassword: string;
  secretKey: string;
  internalApiKey: string;
  webhookSecret: string;
  /** Signs the webhooks of the sandbox's payment provider. */
  paymentWebhookSecret: string;
}

/** Reads the file, generates missing credentials, and makes the file readable only by its owner. */
export function developmentCredentials(file: string): DevelopmentCredentials {
  const known = readSaved(file);
  const credentials: DevelopmentCredentials = {
    apiKey: newKey(),
    adminApiKey: newKey(),
    adminEmail: 'admin@platform.localhost',
    adminPassword: newSecret().slice(0, 20),
    secretKey: newSecret(),
    internalApiKey: newSecret(),
    webhookSecret: newSecret(),
    paymentWebhookSecret: newSecret(),
    ...known,
  };
  if (Object.keys(known).length < Object.keys(credentials).length) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return credentials;
}

const newKey = (): string => `pk_development_${randomBytes(12).toString('hex')}_${newSecret()}`;

function readSaved(file: string): Partial<DevelopmentCredentials> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<DevelopmentCredentials>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} can't be read: ${(error as Error).message}`);
  }
}
