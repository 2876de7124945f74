import { Socket } from 'node:net';
import { dirname, join } from 'node:path';

/** What happens at a statement on its way to the database. */
export type Verdict = 'pass' | 'cut before' | 'cut after';

/** The connections of one process to its database, which can be broken at one instant. */
export interface DatabaseWire {
  /** The folder that the process is told to find the database's socket in. */
  host: string;
  /** Breaks all connections; new ones are possible. */
  cut(): void;
  /** Breaks all connections, and refuses new ones. */
  close(): void;
}

interface Wire {
  socketFolder: string;
  isGone: boolean;
  /** While its connections are about to break, nothing more is sent. */
  isBreaking: boolean;
  sockets: Set<Socket>;
  onStatement: (greeting: string) => Verdict;
}

/** The messages of PostgreSQL's protocol that end a statement: `Query` and `Sync`. */
const ENDS = [0x51, 0x53];
/** Folders of this name lead to a wire; nothing of it exists. */
const NOWHERE = '/simulated-database';

const wires = new Map<string, Wire>();
let made = 0;

/**
 * Makes a way to a database for one process of the simulation. A connection is an ordinary one, without a hop between: its
 * client is watched in this process, so that it breaks between two statements, however they are sent.
 * @param onStatement judges each statement; `greeting` is what the connection sent first, which names its pool
 */
export function databaseWire(socketFolder: string, onStatement: (greeting: string) => Verdict): DatabaseWire {
  if (made === 0) redirect();
  const host = `${NOWHERE}-${++made}`;
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

/** Has connections to folders of wires lead to the database; those of wires that are gone find nothing. */
function redirect(): void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...given: unknown[]): Socket {
    const [path] = given;
    const wire = typeof path === 'string' ? wires.get(dirname(path)) : undefined;
    if (!wire) return connect.apply(this, given as Parameters<typeof connect>);
    connect.call(this, join(wire.socketFolder, '.s.PGSQL.5432'));
    // Only now: `connect` gives a socket its first `write` back.
    watch(this, wire);
    return this;
  } as typeof connect;
}

/** Judges what a client sends. */
function watch(socket: Socket, wire: Wire): void {
  let greeting: string | undefined;
  wire.sockets.add(socket);
  socket.once('close', () => wire.sockets.delete(socket));
  const send = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  const judged = (data: Uint8Array): Verdict => {
    greeting ??= Buffer.from(data).toString('latin1');
    return ENDS.includes(data[0] as number) ? wire.onStatement(greeting) : 'pass';
  };
  socket.write = ((data: Uint8Array, ...rest: unknown[]) => {
    if (wire.isBreaking || wire.isGone) return false;
    const verdict = judged(data);
    if (verdict === 'pass') return send(data, ...rest);
    const isBelow = verdict === 'cut after' && send(data, ...rest);
    wire.isBreaking = true;
    // What was sent before in this turn is on its way only at its end.
    process.nextTick(() => cut(wire));
    return isBelow;
  }) as typeof socket.write;
}
