import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../app/config.ts';
import { hasCluster } from '../embedded-postgres/run-as.ts';
import { SchemaFault } from '../kernel/database/schema-state.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** Reasons why a folder cannot be used, for operators, by the code of the operating system. */
const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its file system is full',
  ENOTDIR: 'it is a file, or below one',
  ENOENT: 'no folder can be created there',
};

/** The folder of the embedded database. */
export const embeddedFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'postgres');

/**
 * Creates nothing.
 * @throws SchemaFault where the embedded database would first have to be made, in a folder that is probably the wrong one
 */
export function refuseToMakeDatabase(config: Config): void {
  if (!config.databaseUrl && !hasCluster(embeddedFolder(config)))
    throw new SchemaFault({ schema: 'too old', differing: [], isEmpty: true });
}

/**
 * Creates the data folder, if this process needs one, before anything else is written there.
 * @throws OperatorFault when that is impossible, or when the folder is not writable
 */
export function makeDataFolder({ dataDir, databaseUrl, environment }: Config): void {
  if (databaseUrl && environment === 'production') return;
  makeFolder(dataDir, `DATA_DIR=${dataDir}`);
}

/**
 * Creates a folder that an operator has named, unless it exists.
 * @param setting what names it, as an operator writes it
 * @throws OperatorFault when that is impossible, or when the folder is not writable
 */
export function makeFolder(folder: string, setting: string): void {
  try {
    make(resolve(folder));
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new OperatorFault(
      `${setting} cannot be used: ${REASONS[code] ?? message}. Set it to a folder that this user may write to.`,
    );
  }
}

/** Creates folders one by one: below `/proc`, the recursion of `mkdir` itself never ends. */
function make(folder: string): void {
  if (!existsSync(folder)) {
    make(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  } else if (!statSync(folder).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
}
