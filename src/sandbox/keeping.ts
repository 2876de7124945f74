/**
 * Stores state of the sandbox. Where that fails, as on a full disk, it is said on standard error and the sandbox goes on with
 * what it has in memory: many writes run in timers, where a failure would end the process, and the database within it.
 */
export function keep(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    process.stderr.write(`The sandbox can't write ${file}: ${(error as Error).message}\n`);
  }
}
