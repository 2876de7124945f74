// `npm run bench:sdk`: the CPU of the SDK in the client's process, beside a bare client with the same work, in
// turns: a call beside `fetch`, and a live message beside a socket. The server is a separate process, so that only
// the client's CPU is measured. Turns are short and alternate, so that other load on the machine affects both
// equally. Every few thousand calls, one turn pays for a full garbage collection: that counts in the totals, whose
// ratio is printed first, but not in the medians of the turns.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { type Client, createClient } from '../sdk/src/index.ts';
import { median } from './paired.ts';

const CALLS = 400;
const MESSAGES = 1_000;
/** Messages are measured in bursts, because a single message is too short. */
const BURSTS = 1;
const ROUNDS = 100;
/** Number of turns until all code is compiled. */
const WARM_UP_ROUNDS = 10;
const AT_ONCE = 8;
const ROOM = 'a'.repeat(24);
const ANSWER = JSON.stringify({
  success: true,
  message: 'Balance retrieved',
  data: { balance: 100, currency: 'KEYS' },
  meta: { timestamp: '2026-01-01T00:00:00.000Z', version: 'v1' },
});

if (process.argv[2] === 'serve') serve();
else await run();

/** Answers every request in the same way, and sends a burst of messages to the live connection on command. */
function serve(): void {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(ANSWER),
  );
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) =>
    socket.on('message', (text) => {
      const { type, requestId } = JSON.parse(String(text));
      const data = { chatroomId: ROOM, seq: 0, memberCount: 1, activeNow: 1, userId: 'u' };
      if (type === 'auth') socket.send(JSON.stringify({ type: 'auth:success', data }));
      if (type === 'subscribe') socket.send(JSON.stringify({ type: 'subscribe:success', requestId, data }));
    }),
  );
  let seq = 0;
  process.on('message', () => {
    for (let number = 0; number < MESSAGES; number++) {
      const frame = messageOf(++seq);
      for (const socket of sockets.clients) socket.send(frame);
    }
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
}

const messageOf = (seq: number): string =>
  JSON.stringify({
    type: 'chat:message',
    data: {
      chatroomId: ROOM,
      messageId: seq.toString(16).padStart(24, '0'),
      userId: 'b'.repeat(24),
      message: 'Gold breaks out, and nobody has seen it coming.',
      timestamp: '2026-01-01T00:00:00.000Z',
    },
    seq,
  });

async function run(): Promise<void> {
  const child = fork(import.meta.filename, ['serve']);
  try {
    const [{ port }] = (await once(child, 'message')) as [AddressInfo];
    const baseUrl = `http://127.0.0.1:${port}`;
    const api = createClient({ baseUrl, apiKey: 'k' });
    const accessToken = 'a'.repeat(300);
    await api.session.write({ id: 's', accessToken, refreshToken: 'r', receivedAt: Date.now() });
    await compare('a call', callsOf(baseUrl, api, accessToken), 'bare fetch', ', at most 1.15 wanted');
    await compare('a live message', messagesOf(baseUrl, api, child), 'a bare socket', '');
    api.live().close();
  } finally {
    child.kill();
  }
}

interface Ways {
  /** Both return the microseconds of CPU per call or message. */
  bare(): Promise<number>;
  sdk(): Promise<number>;
}

async function compare(what: string, ways: Ways, limit: string, wanted: string): Promise<void> {
  const turns: Record<keyof Ways, number[]> = { bare: [], sdk: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    // Neither always follows the other.
    for (const way of ['bare', 'sdk', 'sdk', 'bare'] as const) {
      const us = await ways[way]();
      if (round >= 0) turns[way].push(us);
    }
  const [total, typical] = [mean, median].map((of) => of(turns.sdk) / of(turns.bare)) as [number, number];
  console.log(
    `CPU of ${what}: SDK ${mean(turns.sdk).toFixed(1)} us, ${limit} ${mean(turns.bare).toFixed(1)} us, ratio ${total.toFixed(2)} (of the medians ${typical.toFixed(2)})${wanted}`,
  );
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function callsOf(baseUrl: string, api: Client, token: string): Ways {
  const headers = { 'X-API-Key': 'k', Authorization: `Bearer ${token}` };
  const many = (call: () => PromiseLike<unknown>) =>
    cpuUsOf(CALLS, async () => {
      const work = async () => {
        for (let done = 0; done < CALLS / AT_ONCE; done++) await call();
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    });
  return {
    bare: () =>
      many(async () => {
        const response = await fetch(`${baseUrl}/v1/wallets/balance`, { headers });
        return JSON.parse(await response.text()).data;
      }),
    sdk: () => many(() => api.wallet.getBalance()),
  };
}

/** One connection at a time, so that it receives the whole burst. */
function messagesOf(baseUrl: string, api: Client, server: ChildProcess): Ways {
  let received = 0;
  let full: () => void = () => undefined;
  const hear = () => {
    if (++received % MESSAGES === 0) full();
  };
  const bursts = () =>
    cpuUsOf(BURSTS * MESSAGES, async () => {
      for (let burst = 0; burst < BURSTS; burst++) {
        const over = new Promise<void>((resolve) => (full = resolve));
        server.send('burst');
        await over;
      }
    });
  return {
    async bare() {
      const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/live`);
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      socket.addEventListener('message', ({ data }) => {
        const { type, data: message } = JSON.parse(data);
        if (type === 'chat:message' && message.message) hear();
      });
      const us = await bursts();
      socket.close();
      await new Promise((resolve) => socket.addEventListener('close', resolve));
      return us;
    },
    async sdk() {
      const room = api.live().room(ROOM);
      room.on('message', ({ message }) => {
        if (message) hear();
      });
      await new Promise<void>((resolve) => room.on('entered', () => resolve()));
      const us = await bursts();
      api.live().close();
      return us;
    },
  };
}

/** Returns the microseconds of CPU of this process per item. */
async function cpuUsOf(count: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}
