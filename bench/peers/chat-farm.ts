// The clients of the part `chat`, in a process of their own: bare sockets, the same for every server. A client sends its
// next message as soon as its last one has come back to it.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { markOf, PROTOCOLS, type Target } from './chat-protocols.ts';

export interface Order {
  /** The clients connect, after a crash anew. */
  enter?: Target;
  /** The clients send for so long, and then wait for all copies. */
  talk?: { seconds: number };
  /** The clients send until the server is gone. */
  talkUntilKilled?: true;
  /** The clients send again what had not come back when the server was killed. */
  resend?: true;
}

export interface Talked {
  perSecond: number;
  answered: number;
  p50Ms: number;
  p99Ms: number;
}

const CLIENTS = 32;
const MARK_LENGTH = 12;
const CARET = 0x5e;
const BRACE = 0x7b;
const ERROR = Buffer.from('error"');
const DUPLICATE = Buffer.from('"duplicate":true');
const TEXT = `Gold breaks out! ${'It goes up and up. '.repeat(4)}`;
const LANES = 50;
const PATIENCE_MS = 20_000;

const tell = (what: object): void => {
  process.send?.(what);
};

let target: Target;
let isTalking = false;
/** Whether there is no server. */
let isKilled = true;
let [sent, come, answered] = [0, 0, 0];
let latencies: number[] = [];
/** All connections read into it, one after another. */
const SHARED = Buffer.alloc(1024 * 1024);
const NOTHING: Buffer = Buffer.alloc(0);

function open(steps: { send: string | Buffer; until: string }[], take: (bytes: Buffer) => void) {
  return new Promise<Socket>((resolve) => {
    let got = '';
    let left = steps.slice();
    const go = (bytes: Buffer): void => {
      got += bytes.toString('latin1');
      if (!got.includes(left[0]?.until as string)) return;
      got = '';
      left = left.slice(1);
      if (left[0]) socket.write(left[0].send);
      else resolve(socket);
    };
    const callback = (length: number): boolean => {
      const bytes = SHARED.subarray(0, length);
      if (left.length > 0) go(bytes);
      else take(bytes);
      return true;
    };
    const onread = { buffer: SHARED, callback };
    const socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true, onread });
    const isLost = (why: string) => !isKilled && tell({ error: `${target.kind}: ${why}` });
    socket.on('error', (error) => isLost(error.message));
    socket.on('close', () => isLost('the server has closed a connection'));
    socket.write(left[0]?.send as string);
  });
}

class Client {
  readonly number: number;
  /** The number of the last message, and whether it is still to come back. */
  last = 0;
  isWaiting = false;
  listener: Socket | undefined;
  /** The connections over which messages are sent in turns; the listener's own by default. */
  senders: Socket[] = [];
  #tens = 0;
  #ones = 0;
  #rest = NOTHING;
  #hasCopy = false;
  #hasAcknowledgement = false;
  #sentMs = 0;

