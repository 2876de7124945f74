// One server of the benchmark of the live channel, in a process of its own: `ours` (the whole platform), `ws` (plain ws,
// one prepared frame written to each socket: the limit) or `socket.io`. Told over IPC to send so many messages at once.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { Server as SocketIo } from 'socket.io';
import { WebSocketServer } from 'ws';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/kernel/time.ts';
import { messageSent } from '../src/modules/chat/chat.live.ts';
import { frameOf } from '../src/modules/realtime/frames.ts';
import { createPlatform, migratePlatform } from '../src/platform.ts';

/** How messages get to everybody, and what the farm needs to know. */
interface Server {
  url: string;
  send(messages: object[]): void;
}

const KINDS: Record<string, () => Promise<Server>> = { ours, ws: plainWs, 'socket.io': socketIo };

const data = (seq: number) => ({
  chatroomId: process.env.ROOM,
  messageId: '6740f1c2a9b3e4d5f6a7b8c9',
  userId: '6740f1c2a9b3e4d5f6a7b8c8',
  message: `Gold breaks out! ${'It goes up and up. '.repeat(6)}`,
  timestamp: new Date().toISOString(),
  seq,
  at: process.hrtime.bigint().toString(),
});

async function ours(): Promise<Server> {
  const databaseUrl = process.env.DATABASE_URL as string;
  await migratePlatform(databaseUrl);
  const config = readConfig({
    ...process.env,
    PORT: '0',
    ENVIRONMENT: 'development',
    LIVE_CONNECTIONS_PER_MEMBER: '100000',
  });
  const log = pino({ level: 'error' });
  const secretKey = 'a secret key for the benchmark, long enough';
  const platform = await createPlatform({
    config: { ...config, databaseUrl, secretKey },
    log,
    clock: systemClock,
  });
  const url = await platform.listen();
  const { key } = await platform.keys.create({ name: 'bench', tier: 'admin' }, { actor: 'bench' });
  process.env.KEY = key;
  return {
    url,
    send: (messages) =>
      void platform.live.tell(
        `live:room:${process.env.ROOM}`,
        messages.map((data) => ({ kind: messageSent, data })),
      ),
  };
}

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function plainWs(): Promise<Server> {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false });
  const all = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (ws) => {
      all.add(socket);
      ws.on('close', () => all.delete(socket));
    });
  });
  return {
    url: await listening(server),
    send: (messages) => {
      for (const one of messages) {
        const frame = frameOf(JSON.stringify({ type: 'chat:message', data: one }));
        for (const socket of all) socket.write(frame);
      }
    },
  };
}

async function socketIo(): Promise<Server> {
  const server = createServer();
  const io = new SocketIo(server, { transports: ['websocket'], serveClient: false });
  io.on('connection', (socket) => void socket.join('room'));
  return {
    url: await listening(server),
    send: (messages) => {
      for (const one of messages) io.to('room').emit('chat:message', one);
    },
  };
}

const start = KINDS[process.argv[2] as string];
if (!start) throw new Error(`one of ${Object.keys(KINDS)}`);
const server = await start();
let seq = 0;
process.on('message', (asked: { send?: number; room?: string; usage?: true }) => {
  if (asked.room) process.env.ROOM = asked.room;
  if (asked.send) server.send(Array.from({ length: asked.send }, () => data(++seq)));
  if (asked.usage) {
    // Before the collection, which is none of the work.
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    process.send?.({
      cpuUs: user + system,
      rss: process.memoryUsage.rss(),
      heap: process.memoryUsage().heapUsed,
    });
  }
});
process.send?.({ url: server.url, key: process.env.KEY });
