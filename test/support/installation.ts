import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { newDatabase } from './databases.ts';

/**
 * Returns the settings of an installation with a new database and an empty folder, both of which are removed at the end of
 * the test file.
 */
export async function newInstallation() {
  const { url, drop } = await newDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'platform-start-'));
  after(async () => {
    await drop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, environment: { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), PORT: '0' } };
}
