import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { replaceFile } from '../kernel/replace-file.ts';
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
  const saved = readSaved(file);
  const credentials: DevelopmentCredentials = {
    apiKey: newKey(),
    adminApiKey: newKey(),
    adminEmail: 'admin@platform.localhost',
    adminPassword: newSecret().slice(0, 20),
    secretKey: newSecret(),
    internalApiKey: newSecret(),
    webhookSecret: newSecret(),
    paymentWebhookSecret: newSecret(),
    ...saved,
  };
  if (Object.keys(saved).length < Object.keys(credentials).length) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    save(file, credentials);
  }
  return credentials;
}

/** @throws OperatorFault, as when the disk is full; the file is left as it was */
function save(file: string, content: object): void {
  try {
    replaceFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new OperatorFault(`${file} can't be written: ${(error as Error).message}`);
  }
}

export const KEY_NAMES = ['apiKey', 'adminApiKey'] as const;

/** Replaces these keys in the file by new ones, which the start that follows installs. */
export const renewKeys = (file: string, names: (typeof KEY_NAMES)[number][]): void =>
  save(file, { ...readSaved(file), ...Object.fromEntries(names.map((name) => [name, newKey()])) });

/** State that a development installation keeps between starts, in the same file. */
export interface SavedState {
  /** Base URLs, for the tour and other programs that call the installation. */
  api?: string | undefined;
  sandbox?: string | undefined;
  /** The port of the sandbox, if the default one was taken once. */
  sandboxPort?: number;
  /** A seeded member, which the sandbox's pages offer as the sign-in. */
  member?: { email: string; password: string };
}

export const remembered = (file: string): SavedState => readSaved(file);

export const saveState = (file: string, facts: SavedState): void =>
  save(file, { ...readSaved(file), ...facts });

/** 128 bits are enough for a secret; with more, a key would not fit a line of a terminal. */
const newKey = (): string => `pk_development_${randomBytes(12).toString('hex')}_${newSecret().slice(0, 22)}`;

function readSaved(file: string): Partial<DevelopmentCredentials> & SavedState {
  try {
    const saved: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof saved !== 'object' || saved === null || Array.isArray(saved))
      throw new Error('it has something else than the credentials of an installation');
    return saved;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new OperatorFault(`${file} can't be read: ${(error as Error).message}`);
  }
}
