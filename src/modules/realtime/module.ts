import type { Logger } from 'pino';
import type { OpenPriceFeed } from '../../external/prices/port.ts';
import { translateDatabaseError } from '../../kernel/database/database.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Live } from '../../kernel/live.ts';
import type { Bus } from '../../kernel/shared/shared.ts';
import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/time.ts';
import type { Chat } from '../chat/contract.ts';
import type { Module } from '../contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Presence } from '../presence/contract.ts';
import { channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Connection } from './connection.ts';
import { frameOf } from './frames.ts';
import { failureOf, handling } from './handling.ts';
import { liveMetrics } from './live.metrics.ts';
import { outbox } from './outbox.ts';
import { priceBoard } from './prices.ts';
import { type Envelope, failureData, malformedMessage, protocol, tooFast } from './protocol.ts';
import { webSocketServer } from './server.ts';
import { sweeping } from './sweeping.ts';

/** Messages of one connection: so many a second, and so many at once. */
const RATE_PER_SECOND = 20;
const BURST = 60;
/** Faulty messages within a minute before the connection is closed. */
const MOST_FAULTS = 20;

interface RealtimeNeeds {
  chat: Chat;
  identity: Pick<Identity, 'authenticateUntil' | 'endedOf'>;
  presence: Presence;
  bus: Bus;
  live: Live;
  openFeed: OpenPriceFeed | undefined;
  clock: Clock;
  log: Logger;
  settings: { mostConnections: number; origins: string[] | undefined; isProxied: boolean };
}

/** The live channel: `{ws_base_url}/v1/live` (part 2, WebSocket). */
export function realtimeModule(needs: RealtimeNeeds): Module<undefined> {
  const { bus, openFeed, clock, log, settings } = needs;
  const connections = new Set<Connection>();
  const onError = (error: Error) => log.warn({ error: error.message }, 'the live channel');
  let slow = 0;
  const out = outbox({
    onSlow: (connection) => {
      slow++;
      connection.close(CLOSES.slow);
      // It does not read: there is no hearing its farewell.
      setTimeout(() => connection.ws.terminate(), SECOND_MS).unref();
    },
  });
  const all = channels({ bus, outbox: out, onError });
  const prices = priceBoard({ openFeed, outbox: out });
  const handle = handling({ ...needs, channels: all, prices, put: out.put });
  const openEnvelope = protocol();

  function tell(connection: Connection, type: string, data: object, requestId?: string): void {
    const text = JSON.stringify(requestId === undefined ? { type, data } : { type, data, requestId });
    out.put(connection, frameOf(text));
  }

  const closeAfter = (connection: Connection, close: Parameters<Connection['close']>[0]): void => {
    out.drain(connection);
    connection.close(close);
  };

  function takesToken(connection: Connection): boolean {
    const nowMs = clock.now();
    const refill = ((nowMs - connection.refilledAtMs) * RATE_PER_SECOND) / SECOND_MS;
    connection.tokens = Math.min(BURST, connection.tokens + refill);
    connection.refilledAtMs = nowMs;
    if (connection.tokens < 1) return false;
    connection.tokens--;
    return true;
  }

  /** A message that no correct client sends: answered, and when they persist, the end. */
  function faulty(connection: Connection): void {
    const nowMs = clock.now();
    if (nowMs - connection.faultsSinceMs > MINUTE_MS) {
      connection.faults = 0;
      connection.faultsSinceMs = nowMs;
    }
    if (++connection.faults > MOST_FAULTS) closeAfter(connection, CLOSES.faulty);
  }

  function fail(connection: Connection, failure: Failure, envelope?: Envelope): void {
    const data = failureData(failure);
    const requestId = envelope?.requestId;
    if (envelope?.type === 'auth') {
      tell(connection, 'auth:error', data, requestId);
      // An outage is not their fault.
      if (failure.status < 500) closeAfter(connection, CLOSES.unauthenticated);
      return;
    }
    if (envelope?.type === 'subscribe')
      tell(connection, 'subscribe:error', { channel: envelope.channel, ...data }, requestId);
    else tell(connection, 'error', data, requestId);
    if ([400, 422].includes(failure.status) || failure.code === tooFast().code) faulty(connection);
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
    try {
      if (!takesToken(connection)) throw tooFast();
      if (text === undefined) throw malformedMessage();
      const envelope = openEnvelope(text);
      connection.inTurn(() => answer(connection, envelope));
    } catch (error) {
      fail(connection, error as Failure);
    }
  }

  function onClose(connection: Connection): void {
    for (const subscription of [...connection.subscriptions.values()]) all.leave(subscription);
    prices.forget(connection);
  }

  const nowMs = () => clock.now();
  const server = webSocketServer({
    ...settings,
    ...{ connections, nowMs, onMessage, onClose, flush: out.drain },
  });
  const sweep = sweeping({ ...needs, connections, channels: all, tell, onError });
  bus.onHealed(() => void sweep.check().catch(onError));

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
    attach: (httpServer) => server.attach(httpServer),
    async drain() {
      sweep.stop();
      await server.drain();
      prices.close();
    },
  };
}
