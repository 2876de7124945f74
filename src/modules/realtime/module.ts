import type { Logger } from 'pino';
import type { OpenPriceFeed } from '../../external/prices/port.ts';
import { translateDatabaseError } from '../../kernel/database/database.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Live } from '../../kernel/live.ts';
import type { Bus } from '../../kernel/shared/bus.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import type { Chat } from '../chat/contract.ts';
import type { Module } from '../contract.ts';
import { type Identity, USER_CHANGED_CHANNEL } from '../identity/contract.ts';
import type { Presence } from '../presence/contract.ts';
import { channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';
import { failureOf, handling } from './handling.ts';
import { judging } from './judging.ts';
import { liveMetrics } from './live.metrics.ts';
import { memberConnections } from './members.ts';
import { takesToken } from './pace.ts';
import { priceBoard } from './prices.ts';
import { type Envelope, failureData, malformedMessage, protocol, tooFast } from './protocol.ts';
import { webSocketServer } from './server.ts';
import { socketWriter } from './socket-writer.ts';
import { sweeping } from './sweeping.ts';

/** Faulty messages within a minute before the connection is closed. */
const MAX_FAULTS = 20;

interface RealtimeDeps {
  chat: Chat;
  identity: Pick<Identity, 'authenticateUntil' | 'callersOf'>;
  presence: Presence;
  bus: Bus;
  live: Live;
  openFeed: OpenPriceFeed | undefined;
  clock: Clock;
  log: Logger;
  settings: {
    mostConnections: number;
    maxPerMember: number;
    origins: string[] | undefined;
    isProxied: boolean;
  };
}

/** The live channel: `{ws_base_url}/v1/live` (part 2, WebSocket). */
export function realtimeModule(deps: RealtimeDeps): Module<undefined> {
  const { bus, openFeed, clock, log, settings } = deps;
  const connections = new Set<Connection>();
  const onError = (error: Error) => log.warn({ error: error.message }, 'the live channel');
  let slow = 0;
  const out = socketWriter({
    onSlow: (connection) => {
      slow++;
      connection.close(CLOSES.slow);
    },
  });
  const all = channels({ bus, outbox: out, onError });
  const prices = priceBoard({ openFeed, outbox: out });
  const members = memberConnections(settings.maxPerMember);
  const judge = judging({ ...deps, channels: all, members, onError });
  const handle = handling({ ...deps, channels: all, members, judge, prices, put: out.put });
  const openEnvelope = protocol();

  function tell(connection: Connection, type: string, data: object, requestId?: string | number): void {
    const text = JSON.stringify(requestId === undefined ? { type, data } : { type, data, requestId });
    out.put(connection, frameOf(text));
  }

  const closeAfter = (connection: Connection, close: Parameters<Connection['close']>[0]): void => {
    out.drain(connection);
    connection.close(close);
  };

  /** A message that no correct client sends: answered, and when they persist, the end. */
  function faulty(connection: Connection): void {
    const nowMs = clock.now();
    if (nowMs - connection.faultsSinceMs > MINUTE_MS) {
      connection.faults = 0;
      connection.faultsSinceMs = nowMs;
    }
    if (++connection.faults > MAX_FAULTS) closeAfter(connection, CLOSES.faulty);
  }

  function fail(connection: Connection, failure: Failure, envelope?: Envelope): void {
    const data = failureData(failure);
    const requestId = envelope?.requestId;
    const isHaste = failure.code === tooFast().code;
    if (envelope?.type === 'auth') {
      tell(connection, 'auth:error', data, requestId);
      // An outage is not their fault, and haste passes.
      if (failure.status < 500 && !isHaste) closeAfter(connection, CLOSES.unauthenticated);
      return;
    }
    if (envelope?.type === 'subscribe')
      tell(connection, 'subscribe:error', { channel: envelope.channel, ...data }, requestId);
    else tell(connection, 'error', data, requestId);
    if ([400, 422].includes(failure.status)) faulty(connection);
  }

  async function answer(connection: Connection, envelope: Envelope): Promise<void> {
    try {
      const reply = await handle(connection, envelope.read());
      if (!connection.isOpen || !reply) return;
      tell(connection, reply.type, reply.data, envelope.requestId);
      reply.afterwards?.();
    } catch (error) {
      const onFault = (fault: unknown) => log.error(fault, 'a live message failed');
      fail(connection, failureOf(translateDatabaseError(error), onFault), envelope);
    }
  }

  function onMessage(connection: Connection, text: string | undefined): void {
    const isTooFast = !takesToken(connection, clock.now());
    if (isTooFast) connection.slowDown(SECOND_MS);
    let envelope: Envelope | undefined;
    try {
      if (text === undefined) throw malformedMessage();
      envelope = openEnvelope(text);
      if (isTooFast) throw tooFast();
      const opened = envelope;
      connection.inTurn(() => answer(connection, opened));
    } catch (error) {
      fail(connection, error as Failure, envelope);
    }
  }

  /** A ping of the protocol counts as a message; who sends too many is answered the last ones only. */
  function onPing(connection: Connection, data: Buffer): void {
    if (takesToken(connection, clock.now())) connection.ws.pong(data);
    else connection.slowDown(SECOND_MS);
  }

  function onClose(connection: Connection): void {
    members.remove(connection);
    for (const subscription of [...connection.subscriptions.values()]) all.leave(subscription);
    prices.forget(connection);
  }

  const nowMs = () => clock.now();
  const server = webSocketServer({
    ...settings,
    ...{ connections, nowMs, onMessage, onPing, onClose, flush: out.drain },
  });
  const sweep = sweeping({ ...deps, connections, channels: all, judge, tell, onError });
  bus.onReconnect(() => void sweep.check().catch(onError));

  return {
    name: 'realtime',
    service: undefined,
    metrics: liveMetrics({
      figures: () => ({
        connections: connections.size,
        channels: all.known.size,
        frames: out.counts.frames,
        writes: out.counts.writes,
        slow,
      }),
      bus,
    }),
    async attach(httpServer) {
      await bus.subscribe(USER_CHANGED_CHANNEL, (userId) => void judge.member(userId).catch(onError));
      server.attach(httpServer);
    },
    async drain() {
      sweep.stop();
      await server.drain();
      prices.close();
    },
  };
}
