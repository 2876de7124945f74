import { after } from 'node:test';
import { type Database, openDatabase } from '../../src/kernel/database/database.ts';
import { newDatabase } from './databases.ts';

/**
 * Opens a database for this test file, without a platform around it. It is closed and dropped with the file.
 * @param template what it is a copy of; by default a database with the present schema
 */
export async function ownDatabase(
  connections = 3,
  template?: string,
): Promise<{ database: Database; url: string }> {
  const { url, drop } = await newDatabase(template);
  const database = openDatabase({ url, connections, onBackgroundError: () => undefined });
  after(async () => {
    await database.close();
    await drop();
  });
  return { database, url };
}
