import type { OpenPriceFeed } from '../../external/prices/port.ts';
import type { Core } from '../../kernel/core.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { type Command, collectLive } from '../../kernel/live/live-commands.ts';
import { logWarning } from '../../kernel/log-warning.ts';
import type { Forwarding } from '../../kernel/net/forwarding.ts';
import type { Chat } from '../chat/contract.ts';
import { type Identity, USER_CHANGED_CHANNEL } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import type { Presence } from '../presence/contract.ts';
import { accessReview } from './access-review.ts';
import { answering } from './answering.ts';
import { authCommands } from './auth.commands.ts';
import { channels } from './channels.ts';
import { CLOSES, type Close, nameOfClose } from './closing.ts';
import type { Connection } from './connection.ts';
import { connectionSlots } from './connection-slots.ts';
import { type CountAnonymous, failedUpgrades } from './failed-upgrades.ts';
import { marketCommands, notificationCommands } from './feeds.commands.ts';
import { handling } from './handling.ts';
import { closings, liveMetrics, upgradeRefusals } from './live.metrics.ts';
import { liveOperations } from './live-administration.operations.ts';
import { LiveCount } from './live-administration.schemas.ts';
import { liveAdministration } from './live-administration.ts';
import { memberConnections } from './members.ts';
import { priceBoard } from './prices.ts';
import { protocol } from './protocol.ts';
import { REALTIME_MESSAGES } from './realtime.live.ts';
import { replays } from './replays.ts';
import { roomCommands } from './rooms.commands.ts';
import { webSocketServer } from './server.ts';
import type { RealtimeSettings } from './settings.ts';
import { socketWriter } from './socket-writer.ts';
import { sweeping } from './sweeping.ts';
import { verifying } from './verifying.ts';

interface RealtimeDeps
  extends Pick<Core, 'bus' | 'node' | 'newId' | 'database' | 'audit' | 'live' | 'load' | 'clock' | 'log'> {
  chat: Chat;
  identity: Pick<
    Identity,
    'authenticateUntil' | 'checkToken' | 'endedKeys' | 'callersOf' | 'contactsOf' | 'devicesOf'
  >;
  presence: Presence;
  openFeed: OpenPriceFeed | undefined;
  forwarding: Pick<Forwarding, 'addressOf'>;
  countAnonymous: CountAnonymous;
  /** The browser origins that may connect; undefined means all. */
  origins: string[] | undefined;
  settings: RealtimeSettings;
}

/** The live channel: a WebSocket at `/v1/live`. */
export function realtimeModule(deps: RealtimeDeps): Module<undefined> {
  const { bus, openFeed, clock, log, origins, settings } = deps;
  const connections = new Set<Connection>();
  const onError = logWarning(log, 'the live channel');
  const out = socketWriter({ onSlow: (connection) => connection.close(CLOSES.slow) });
  const rewrites = new Set<string>();
  const pace = replays({ outbox: out, onUnreadable, clock });
  const all = channels({ bus, outbox: out, pace, isRewrite: (type) => rewrites.has(type), onError });
  const prices = priceBoard({ openFeed, outbox: out });
  const seats = connectionSlots(settings.maxConnections);
  const members = memberConnections(settings.maxPerMember);
  const judge = accessReview({ ...deps, channels: all, members, onError });
  const verifier = verifying(deps);
  let open = protocol([]);
  const { send, onMessage, onPing } = answering({
    outbox: out,
    open: (text) => open(text),
    handle: handling({ verifier, clock }),
    clock,
    log,
  });

  function onUnreadable(connection: Connection, error: Error): void {
    onError(error);
    connection.close(CLOSES.unavailable);
  }

  function onClose(connection: Connection): void {
    members.remove(connection);
    for (const subscription of [...connection.subscriptions.values()]) all.leave(subscription);
    prices.forget(connection);
  }

  const { elapsedMs } = clock;
  const handlers = { elapsedMs, onMessage, onPing, onClose, flush: out.drain, load: deps.load };
  const { addressOf } = deps.forwarding;
  const refusals = upgradeRefusals();
  const closed = closings(Object.keys(CLOSES));
  const server = webSocketServer({
    ...handlers,
    origins,
    addressOf,
    places: seats,
    strangers: failedUpgrades({ count: deps.countAnonymous, elapsedMs, onError }),
    connections,
    onRefused: refusals.add,
    onServerClose: (close: Close) => closed.add(nameOfClose(close)),
  });
  const sweep = sweeping({ ...deps, connections, channels: all, judge, send, onSlow: out.drop, onError });
  const administration = liveAdministration({ ...deps, connections, channels: all, counts: out.counts });
  bus.onReconnect(() => void sweep.check().catch(onError));

  return {
    name: 'realtime',
    sections: { 'Live channel': 'The connections to the WebSocket, for administrators.' },
    service: undefined,
    operations: liveOperations(administration),
    overview: [{ name: 'liveConnections', shape: LiveCount, read: administration.count }],
    live: {
      messages: REALTIME_MESSAGES,
      closes: Object.values(CLOSES),
      commands: ownCommands({
        ...deps,
        verifier,
        channels: all,
        members,
        places: seats,
        judge,
        prices,
        put: out.put,
      }),
    },
    /** Collects the commands of the modules, and the messages that rewrite earlier ones. */
    collect(modules) {
      const { messages, commands } = collectLive(modules);
      open = protocol(commands);
      for (const { type, numbered } of messages) if (numbered === 'rewrite') rewrites.add(type);
      return {};
    },
    metrics: [
      ...liveMetrics({
        figures: () => ({
          connections: connections.size,
          waiting: seats.waiting,
          channels: all.byName.size,
          ...out.counts,
        }),
        maxConnections: settings.maxConnections,
        bus,
      }),
      refusals,
      closed,
    ],
    async attach(httpServer) {
      await bus.subscribe(USER_CHANGED_CHANNEL, (userId) => {
        verifier.noteChange();
        void judge.member(userId).catch(onError);
      });
      await bus.subscribe(liveChannel.members, all.receiveForMembers);
      server.attach(httpServer);
    },
    start: administration.start,
    retire: server.retire,
    async drain() {
      sweep.stop();
      administration.stop();
      await server.drain();
      prices.close();
    },
  };
}

const ownCommands = (
  parts: Parameters<typeof authCommands>[0] &
    Parameters<typeof roomCommands>[0] &
    Parameters<typeof marketCommands>[0],
): Command[] => [
  ...authCommands(parts),
  ...roomCommands(parts),
  ...notificationCommands(parts),
  ...marketCommands(parts),
];
