import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

interface ForwarderOptions {
  /** The address to forward to; undefined while nothing listens, which closes new connections. */
  target: () => NetConnectOpts | undefined;
}

/** Forwards the connections to a port, so that they can be broken as if the process at one end were killed. */
export async function forwarder({ target }: ForwarderOptions) {
  const sockets = new Set<Socket>();
  let isGone = false;
  const server = createServer((client) => {
    const goal = isGone ? undefined : target();
    if (!goal) {
      client.on('error', () => undefined).destroy();
      return;
    }
    const upstream = connect(goal);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.setNoDelay(true);
      one
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      sockets.add(one);
    }
    client.on('data', (sent: Buffer) => void upstream.write(sent));
    upstream.on('data', (answer: Buffer) => void client.write(answer));
  });
  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }
  /** Lets nothing more arrive over the present connections, as when the host at the other end has lost its power. */
  function silence(): void {
    for (const socket of sockets) socket.removeAllListeners('data').pause();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Breaks all connections; new ones are possible. */
    cut,
    silence,
    /** Breaks all connections, and refuses new ones. */
    close(): void {
      isGone = true;
      cut();
      server.close();
    },
  };
}

export type Forwarder = Awaited<ReturnType<typeof forwarder>>;
