import type { Logger } from 'pino';
import { translateDatabaseError } from '../../kernel/database/database.ts';
import type { Failure } from '../../kernel/failures.ts';
import { type LiveMessage, textOf } from '../../kernel/live/live.ts';
import { malformedMessage, type Reply, tooFast } from '../../kernel/live/live-commands.ts';
import { MAX_FAULTS } from '../../kernel/live/live-limits.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { CLOSES, type Close } from './closing.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';
import { failureOf } from './handling.ts';
import { takesToken } from './message-rate.ts';
import { type Envelope, failureData, type ReceivedCommand } from './protocol.ts';
import { authenticationFailed, commandFailed, subscribeFailed } from './realtime.live.ts';
import type { SocketWriter } from './socket-writer.ts';

interface AnsweringDeps {
  outbox: SocketWriter;
  /** Parses a message. @throws malformedMessage */
  open: (text: string) => Envelope;
  handle: (connection: Connection, received: ReceivedCommand) => Promise<Reply | undefined>;
  clock: Clock;
  log: Logger;
}

/** Processes the messages of each connection in order and responds to them. */
export function answering({ outbox, open, handle, clock, log }: AnsweringDeps) {
  const { send, closeAfter } = sendingThrough(outbox);
  const faulty = faultCounting(clock, (connection) => closeAfter(connection, CLOSES.faulty));

  function fail(connection: Connection, failure: Failure, envelope?: Envelope): void {
    const data = failureData(failure);
    const requestId = envelope?.requestId;
    if (envelope?.type === 'auth') {
      send(connection, authenticationFailed(data), requestId);
      // After a rejection the connection is closed, but not after an outage, or a client that is temporarily too fast.
      if (failure.status < 500 && !tooFast.is(failure)) {
        connection.isRefused = true;
        closeAfter(connection, CLOSES.unauthenticated);
      }
      return;
    }
    const message =
      envelope?.type === 'subscribe'
        ? subscribeFailed({ channel: envelope.channel, chatroomId: envelope.place.chatroomId, ...data })
        : commandFailed({ ...envelope?.place, ...data });
    send(connection, message, requestId);
    if ([400, 422].includes(failure.status)) faulty(connection);
  }

  async function answer(connection: Connection, envelope: Envelope): Promise<void> {
    if (connection.isRefused) return;
    try {
      const reply = await handle(connection, envelope.read());
      if (!connection.isOpen || !reply) return;
      send(connection, reply.message, envelope.requestId);
      reply.afterwards?.();
    } catch (error) {
      const onFault = (fault: unknown) => log.error(fault, 'a live message failed');
      fail(connection, failureOf(translateDatabaseError(error), onFault), envelope);
    }
  }

  return {
    send,
    onMessage(connection: Connection, text: string | undefined): void {
      const isTooFast = !takesToken(connection, clock.elapsedMs());
      if (isTooFast) connection.slowDown(SECOND_MS);
      let envelope: Envelope | undefined;
      try {
        if (text === undefined) throw malformedMessage();
        envelope = open(text);
        if (isTooFast) throw tooFast();
        const opened = envelope;
        connection.inTurn(() => answer(connection, opened));
      } catch (error) {
        fail(connection, error as Failure, envelope);
      }
    },
    /** A protocol ping counts as a message; when they come too fast, excess ones are not answered. */
    onPing(connection: Connection, data: Buffer): void {
      if (takesToken(connection, clock.elapsedMs())) connection.ws.pong(data);
      else connection.slowDown(SECOND_MS);
    },
  };
}

/** Sends messages to one connection. */
function sendingThrough(outbox: SocketWriter) {
  return {
    send: (connection: Connection, message: LiveMessage, requestId?: string | number): void =>
      outbox.put(connection, frameOf(textOf(message, requestId))),
    closeAfter: (connection: Connection, close: Close): void => {
      outbox.drain(connection);
      connection.close(close);
    },
  };
}

/** Counts messages that no correct client sends, and reports a connection that exceeds the limit. */
function faultCounting(clock: Clock, onTooMany: (connection: Connection) => void) {
  return (connection: Connection): void => {
    const nowMs = clock.elapsedMs();
    if (nowMs - connection.faultsSinceMs > MINUTE_MS) {
      connection.faults = 0;
      connection.faultsSinceMs = nowMs;
    }
    if (++connection.faults > MAX_FAULTS) onTooMany(connection);
  };
}
