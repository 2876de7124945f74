import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports of outgoing connections, one of which might otherwise take the port before the program does. */
const [LOWEST, HIGHEST] = [15_000, 32_000];
const ATTEMPTS = 100;

/**
 * Returns a free port, for programs that need to be given one, or the same again after a restart, and for addresses
 * where nothing listens.
 */
export async function freePort(): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return String(port);
  }
  throw new Error(`no port was free in ${ATTEMPTS} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    // At all addresses, since a program may listen at any.
    await once(server.listen(port), 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
