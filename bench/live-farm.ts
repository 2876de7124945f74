// The clients of the benchmark of the live channel, in a separate process: bare sockets with the minimum of a
// WebSocket, the same for every server.
import { connect, type Socket } from 'node:net';
import { masked } from './masked-frame.ts';

/** The server to which clients connect, and their identities. */
export interface Target {
  kind: string;
  url: string;
  /** The room to which clients of the platform subscribe. */
  room?: string | undefined;
  /** Tokens with which clients of the platform sign in, in turns. */
  tokens?: string[];
}

export interface Latencies {
  p50Ms: number;
  p99Ms: number;
}

export interface Order {
  connect?: Target & { count: number };
  /** Reports once this many messages have arrived. */
  expect?: number;
}

/** The time until all clients were connected and, for the platform, signed in and subscribed. */
export interface Connected extends Latencies {
  connectedMs: number;
}

/** Clients that connect at the same time. */
const LANES = 100;
/** One of so many messages is timed, so that the clients take little CPU. */
const TIMED = 16;
const clients: Client[] = [];
let expected = 0;
let come = 0;
let latencies: number[] = [];

const tell = (what: object): void => {
  process.send?.(what);
};

const AT = Buffer.from('"at":"');
const PING = masked('{"type":"ping"}');

/** Counts a message that carries the server's send time. */
function take(payload: Buffer): void {
  if (payload.indexOf(AT) >= 0) count(payload, 0);
}

/** Counts the message that begins there. */
function count(buffer: Buffer, from: number): void {
  if (++come % TIMED === 1) {
    const start = buffer.indexOf(AT, from) + AT.length;
    const atUs = Number(buffer.toString('latin1', start, buffer.indexOf(0x22, start))) / 1000;
    latencies.push(Number(process.hrtime.bigint()) / 1000 - atUs);
  }
  if (come === expected) tell(percentilesOf(latencies));
}

function percentilesOf(allUs: number[]): Latencies {
  const sorted = allUs.toSorted((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] as number) / 1000;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

const PATHS: Record<string, string> = {
  ours: '/v1/live',
  ws: '/',
  'socket.io': '/socket.io/?EIO=4&transport=websocket',
};
/** How messages of each kind of server begin. */
const MESSAGES: Record<string, Buffer> = {
  ours: Buffer.from('{"type":"c'),
  ws: Buffer.from('{"type":"c'),
  'socket.io': Buffer.from('42["chat:m'),
};
const NOTHING: Buffer = Buffer.alloc(0);
/** All clients read into it, one after another. */
const SHARED = Buffer.alloc(1024 * 1024);

class Client {
  readonly socket: Socket;
  readonly #target: Target;
  readonly #token: string | undefined;
  readonly #onReady: () => void;
  readonly #message: Buffer;
  #rest = NOTHING;
  #isUpgraded = false;

  constructor(target: Target, token: string | undefined, onReady: () => void) {
    const { hostname, port, host } = new URL(target.url);
    this.#target = target;
    this.#token = token;
    this.#onReady = onReady;
    this.#message = MESSAGES[target.kind] as Buffer;
    const callback = (bytes: number): boolean => {
      this.#onData(SHARED.subarray(this.#rest.length > 0 ? 0 : this.#countMessages(bytes), bytes));
      return true;
    };
    this.socket = connect({
      port: Number(port),
      host: hostname,
      noDelay: true,
      onread: { buffer: SHARED, callback },
    });
    this.socket.on('error', (error) => tell({ error: error.message }));
    // Without this the benchmark would wait forever for the messages of a closed connection.
    this.socket.on('close', () => tell({ error: `${target.kind} has closed a connection` }));
    this.socket.write(
      `GET ${PATHS[target.kind]} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  }

  /** Counts whole messages at the start of what was read, without a copy; returns where they end. */
  #countMessages(bytes: number): number {
    let at = 0;
    // A text of 126 to 65,535 bytes.
    while (at + 4 < bytes && SHARED[at] === 0x81 && SHARED[at + 1] === 126) {
      const end = at + 4 + SHARED.readUInt16BE(at + 2);
      if (
        end > bytes ||
        SHARED.compare(this.#message, 0, this.#message.length, at + 4, at + 4 + this.#message.length)
      )
        break;
      count(SHARED, at + 4);
      at = end;
    }
    return at;
  }

  #onData(chunk: Buffer): void {
    if (chunk.length === 0) return;
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (!this.#isUpgraded) bytes = this.#upgrade(bytes);
    while (this.#isUpgraded && bytes.length >= 2) {
      const short = (bytes[1] as number) & 127;
      const header = short === 126 ? 4 : 2;
      if (bytes.length < header) break;
      const end = header + (short === 126 ? bytes.readUInt16BE(2) : short);
      if (bytes.length < end) break;
      if (((bytes[0] as number) & 15) === 1) this.#onText(bytes.subarray(header, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes.length > 0 ? Buffer.from(bytes) : NOTHING;
  }

  /** Says that the client is still there, which only the platform expects. */
  ping(): void {
    if (this.#target.kind === 'ours') this.socket.write(PING);
  }

  #upgrade(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return bytes;
    if (!bytes.includes(' 101 ')) tell({ error: bytes.toString('latin1', 0, 40) });
    this.#isUpgraded = true;
    const { kind, room } = this.#target;
    if (kind === 'ws') this.#onReady();
    if (kind === 'ours') {
      this.socket.write(masked(JSON.stringify({ type: 'auth', token: this.#token })));
      this.socket.write(masked(JSON.stringify({ type: 'subscribe', channel: 'chatroom', chatroomId: room })));
    }
    return bytes.subarray(end + 4);
  }

  #onText(payload: Buffer): void {
    if (this.#target.kind === 'socket.io') this.#onEngineIo(payload);
    else if (this.#target.kind === 'ws') take(payload);
    else this.#onOurs(payload);
  }

  #onOurs(payload: Buffer): void {
    const start = payload.toString('latin1', 0, 40);
    if (start.includes('subscribe:success')) this.#onReady();
    else if (start.includes('error')) tell({ error: payload.toString() });
    else take(payload);
  }

  /** Engine.IO's open, ping and message; Socket.IO's connect and event. */
  #onEngineIo(payload: Buffer): void {
    const start = payload.toString('latin1', 0, 2);
    if (start[0] === '0') this.socket.write(masked('40'));
    else if (start[0] === '2') this.socket.write(masked('3'));
    else if (start === '40') this.#onReady();
    else if (start === '42') take(payload);
  }
}

async function connectAll({ count, ...target }: NonNullable<Order['connect']>): Promise<Connected> {
  const { tokens = [] } = target;
  const startedMs = performance.now();
  const times: number[] = [];
  let opened = 0;
  const lane = async () => {
    while (opened < count) {
      const token = tokens[opened++ % tokens.length];
      const openedMs = performance.now();
      await new Promise<void>((resolve) => {
        clients.push(new Client(target, token, resolve));
      });
      times.push((performance.now() - openedMs) * 1000);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { connectedMs: performance.now() - startedMs, ...percentilesOf(times) };
}

process.on('message', async (order: Order) => {
  if (order.expect) {
    expected = order.expect;
    come = 0;
    latencies = [];
    tell({ isReady: true });
  }
  if (order.connect) tell(await connectAll(order.connect));
});
// Resets the connections, as a vanished client does.
process.on('disconnect', () => process.exit());
// The platform requires a message from each client every minute.
setInterval(() => {
  for (const client of clients) client.ping();
}, 30_000).unref();
tell({ isReady: true });
