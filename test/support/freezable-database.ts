import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Puts a proxy before a database of tests, which hangs when told so: it accepts connections and passes nothing on. */
export async function freezableDatabase(databaseUrl: string) {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const hold = (socket: Socket): void => void (isFrozen ? socket.pause() : socket.resume());
  const folder = new URL(databaseUrl).searchParams.get('host');
  const front = createServer((client) => {
    const server = connect(`${folder}/.s.PGSQL.5432`);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket.on('error', () => undefined));
      socket.on('data', (chunk) => other.write(chunk));
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      hold(socket);
    }
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.set('host', '127.0.0.1');
  url.searchParams.set('port', String((front.address() as AddressInfo).port));
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true;
      sockets.forEach(hold);
    },
    thaw: () => {
      isFrozen = false;
      sockets.forEach(hold);
    },
    close: () => {
      front.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
