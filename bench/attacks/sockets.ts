import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Attacks, Headers, Stage } from './stage.ts';

/** Number of sockets that one attack opens, and how long it holds them. */
const SOCKETS = 50;
const HOLD_MS = 2_000;
const PIPELINED = 500;

/** Attacks by sockets that send or read slowly, or not at all; the result of an attack is the last received status. */
export function socketAttacks({ url, attacker, administrator }: Stage): Attacks {
  const { hostname, port } = new URL(url);

  const request = (method: string, path: string, headers: Headers): string =>
    [
      `${method} ${path} HTTP/1.1`,
      'host: x',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ]
      .map((line) => `${line}\r\n`)
      .join('');

  /** Opens a socket that sends the text and does not read; resolves to it once it is connected. */
  const open = (text: string, reads: boolean): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(text);
        resolve(socket);
      });
      socket.on('error', () => resolve(socket));
      if (!reads) socket.pause();
    });

  /** Holds sockets for a while; each may send more data from time to time. */
  const holding =
    (text: string, { more = '', sockets: count = SOCKETS } = {}): Attack =>
    async () => {
      const sockets = await Promise.all(Array.from({ length: count }, () => open(text, false)));
      for (let waited = 0; waited < HOLD_MS; waited += 200) {
        if (more) for (const socket of sockets) socket.write(more);
        await sleep(200);
      }
      for (const socket of sockets) socket.destroy();
      return 0;
    };

  const json = (length: number): Headers => ({
    ...attacker.headers,
    'content-type': 'application/json',
    'content-length': String(length),
  });

  return {
    'slow headers': async () => holding('GET / HTTP/1.1\r\nhost: x\r\n', { more: 'x-more: 1\r\n' }),
    'slow bodies': async () =>
      holding(`${request('POST', '/v1/analytics/track/bulk', json(1_000_000))}\r\n${' '.repeat(900_000)}`, {
        more: ' '.repeat(100),
      }),
    'descriptions not read': async () => holding(`${request('GET', '/openapi.json', {})}\r\n`.repeat(10)),
    'exports not read': async () =>
      holding(`${request('GET', '/v1/analytics/events/export', administrator)}\r\n`.repeat(10)),
    // One socket each: the requests of the bystander are served in turn with those of all active connections.
    'pages not read': async () =>
      holding(`${request('GET', '/v1/courses?limit=100', attacker.headers)}\r\n`.repeat(PIPELINED), {
        sockets: 1,
      }),
    'requests in one go': async () => async () => {
      const socket = await open(
        `${request('GET', '/v1/user/profile', attacker.headers)}\r\n`.repeat(PIPELINED),
        true,
      );
      for (let answered = 0; answered < PIPELINED && !socket.destroyed; ) {
        const chunk: Buffer | undefined = await new Promise((resolve) => {
          socket.once('data', resolve);
          socket.once('close', () => resolve(undefined));
        });
        if (!chunk) break;
        answered += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      }
      socket.destroy();
      return 200;
    },
  };
}
