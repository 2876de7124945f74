// A server of the benchmark of the live channel, in a separate process: `ours` (the platform), `ws` (plain ws, one
// prepared frame written to each socket: the limit) or `socket.io` (the peer). Controlled over IPC.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { Server as SocketIo } from 'socket.io';
import { WebSocketServer } from 'ws';
import { readConfig } from '../src/app/config.ts';
import { createPlatform } from '../src/app/platform.ts';
import { migratePlatform } from '../src/app/schema.ts';
import { openDatabase } from '../src/kernel/database/database.ts';
import { idMaker } from '../src/kernel/ids.ts';
import { secretsOf } from '../src/kernel/secrets.ts';
import { systemClock } from '../src/kernel/time/time.ts';
import { messageSent } from '../src/modules/chat/chat.live.ts';
import { signingKeyStore } from '../src/modules/identity/keys/signing-keys.store.ts';
import { signingKeys } from '../src/modules/identity/keys/signing-keys.ts';
import { sealers } from '../src/modules/identity/sealed-columns.ts';
import { accessTokens } from '../src/modules/identity/sessions/access-tokens.ts';
import { frameOf } from '../src/modules/realtime/frames.ts';

/** A command for a server. */
interface ServerOrder {
  send?: number;
  tokensOf?: number;
  cpu?: true;
  memory?: true;
  empty?: true;
}

/** The CPU time that the process has taken so far, in microseconds. */
export interface Cpu {
  user: number;
  system: number;
}

/** The memory of the process after a collection, in bytes. */
export interface Memory {
  rss: number;
  heap: number;
}

interface Server {
  url: string;
  /** The room of all clients, for the platform. */
  room?: string;
  send(messages: ReturnType<typeof messageOf>[]): void;
  tokensOf?(members: number): Promise<string[]>;
  isEmpty(): boolean | Promise<boolean>;
}

const KINDS: Record<string, () => Promise<Server>> = { ours, ws: plainWs, 'socket.io': socketIo };
const ROOM = '6740f1c2a9b3e4d5f6a7b8c0';
const SECRET_KEY = 'a secret key for the benchmark, long enough';

const messageOf = (seq: number) => ({
  chatroomId: ROOM,
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
  const config = {
    ...readConfig({
      ...process.env,
      PORT: '0',
      ENVIRONMENT: 'development',
      LIVE_CONNECTIONS: '20000',
      LIVE_CONNECTIONS_PER_MEMBER: '20000',
    }),
    databaseUrl,
    secretKey: SECRET_KEY,
  };
  const platform = await createPlatform({ config, log: pino({ level: 'error' }), clock: systemClock });
  const { tokensOf, isEmpty } = await membersOf(config);
  return {
    url: await platform.listen(),
    room: ROOM,
    tokensOf,
    isEmpty,
    send: (messages) =>
      void platform.live.send(
        `live:room:${ROOM}`,
        messages.map((data) => ({ kind: messageSent, data, seq: data.seq })),
      ),
  };
}

/** Creates members with a session each, and the public room to which they subscribe. */
async function membersOf({ databaseUrl, environment }: { databaseUrl: string; environment: string }) {
  const database = openDatabase({ url: databaseUrl, connections: 2, onBackgroundError: console.error });
  const store = signingKeyStore(database);
  const newId = idMaker(systemClock);
  const keys = signingKeys({
    database,
    store,
    clock: systemClock,
    newId,
    sealer: sealers(secretsOf([SECRET_KEY])).signingKeys,
  });
  const tokens = accessTokens({ keys, clock: systemClock, environment });
  const idOf = (number: number) => `c${number.toString(16).padStart(23, '0')}`;
  await database.execute(
    `insert into chat.room (id, name, description, type, created_by, created_at, updated_at)
     values ($1, 'Bench', '', 'public', $2, now(), now()) on conflict do nothing`,
    [ROOM, idOf(0)],
  );
  return {
    async tokensOf(members: number): Promise<string[]> {
      const ids = Array.from({ length: members }, (_, number) => idOf(number));
      await database.execute(
        `insert into identity.user (id, email, username, first_name, last_name, created_at, updated_at)
         select id, id || '@example.com', id, 'A', 'Member', now(), now() from unnest($1::text[]) id
         on conflict do nothing`,
        [ids],
      );
      await database.execute(
        `insert into identity.session (id, user_id, platform, device, user_agent, address, created_at, last_used_at)
         select id, id, 'app', 'phone', '', '', now(), now() from unnest($1::text[]) id on conflict do nothing`,
        [ids],
      );
      await database.execute(
        'analyze identity.user, identity.session, chat.room, chat.member, presence.present',
      );
      // The messages are not stored, so that only this says how many there were.
      await database.execute('update chat.room set last_seq = $2 where id = $1', [ROOM, seq]);
      // Creates the first signing key before the concurrent calls.
      await tokens.issue({ userId: ROOM, sessionId: ROOM });
      return Promise.all(ids.map((id) => tokens.issue({ userId: id, sessionId: id })));
    },
    isEmpty: async () => (await database.count('select count(*) from presence.present')) === 0,
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
      ws.on('error', () => undefined); // `close` follows
      ws.on('close', () => all.delete(socket));
    });
  });
  return {
    url: await listening(server),
    isEmpty: () => all.size === 0,
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
    isEmpty: () => io.engine.clientsCount === 0,
    send: (messages) => {
      for (const one of messages) io.to('room').emit('chat:message', one);
    },
  };
}

function memory(): Memory {
  globalThis.gc?.();
  return { rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed };
}

const start = KINDS[process.argv[2] as string];
if (!start) throw new Error(`one of ${Object.keys(KINDS)}`);
/** The number of the newest message. */
let seq = 0;
const server = await start();

async function follow(order: ServerOrder): Promise<object | undefined> {
  const { send, tokensOf, empty } = order;
  if (send) server.send(Array.from({ length: send }, () => messageOf(++seq)));
  if (tokensOf) return (await server.tokensOf?.(tokensOf)) ?? [];
  if (order.cpu) return process.cpuUsage();
  if (order.memory) return memory();
  if (!empty) return undefined;
  while (!(await server.isEmpty())) await sleep(100);
  return {};
}

process.on('message', (order: ServerOrder) => {
  follow(order).then(
    (answer) => answer && process.send?.(answer),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ url: server.url, room: server.room });
