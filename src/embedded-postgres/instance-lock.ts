import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { OperatorFault } from '../kernel/operator-fault.ts';

/** Another process owns the data folder. */
export class AlreadyRunning extends OperatorFault {
  override readonly name = 'AlreadyRunning';
}

/**
 * Locks a folder for this process until the process ends, however it ends. The lock is a listening socket, on Linux in
 * the abstract namespace, which leaves no stale file after a kill -9.
 * @throws AlreadyRunning when another process holds it
 * @returns a function that releases the lock
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const real = realpathSync(folder);
  const isLinux = process.platform === 'linux';
  const name = createHash('sha256').update(real).digest('hex').slice(0, 32);
  const path = isLinux ? `\0platform-api-${name}` : join(real, 'instance.lock');
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new AlreadyRunning(
      `Another instance is running on ${real}. Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
  server.unref();
  return async () => {
    await new Promise((done) => server.close(done));
    if (!isLinux) await rm(path, { force: true });
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve());
  });
}
