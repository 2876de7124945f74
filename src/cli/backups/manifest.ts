import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { OperatorFault } from '../../kernel/operator-fault.ts';
import type { Counts } from './backups.store.ts';

/** What is known of a backup beside its dump; it contains no secret. */
export interface Manifest {
  takenAt: string;
  /** The release that took it. */
  version: string;
  serverMajor: number;
  /** The state of the ledger, which `verify` prints of a restored one, too. */
  ledger: { head: string; entries: number; transactions: number };
  rows: Counts;
  dump: { bytes: number; sha256: string };
}

export const manifestFileOf = (dump: string): string => `${dump.replace(/\.dump$/, '')}.json`;

/** @throws OperatorFault if there is none beside the dump */
export function readManifest(dump: string): Manifest {
  const file = manifestFileOf(dump);
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest> | null;
    if (!found?.dump?.sha256 || !found.ledger || !found.rows) throw new Error('it is not of `backup`');
    return found as Manifest;
  } catch (error) {
    throw new OperatorFault(
      `${file}, which belongs to the dump, cannot be read: ${(error as Error).message}`,
    );
  }
}

/**
 * Returns the length and the digest of a dump.
 * @throws OperatorFault if it cannot be read
 */
export async function digestOfDump(file: string): Promise<Manifest['dump']> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash).catch((error: Error) => {
    throw new OperatorFault(`The dump cannot be read: ${error.message}`);
  });
  return { bytes: statSync(file).size, sha256: hash.digest('hex') };
}
