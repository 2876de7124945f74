import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/**
 * What happens to a request and its response. Except with `away`, which lets nothing through, the request arrives, so
 * that a repetition could take effect twice: `reset` resets the connection instead of responding, `stall` never
 * responds, `html` responds as a broken proxy does, and `cut` ends in the middle of the response.
 */
export type Fault = 'none' | 'reset' | 'stall' | 'html' | 'cut' | 'away';

const HTML = '<html><body>Bad Gateway</body></html>';
const BAD_GATEWAY = `HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: ${HTML.length}\r\nconnection: close\r\n\r\n${HTML}`;

const STARTS_REQUEST = /^(GET|POST|PUT|PATCH|DELETE) /;

/** A network between a client and the platform that has faults when a test says so, and otherwise works. */
export async function faultyNetwork(platformUrl: string) {
  const { hostname, port } = new URL(platformUrl);
  const faults: Fault[] = [];
  const sockets = new Set<Socket>();
  let isAway = false;
  let cutAt: string | undefined;
  const server = createServer((client) => {
    sockets.add(client.on('error', () => undefined));
    client.once('close', () => sockets.delete(client));
    if (isAway) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname).on('error', () => undefined);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    let fault: Fault = 'none';
    client.on('data', (chunk) => {
      if (STARTS_REQUEST.test(chunk.toString('latin1', 0, 8))) fault = faults.shift() ?? 'none';
      if (cutAt !== undefined && chunk.includes(cutAt)) cutOthers(client);
      if (fault === 'away') client.destroy();
      else upstream.write(chunk);
    });
    upstream.on('data', (answer: Buffer) => {
      if (fault === 'none') client.write(answer);
      else if (fault === 'reset') client.resetAndDestroy();
      else if (fault === 'html') client.end(BAD_GATEWAY);
      else if (fault === 'cut') client.end(answer.subarray(0, answer.length - 20));
    });
  });
  function cutOthers(client: Socket): void {
    cutAt = undefined;
    for (const socket of sockets) if (socket !== client) socket.destroy();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the faults of the next requests, one for each. */
    next(...coming: Fault[]): void {
      faults.splice(0, faults.length, ...coming);
    },
    /** Breaks all other connections when the next request that contains this text passes. */
    cutAt(text: string): void {
      cutAt = text;
    },
    /** Makes the network unreachable, or reachable again. */
    setAway(gone: boolean): void {
      isAway = gone;
      if (gone) for (const socket of sockets) socket.destroy();
    },
  };
}
