import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces a file as a whole, so that nobody ever reads half of one; when that fails, it stays as it was. The new content is
 * first written beside it, under a name of its own, since another process may replace the file at the same moment.
 * @param mode the permissions of the file
 */
export function replaceFile(file: string, content: string, { mode }: { mode?: number } = {}): void {
  const aside = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(aside, content, { mode });
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}
