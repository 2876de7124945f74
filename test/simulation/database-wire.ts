import { Socket } from 'node:net';
import { dirname, join } from 'node:path';

/** What happens to a statement on its way to the database: it passes, or the connection breaks before or after it. */
export type Verdict = 'pass' | 'cut before' | 'cut after';

/** The connections of one simulated process to its database, which can all be broken at the same instant. */
export interface DatabaseWire {
  /** The socket folder to give to the process as the host of its database. */
  host: string;
  /** Breaks all connections; new ones are possible. */
  cut(): void;
  /** Breaks all connections, and refuses new ones. */
  close(): void;
}

interface Wire {
  socketFolder: string;
  isGone: boolean;
  /** Whether its connections are about to break; nothing more is sent then. */
  isBreaking: boolean;
  sockets: Set<Socket>;
  onStatement: (startupMessage: string) => Verdict;
}

/** The messages of PostgreSQL's protocol that end a statement: `Query` and `Sync`. */
const ENDS = [0x51, 0x53];
/** The prefix of the folders that stand for wires. They do not exist on disk. */
const NOWHERE = '/simulated-database';

const wires = new Map<string, Wire>();
let wireCount = 0;

/**
 * Opens a breakable route to a database for one simulated process. Connections go directly to the database, without a
 * proxy. The writes of their sockets are intercepted in this process, so that they can break between two statements.
 * @param onStatement decides about each statement; `startupMessage` is the connection's first message and contains the
 *   name of its pool
 */
export function databaseWire(
  socketFolder: string,
  onStatement: (startupMessage: string) => Verdict,
): DatabaseWire {
  if (wireCount === 0) redirect();
  const host = `${NOWHERE}-${++wireCount}`;
  const wire: Wire = { socketFolder, isGone: false, isBreaking: false, sockets: new Set(), onStatement };
  wires.set(host, wire);
  return {
    host,
    cut: () => cut(wire),
    close: () => {
      wire.isGone = true;
      cut(wire);
      wires.delete(host);
    },
  };
}

function cut(wire: Wire): void {
  wire.isBreaking = false;
  for (const socket of wire.sockets)
    socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
}

/** Patches `Socket.connect` to lead the folders of open wires to the database's socket. Closed wires lead nowhere. */
function redirect(): void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
    const [path] = given;
    const wire = typeof path === 'string' ? wires.get(dirname(path)) : undefined;
    if (!wire) return connect.apply(this, given as Parameters<typeof connect>);
    connect.call(this, join(wire.socketFolder, '.s.PGSQL.5432'));
    // After `connect`, which resets the `write` of a socket.
    watch(this, wire);
    return this;
  } as typeof connect;
}

/** Intercepts the statements that a socket sends. */
function watch(socket: Socket, wire: Wire): void {
  let startupMessage: string | undefined;
  wire.sockets.add(socket);
  socket.once('close', () => wire.sockets.delete(socket));
  const send = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  const verdictOn = (data: Uint8Array): Verdict => {
    startupMessage ??= Buffer.from(data).toString('latin1');
    return ENDS.includes(data[0] as number) ? wire.onStatement(startupMessage) : 'pass';
  };
  socket.write = ((data: Uint8Array, ...rest: unknown[]) => {
    if (wire.isBreaking || wire.isGone) return false;
    const verdict = verdictOn(data);
    if (verdict === 'pass') return send(data, ...rest);
    const hasRoom = verdict === 'cut after' && send(data, ...rest);
    wire.isBreaking = true;
    // Earlier writes of this turn of the event loop leave only at its end.
    process.nextTick(() => cut(wire));
    return hasRoom;
  }) as typeof socket.write;
}
