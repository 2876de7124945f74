import { connect, type Socket } from 'node:net';

export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Number of answers by status. */
  statuses: Record<string, number>;
  /** Number of answers in the whole run, including the warm-up. */
  answered: number;
}

interface LoadOptions {
  /** One server, or several among which the connections are shared. */
  url: string | string[];
  connections: number;
  seconds: number;
  /** Two by default. */
  warmUpSeconds?: number;
  /** Maximum number of requests per second on all connections together; by default unlimited. */
  ratePerSecond?: number;
  /** Whether the server ends each connection after one answer; connecting is then part of each request. */
  closes?: boolean;
  /** Returns the bytes of the next request; {@link request} makes them. */
  next: () => Buffer;
}

/** Returns a complete HTTP request, made in advance so that making it is not measured. */
export function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Buffer {
  const text = body ? JSON.stringify(body) : '';
  const all: Record<string, string> = { host: 'bench', ...headers };
  if (body) {
    all['content-type'] = 'application/json';
    all['content-length'] = String(Buffer.byteLength(text));
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}

const HEAD_END = Buffer.from('\r\n\r\n');
const WARM_UP_SECONDS = 2;

/**
 * Keeps one request in flight on each connection, first to warm up, then to measure. Uses bare sockets: on a machine
 * with two cores, the CPU of the load generator reduces the measured rate.
 */
export async function load({
  url,
  connections,
  seconds,
  warmUpSeconds = WARM_UP_SECONDS,
  ratePerSecond = Number.POSITIVE_INFINITY,
  closes = false,
  next,
}: LoadOptions): Promise<LoadResult> {
  const servers = [url].flat().map((one) => new URL(one));
  let latencies: number[] = [];
  let statuses: Record<string, number> = {};
  let answered = 0;
  let running = true;
  const pauseMs = (1000 * connections) / ratePerSecond;

  function open(place: number): Socket {
    const { hostname, port } = servers[place % servers.length] as URL;
    return connect(Number(port), hostname).setNoDelay(true);
  }

  function drive(first: Socket, place: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let socket = first;
      let received: Buffer = Buffer.alloc(0);
      /** Remaining bytes of the body; undefined until the head has arrived. */
      let left: number | undefined;
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        socket.write(next());
      };
      const goOn = () => {
        if (!running) socket.end(resolve);
        else if (closes) again();
        else if (pauseMs === 0) send();
        else setTimeout(send, sentAt + pauseMs - performance.now());
      };
      /** Returns whether the whole head has arrived, and counts the bytes of the body. */
      const readHead = (chunk: Buffer): boolean => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        const headEnd = received.indexOf(HEAD_END);
        if (headEnd < 0) return false;
        const head = received.toString('latin1', 0, headEnd);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        left = length - (received.length - headEnd - HEAD_END.length);
        const status = head.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        received = Buffer.alloc(0);
        return true;
      };
      const again = () => {
        socket.destroy();
        socket = open(place).on('data', onData).on('error', reject);
        send();
      };
      const onData = (chunk: Buffer) => {
        if (left !== undefined) left -= chunk.length;
        else if (!readHead(chunk)) return;
        if ((left ?? 0) > 0) return;
        left = undefined;
        answered++;
        latencies.push(performance.now() - sentAt);
        goOn();
      };
      socket.on('data', onData).on('error', reject);
      send();
    });
  }

  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      (_, place) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = open(place).once('connect', () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  const all = sockets.map(drive);
  await pause(warmUpSeconds);
  latencies = [];
  statuses = {};
  const startedAt = performance.now();
  await pause(seconds);
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const measured = latencies.toSorted((a, b) => a - b);
  running = false;
  const counted = { ...statuses };
  await Promise.all(all);
  const percentile = (part: number) => measured[Math.floor(measured.length * part)] ?? 0;
  return {
    perSecond: measured.length / elapsedSeconds,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    statuses: counted,
    answered,
  };
}

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
