import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** What happens at a piece of data on its way to the target. */
type Verdict = 'pass' | 'cut before' | 'cut after';

interface ForwarderOptions {
  /** Where connections lead; undefined while nobody is there. */
  target: () => NetConnectOpts | undefined;
  /** Judges what a client sends; `greeting` is what it sent first. `cut` breaks all connections. */
  onSent?: (sent: { greeting: Buffer }) => Verdict;
}

/** Forwards connections on a port of its own, so that they can be broken as when the process at one end is killed. */
export async function forwarder({ target, onSent = () => 'pass' }: ForwarderOptions) {
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
    let greeting: Buffer | undefined;
    client.on('data', (sent: Buffer) => {
      greeting ??= sent;
      const verdict = onSent({ greeting });
      if (verdict === 'cut before') return cut();
      upstream.write(sent);
      if (verdict === 'cut after') cut();
    });
    upstream.on('data', (answer: Buffer) => void client.write(answer));
  });
  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Breaks all connections; new ones are possible. */
    cut,
    /** Breaks all connections, and refuses new ones. */
    close(): void {
      isGone = true;
      cut();
      server.close();
    },
  };
}

export type Forwarder = Awaited<ReturnType<typeof forwarder>>;
