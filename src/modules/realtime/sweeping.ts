import { type LiveMessage, liveChannel } from '../../kernel/live/live.ts';
import { AUTH_MS, SILENCE_MS, STALLED_MS } from '../../kernel/live/live-limits.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import type { Chat } from '../chat/contract.ts';
import type { AccessReview } from './access-review.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection } from './connection.ts';
import { tokenExpiring } from './realtime.live.ts';

const SWEEP_MS = SECOND_MS;
/** Grace period for a client that is late with a new token. */
const GRACE_MS = 30 * SECOND_MS;
const SESSION_CHECK_MS = 10 * SECOND_MS;
const ROOM_CHECK_MS = 25 * SECOND_MS;
const ROOMS_AT_ONCE = 1_000;

interface SweepDeps {
  connections: Set<Connection>;
  channels: Channels;
  judge: AccessReview;
  chat: Pick<Chat, 'seqs'>;
  send: (connection: Connection, message: LiveMessage) => void;
  onSlow: (connection: Connection) => void;
  clock: Clock;
  onError: (error: Error) => void;
}

/**
 * Periodic checks of all connections with shared timers: sign-in, silence, and expiry of tokens and sessions; and
 * recovery of room messages that the bus has lost.
 */
export function sweeping({ connections, channels, judge, chat, send, onSlow, clock, onError }: SweepDeps) {
  const roomPrefix = liveChannel.room('');

  function sweepOne(connection: Connection, elapsedMs: number, nowMs: number): void {
    if (!connection.isOpen) endClosing(connection);
    else if (elapsedMs - connection.receivedAtMs >= SILENCE_MS) connection.close(CLOSES.silent);
    else if (hasStalled(connection, elapsedMs)) onSlow(connection);
    else if (connection.caller) sweepMember(connection, nowMs);
    else if (elapsedMs - connection.openedAtMs >= AUTH_MS) connection.close(CLOSES.authTimeout);
  }

  /** Terminates half-open sockets, for which the library would wait indefinitely. */
  function endClosing(connection: Connection): void {
    if (connection.isClosing) connection.ws.terminate();
    connection.isClosing = true;
  }

  function sweepMember(connection: Connection, nowMs: number): void {
    if (nowMs >= connection.expiresAtMs + GRACE_MS) connection.close(CLOSES.tokenExpired);
    else if (nowMs >= connection.renewalAtMs) {
      connection.renewalAtMs = Number.POSITIVE_INFINITY;
      send(connection, tokenExpiring({ expiresAt: new Date(connection.expiresAtMs) }));
    }
  }

  /** Compares rooms with the database, because the bus delivers at most once. */
  async function checkRooms(): Promise<void> {
    const rooms = [...channels.byName.values()].filter(({ name }) => name.startsWith(roomPrefix));
    for (let at = 0; at < rooms.length; at += ROOMS_AT_ONCE) {
      const some = rooms.slice(at, at + ROOMS_AT_ONCE);
      const seqs = await chat.seqs(some.map(({ name }) => name.slice(roomPrefix.length)));
      for (const channel of some) {
        const seq = seqs.get(channel.name.slice(roomPrefix.length));
        if (seq !== undefined) channels.learn(channel, seq);
      }
    }
  }

  /** Ends the subscriptions of members who lost access while the bus was unavailable. */
  async function checkReaders(): Promise<void> {
    const rooms = [...channels.byName.values()].filter(({ name }) => name.startsWith(roomPrefix));
    await judge.checkReaders(rooms.flatMap(({ subscriptions }) => subscriptions));
  }

  const checkSessions = async (): Promise<void> => {
    await judge.checkKeys(connections);
    await judge.checkSessions(connections);
  };
  const checkAll = async (): Promise<void> => {
    await checkRooms();
    await checkSessions();
    await checkReaders();
  };
  let running = Promise.resolve();
  let following: Promise<void> | undefined;
  /** Checks once after the present check for everybody who asked meanwhile: each process tells each of a recovery. */
  function check(): Promise<void> {
    following ??= running
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        running = checkAll();
        return running;
      });
    return following;
  }

  const every = (ms: number, work: () => unknown) =>
    setInterval(() => void Promise.resolve(work()).catch(onError), ms).unref();
  const timers = [
    every(SWEEP_MS, () => {
      const [elapsedMs, nowMs] = [clock.elapsedMs(), clock.now()];
      for (const connection of connections) sweepOne(connection, elapsedMs, nowMs);
    }),
    every(SESSION_CHECK_MS, checkSessions),
    every(ROOM_CHECK_MS, check),
  ];
  return {
    /** Checks now for messages that the bus has lost. */
    check,
    stop: (): void => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** Returns whether a client has accepted no data of a portion for too long; records the number of unsent bytes. */
function hasStalled(connection: Connection, elapsedMs: number): boolean {
  const { unread, socket } = connection;
  if (!unread) return false;
  if (socket.writableLength >= unread.bytes) return elapsedMs - unread.sinceMs >= STALLED_MS;
  connection.unread = { bytes: socket.writableLength, sinceMs: elapsedMs };
  return false;
}
