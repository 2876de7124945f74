import type { Core } from '../../kernel/core.ts';
import { rollCall } from '../../kernel/distributed/roll-call.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { Actor } from '../../kernel/records/audit.ts';
import { personLookup } from '../administration/contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection } from './connection.ts';
import { MOST_LISTED, SHOWN_ROOMS } from './live-administration.model.ts';
import type { SocketWriter } from './socket-writer.ts';

export const connectionNotFound = notFound('Connection');

const ROOM = liveChannel.room('');
/** The rate of frames is that of the last period or two. */
const PERIOD_MS = 5_000;
const SECOND_MS = 1_000;

interface NodeFigures {
  id: string;
  connections: number;
  rooms: number;
  framesPerSecond: number;
  slow: number;
  bus: boolean;
}

/** A connection as its process describes it. */
interface Described {
  id: ObjectId;
  userId: ObjectId | null;
  sessionId: ObjectId | null;
  node: string;
  sinceMs: number;
  rooms: ObjectId[];
}

type Question =
  | { kind: 'node' }
  | { kind: 'list'; userId?: ObjectId }
  | { kind: 'find' | 'close'; id: ObjectId };

interface Answered {
  figures?: NodeFigures;
  connections?: Described[];
}

interface LiveAdministrationDeps
  extends Pick<Core, 'bus' | 'node' | 'newId' | 'database' | 'audit' | 'clock'> {
  connections: Set<Connection>;
  channels: Channels;
  counts: SocketWriter['counts'];
  identity: Pick<Identity, 'contactsOf' | 'devicesOf'>;
}

/** The live channel over all processes, as administrators see it. */
export function liveAdministration(deps: LiveAdministrationDeps) {
  const { bus, node, newId, database, audit, clock, connections, channels, counts, identity } = deps;
  const rate = frameRate(counts);

  function describe(connection: Connection): Described {
    connection.id ??= newId();
    const rooms = [...connection.subscriptions.keys()].filter((name) => name.startsWith(ROOM));
    return {
      id: connection.id,
      userId: connection.caller?.userId ?? null,
      sessionId: connection.caller?.sessionId ?? null,
      node,
      sinceMs: Math.round(clock.now() - (clock.elapsedMs() - connection.openedAtMs)),
      rooms: rooms.slice(0, SHOWN_ROOMS).map((name) => name.slice(ROOM.length)),
    };
  }

  /** Returns connections of this process, newest first. */
  function listed(userId: ObjectId | undefined): Described[] {
    const own = [...connections].filter(
      ({ isOpen, caller }) => isOpen && (userId === undefined || caller?.userId === userId),
    );
    return own.slice(-MOST_LISTED).reverse().map(describe);
  }

  function answer(question: Question): Answered | undefined {
    if (question.kind === 'node') return { figures: figures() };
    if (question.kind === 'list') return { connections: listed(question.userId) };
    const found = [...connections].find(({ id, isOpen }) => isOpen && id === question.id);
    if (!found) return undefined;
    const described = describe(found);
    if (question.kind === 'close') found.close(CLOSES.byOperator);
    return { connections: [described] };
  }

  function figures(): NodeFigures {
    const rooms = [...channels.byName.values()].filter(
      ({ name, subscriptions }) => name.startsWith(ROOM) && subscriptions.length > 0,
    );
    return {
      id: node,
      connections: connections.size,
      rooms: rooms.length,
      framesPerSecond: rate.perSecond(),
      slow: counts.slow,
      bus: bus.isConnected(),
    };
  }

  const calls = rollCall<Question, Answered>({ bus, node, name: 'realtime', answer });
  const connectionsOf = async (question: Question): Promise<Described[]> =>
    (await calls.ask(question)).flatMap(({ connections: some }) => some ?? []);

  async function nodes(): Promise<NodeFigures[]> {
    const all = (await calls.ask({ kind: 'node' })).flatMap(({ figures: one }) => one ?? []);
    return all.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  return {
    async start(): Promise<void> {
      rate.start();
      await calls.start();
    },
    stop: rate.stop,
    /** Returns the figures of the processes that answer. */
    nodes,
    /** Returns how many connections all processes have. */
    count: async (): Promise<number> => (await nodes()).reduce((sum, one) => sum + one.connections, 0),
    /** Returns connections of all processes, newest first. */
    async list(userId: ObjectId | undefined) {
      const question: Question = userId === undefined ? { kind: 'list' } : { kind: 'list', userId };
      const all = (await connectionsOf(question)).sort((a, b) => b.sinceMs - a.sinceMs).slice(0, MOST_LISTED);
      const [personOf, devices] = await Promise.all([
        personLookup(
          identity,
          all.flatMap((one) => one.userId ?? []),
        ),
        identity.devicesOf(all.flatMap(({ sessionId }) => sessionId ?? [])),
      ]);
      return all.map(({ sessionId, sinceMs, ...one }) => ({
        ...one,
        user: one.userId === null ? null : personOf(one.userId),
        since: new Date(sinceMs),
        device: (sessionId && devices.get(sessionId)) || null,
      }));
    },
    /** Closes a connection of any process; recorded in the audit log. @throws connectionNotFound */
    async close(id: ObjectId, actor: Actor): Promise<{ id: ObjectId; userId: ObjectId | null }> {
      const [found] = await connectionsOf({ kind: 'find', id });
      if (!found) throw connectionNotFound();
      const { userId, node: holder } = found;
      await database.transaction((tx) =>
        audit.record(tx, {
          ...actor,
          action: 'live.connection-closed',
          target: userId ?? id,
          details: { connectionId: id, node: holder },
        }),
      );
      await calls.ask({ kind: 'close', id });
      return { id, userId };
    },
  };
}

export type LiveAdministration = ReturnType<typeof liveAdministration>;

/** Measures the frames per second. */
function frameRate(counts: SocketWriter['counts']) {
  const now = () => ({ frames: counts.frames, atMs: performance.now() });
  let [older, newer] = [now(), now()];
  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      timer = setInterval(() => {
        [older, newer] = [newer, now()];
      }, PERIOD_MS).unref();
    },
    stop: (): void => clearInterval(timer),
    perSecond(): number {
      const { frames, atMs } = now();
      const seconds = Math.max(SECOND_MS, atMs - older.atMs) / SECOND_MS;
      return Math.round(((frames - older.frames) / seconds) * 10) / 10;
    },
  };
}