  constructor(number: number) {
    this.number = number;
    [this.#tens, this.#ones] = [...Buffer.from(markOf(number, 0).slice(1, 3))] as [number, number];
  }

  /** Forgets what had arrived in part. */
  reset(): void {
    this.#rest = NOTHING;
    this.listener = undefined;
    this.senders = [];
  }

  send(): void {
    if (!this.isWaiting) this.last++;
    this.isWaiting = true;
    this.#hasCopy = false;
    this.#hasAcknowledgement = !PROTOCOLS[target.kind].isAcknowledged;
    const text = TEXT + markOf(this.number, this.last);
    const sender = this.senders[this.last % this.senders.length] as Socket;
    this.#sentMs = performance.now();
    sent++;
    sender.write(PROTOCOLS[target.kind].message(target, this.number, `c${this.number}-${this.last}`, text));
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = NOTHING;
    if (!this.#hasAcknowledgement && chunk.includes(BRACE)) {
      this.#hasAcknowledgement = true;
      this.#goOn();
    }
    for (let at = bytes.indexOf(CARET); at >= 0; at = bytes.indexOf(CARET, at + 1)) {
      if (at + MARK_LENGTH > bytes.length) {
        this.#rest = Buffer.from(bytes.subarray(at));
        return;
      }
      // The length of a frame may look like a caret, but no digit follows it.
      if (bytes[at + 1] === BRACE) continue;
      come++;
      if (bytes[at + 1] === this.#tens && bytes[at + 2] === this.#ones) this.#takeOwn(bytes, at + 3);
    }
  }

  #takeOwn(bytes: Buffer, at: number): void {
    if (Number(bytes.toString('latin1', at, at + MARK_LENGTH - 3)) !== this.last) return;
    this.#hasCopy = true;
    this.#goOn();
  }

  /** Of what comes to a connection that only sends, all but errors and answers to what was sent twice is passed over. */
  takeReply(bytes: Buffer): void {
    if (bytes.includes(ERROR)) tell({ error: bytes.toString('latin1', 0, 300) });
    if (!bytes.includes(DUPLICATE)) return;
    this.#hasCopy = true;
    this.#goOn();
  }

  #goOn(): void {
    if (!this.isWaiting || !this.#hasCopy || !this.#hasAcknowledgement) return;
    this.isWaiting = false;
    answered++;
    latencies.push(performance.now() - this.#sentMs);
    if (isTalking) this.send();
  }
}

const clients = Array.from({ length: CLIENTS }, (_, number) => new Client(number));

/** Each client listens with a token of its own; the other tokens are shared among them to send in turns. */
async function enter(): Promise<void> {
  isKilled = false;
  const { tokens = [] } = target;
  const { enter } = PROTOCOLS[target.kind];
  for (const client of clients) {
    const { number } = client;
    client.reset();
    client.listener = await open(enter(target, number, tokens[number], true), (bytes) => client.take(bytes));
    if (tokens.length === 0) client.senders = [client.listener];
  }
  const others = tokens.slice(CLIENTS).entries();
  const lane = async (): Promise<void> => {
    for (const [place, token] of others) {
      const client = clients[place % CLIENTS] as Client;
      const { senders, number } = client;
      const turn = Math.floor(place / CLIENTS);
      senders[turn] = await open(enter(target, number, token, false), (bytes) => client.takeReply(bytes));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function start(): number {
  [sent, come, answered, latencies] = [0, 0, 0, []];
  isTalking = true;
  for (const client of clients) client.send();
  return performance.now();
}

async function talk(seconds: number): Promise<Talked> {
  const startedMs = start();
  await sleep(seconds * 1000);
  const all = latencies.toSorted((a, b) => a - b);
  const perSecond = (answered * 1000) / (performance.now() - startedMs);
  isTalking = false;
  await until(() => come === sent * CLIENTS && clients.every(({ isWaiting }) => !isWaiting));
  const at = (part: number) => all[Math.floor(part * (all.length - 1))] as number;
  return { perSecond, answered, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function until(isSo: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadlineMs) {
      const waiting = clients.filter(({ isWaiting }) => isWaiting).length;
      throw new Error(
        `${target.kind}: ${waiting} clients wait, ${come} of ${sent * CLIENTS} copies have come`,
      );
    }
    await sleep(5);
  }
}

async function resend(): Promise<void> {
  for (const client of clients) if (client.isWaiting) client.send();
  await until(() => clients.every(({ isWaiting }) => !isWaiting));
}

/** Returns for each client the number of its last message that came back. */
async function talkUntilKilled(): Promise<number[]> {
  isKilled = true;
  const closed = clients.flatMap(({ listener, senders }) =>
    [listener as Socket, ...senders].map((socket) => once(socket, 'close').catch(() => undefined)),
  );
  start();
  await Promise.all(closed);
  isTalking = false;
  return clients.map(({ last, isWaiting }) => (isWaiting ? last - 1 : last));
}

process.on('message', async (order: Order) => {
  try {
    if (order.enter) {
      target = order.enter;
      tell({ done: await enter() });
    }
    if (order.talk) tell({ done: await talk(order.talk.seconds) });
    if (order.resend) tell({ done: await resend() });
    if (order.talkUntilKilled) tell({ done: await talkUntilKilled() });
  } catch (error) {
    tell({ error: (error as Error).message });
  }
});
process.on('disconnect', () => process.exit());
setInterval(() => {
  const keepAlive = isKilled ? undefined : PROTOCOLS[target.kind].keepAlive;
  if (!keepAlive) return;
  for (const { listener, senders } of clients)
    for (const socket of new Set([listener, ...senders])) socket?.write(keepAlive);
}, 30_000).unref();
tell({ done: {} });
