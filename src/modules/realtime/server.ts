import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { MAX_MESSAGE_KIBIBYTES } from '../../kernel/live/live-limits.ts';
import type { RequestLoad } from '../../kernel/messaging/back-off.ts';
import { addressGroup } from '../../kernel/net/addresses.ts';
import { CLOSES, type Close } from './closing.ts';
import { Connection } from './connection.ts';
import type { ConnectionSlots } from './connection-slots.ts';
import type { FailedUpgrades } from './failed-upgrades.ts';

const PATH = '/v1/live';
/** Maximum size of a message; a larger one closes the connection with 1009. */
const CLOSE_PATIENCE_MS = 2_000;
/** How long a client may take to answer a close, or to disconnect after a rejection. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Between two closes while the process retires. */
const SPREAD_STEP_MS = 50;

interface ServerDeps {
  connections: Set<Connection>;
  places: ConnectionSlots;
  strangers: FailedUpgrades;
  /** Allowed origins of browsers besides our own; undefined allows all. */
  origins: string[] | undefined;
  /** Returns the address of a request's client. */
  addressOf: (request: IncomingMessage) => string;
  elapsedMs: () => number;
  onMessage: (connection: Connection, text: string | undefined) => void;
  onPing: (connection: Connection, data: Buffer) => void;
  onClose: (connection: Connection) => void;
  /** Called when the server refuses an upgrade, with the status. */
  onRefused: (status: string) => void;
  /** Called when the server closes a connection. */
  onServerClose: (close: Close) => void;
  /** Writes pending frames immediately, before the connection closes. */
  flush: (connection: Connection) => void;
  load: RequestLoad;
}

/** The HTTP side of the WebSocket: admission and shutdown of connections. */
export function webSocketServer(deps: ServerDeps) {
  const {
    connections,
    places,
    strangers,
    origins,
    addressOf,
    elapsedMs,
    onMessage,
    onPing,
    onClose,
    flush,
    load,
  } = deps;
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_KIBIBYTES * 1024,
    autoPong: false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  };
  const sockets = new WebSocketServer(options);
  let isDraining = false;

  /** Returns the reason why a request is refused; undefined if it is admitted. */
  function refusalOf(request: IncomingMessage, address: string): string | undefined {
    const waitSeconds = strangers.waitSeconds(address);
    if (waitSeconds > 0) return `429 Too Many Requests\r\nRetry-After: ${waitSeconds}`;
    // Compared as text, because parsing an invalid URL would throw outside of any handler.
    const path = (request.url ?? '').split('?', 1)[0] as string;
    if (path.replace(/\/$/, '') !== PATH) return '404 Not Found';
    if (isDraining) return '503 Service Unavailable';
    const { origin, host } = request.headers;
    const isOurs = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
    if (origins && !isOurs && !origins.includes(origin)) return '403 Forbidden';
    return undefined;
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Ignores errors until the library handles them.
    const ignore = () => undefined;
    socket.on('error', ignore);
    const address = addressGroup(addressOf(request));
    const refusal = refusalOf(request, address);
    if (refusal) {
      deps.onRefused(refusal.slice(0, 3));
      // Refusals because of a stopping process are not the client's fault and do not count.
      if (/^40[34]/.test(refusal)) strangers.note(address);
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignore);
      open(ws, socket, address);
    });
  }

  function open(ws: WebSocket, socket: Duplex, address: string): void {
    ws.on('error', () => undefined); // `close` follows
    if (places.isFull(connections.size)) {
      deps.onServerClose(CLOSES.full);
      ws.close(CLOSES.full.code, CLOSES.full.reason);
      return;
    }
    const connection = new Connection(ws, socket, address, elapsedMs());
    connection.onServerClose = deps.onServerClose;
    connections.add(connection);
    places.wait(connection)?.close(CLOSES.full);
    ws.on('message', (data: RawData, isBinary: boolean) => {
      connection.receivedAtMs = elapsedMs();
      load.countRequest();
      onMessage(connection, isBinary ? undefined : data.toString());
    });
    ws.on('ping', (data: Buffer) => {
      connection.receivedAtMs = elapsedMs();
      onPing(connection, data);
    });
    ws.on('close', () => {
      places.free(connection);
      connections.delete(connection);
      if (!connection.caller) strangers.note(connection.address);
      onClose(connection);
    });
  }

  async function closeForRestart(connection: Connection): Promise<void> {
    await Promise.race([connection.settled(), sleep(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
    flush(connection);
    connection.close(CLOSES.restart);
  }

  async function allClosed(patienceMs: number): Promise<void> {
    for (
      const untilMs = performance.now() + patienceMs;
      connections.size > 0 && performance.now() < untilMs;
    )
      await sleep(20);
  }

  return {
    attach(server: Server): void {
      server.on('upgrade', upgrade);
    },
    /**
     * Closes the open connections one after another until the time is over, so that their members do not all sign
     * in elsewhere at once. In the first half of the time it closes none, because load balancers send new ones
     * until they notice.
     */
    retire(forMs: number): void {
      const open = [...connections];
      const total = open.length;
      const beginMs = performance.now() + forMs / 2;
      const timer = setInterval(() => {
        const share = (performance.now() - beginMs) / (forMs / 2);
        const left = Math.ceil(Math.min(1, 1 - share) * total);
        for (const connection of open.splice(0, open.length - left)) void closeForRestart(connection);
        if (open.length === 0 || isDraining) clearInterval(timer);
      }, SPREAD_STEP_MS).unref();
    },
    /** Rejects new connections, waits for pending responses, then closes all connections with a restart. */
    async drain(): Promise<void> {
      isDraining = true;
      await Promise.all([...connections].map(closeForRestart));
      await allClosed(CLOSE_PATIENCE_MS);
      for (const { ws } of connections) ws.terminate();
      await allClosed(CLOSE_PATIENCE_MS);
    },
  };
}
