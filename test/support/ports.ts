import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns a free port, for programs that need to be given one. */
export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
