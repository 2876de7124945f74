// The clients of the benchmark of the live channel, in a process of their own: bare sockets with as much of a WebSocket
// as it takes, the same for every server.
import { connect, type Socket } from 'node:net';

interface Target {
  url: string;
  kind: string;
  token?: string;
  room?: string;
}

interface Order {
  connect?: Target & { count: number };
  /** Report once so many messages have come. */
  expect?: number;
}

const LANES = 100;
const clients: Client[] = [];
let expected = 0;
let come = 0;
let latencies: number[] = [];

const tell = (what: object): void => {
  process.send?.(what);
};

function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}

const AT = Buffer.from('"at":"');

/** A message that the server timed. */
function take(payload: Buffer): void {
  const start = payload.indexOf(AT);
  if (start < 0) return;
  const end = payload.indexOf(0x22, start + AT.length);
  const atUs = Number(payload.toString('latin1', start + AT.length, end)) / 1000;
  latencies.push(Number(process.hrtime.bigint()) / 1000 - atUs);
  if (++come !== expected) return;
  latencies.sort((a, b) => a - b);
  const at = (part: number) => (latencies[Math.floor(part * (latencies.length - 1))] as number) / 1000;
  tell({ come, p50Ms: at(0.5), p99Ms: at(0.99) });
}

const PATHS: Record<string, string> = {
  ours: '/v1/live',
  ws: '/',
  'socket.io': '/socket.io/?EIO=4&transport=websocket',
};
const NOTHING: Buffer = Buffer.alloc(0);

class Client {
  readonly socket: Socket;
  readonly #target: Target;
  readonly #onReady: () => void;
  #rest = NOTHING;
  #isUpgraded = false;

  constructor(target: Target, onReady: () => void) {
    const { hostname, port, host } = new URL(target.url);
    this.#target = target;
    this.#onReady = onReady;
    this.socket = connect(Number(port), hostname);
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => this.#onData(chunk));
    this.socket.on('error', (error) => tell({ error: error.message }));
    this.socket.write(
      `GET ${PATHS[target.kind]} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  }

  #onData(chunk: Buffer): void {
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

  #upgrade(bytes: Buffer): Buffer {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return bytes;
    if (!bytes.includes(' 101 ')) tell({ error: bytes.toString('latin1', 0, 40) });
    this.#isUpgraded = true;
    const { kind, token, room } = this.#target;
    if (kind === 'ws') this.#onReady();
    if (kind === 'ours') {
      this.socket.write(masked(JSON.stringify({ type: 'auth', token })));
      this.socket.write(masked(JSON.stringify({ type: 'subscribe', channel: 'chatroom', chatroomId: room })));
    }
    return bytes.subarray(end + 4);
  }

  #onText(payload: Buffer): void {
    if (this.#target.kind === 'socket.io') this.#onEngineIo(payload);
    else if (payload.subarray(0, 40).includes('subscribe:success')) this.#onReady();
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

async function connectAll({ count, ...target }: NonNullable<Order['connect']>): Promise<void> {
  let opened = 0;
  const lane = async () => {
    while (opened++ < count)
      await new Promise<void>((resolve) => {
        clients.push(new Client(target, resolve));
      });
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

process.on('message', async (order: Order) => {
  if (order.expect) {
    expected = order.expect;
    come = 0;
    latencies = [];
    tell({ isReady: true });
  }
  if (order.connect) {
    const startedMs = performance.now();
    await connectAll(order.connect);
    tell({ connectedMs: performance.now() - startedMs });
  }
});
// Ours asks for a sign of life each minute.
setInterval(() => {
  for (const { socket } of clients) socket.write(masked('{"type":"ping"}'));
}, 30_000).unref();
tell({ isReady: true });
