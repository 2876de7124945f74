import type { Bus } from '../../kernel/distributed/bus.ts';
import {
  type LabelledCount,
  labelledCount,
  type Metric,
  type MetricDescription,
} from '../../kernel/metric.ts';

interface LiveFigures {
  connections: number;
  waiting: number;
  channels: number;
  frames: number;
  writes: number;
  slow: number;
}

const COMMON = { scope: 'process', group: 'Live channel' } as const satisfies Partial<MetricDescription>;

const METRICS: [name: string, figure: keyof LiveFigures, help: string][] = [
  ['live_connections', 'connections', 'WebSocket connections of this process'],
  [
    'live_unauthenticated',
    'waiting',
    'WebSocket connections of this process that have not sent auth; at most a fifth of LIVE_CONNECTIONS',
  ],
  ['live_channels', 'channels', 'Channel subscriptions of the WebSocket connections of this process'],
  ['live_frames_total', 'frames', 'Messages that this process delivered'],
  ['live_writes_total', 'writes', 'Socket writes of this process that carried the delivered messages'],
  ['live_slow_total', 'slow', 'Connections that this process closed because they read too slowly'],
];

/** Upgrades that were refused, by status. */
export const upgradeRefusals = (): LabelledCount =>
  labelledCount({
    name: 'live_upgrades_refused_total',
    help: 'WebSockets that this process refused before they were open, by status: 403 another origin, 404 another path, 429 an address with too many failures, 503 a process that stops',
    group: COMMON.group,
    label: 'status',
    values: ['403', '404', '429', '503'],
  });

/** Connections that were closed by the server, by reason. */
export const closings = (reasons: string[]): LabelledCount =>
  labelledCount({
    name: 'live_closed_total',
    help: 'WebSockets that this process closed, by reason',
    group: COMMON.group,
    label: 'reason',
    values: reasons,
    alerts: [
      {
        name: 'LiveClientsTooSlow',
        query:
          'sum(increase(live_closed_total{reason="slow"}[10m])) / (sum(live_connections) > 0 or vector(1))',
        condition: '> 0.05',
        minutes: 10,
        severity: 'ticket',
        means:
          'More than one in twenty connections is closed since its client does not read fast enough. They reconnect and catch up.',
        steps: [
          'Look at the event loop (`nodejs_eventloop_lag_p99_seconds`) and the network of the processes and the balancer.',
          'If only a release of a client is concerned, tell its developers.',
        ],
      },
    ],
  });

/** Metrics of the live channel. */
export const liveMetrics = ({
  figures,
  maxConnections,
  bus,
}: {
  figures: () => LiveFigures;
  maxConnections: number;
  bus: Pick<Bus, 'isConnected'>;
}): Metric[] => [
  ...METRICS.map(([name, figure, help]) => ({ ...COMMON, name, help, read: () => figures()[figure] })),
  {
    ...COMMON,
    name: 'live_connections_limit',
    help: 'How many members this process lets connect: LIVE_CONNECTIONS',
    read: () => maxConnections,
    alerts: [
      {
        name: 'LiveChannelFull',
        query: 'max((live_connections - live_unauthenticated) / live_connections_limit)',
        condition: '> 0.9',
        minutes: 5,
        severity: 'page',
        means:
          'A process has nearly as many members connected as it takes. At the limit further ones are closed with 1013 and try elsewhere.',
        steps: [
          'Start more processes that serve WebSockets, or raise `LIVE_CONNECTIONS` (some 60 KB of memory each).',
          'Look whether the balancer spreads connections evenly (`live_connections` by process).',
        ],
      },
    ],
  },
  {
    ...COMMON,
    name: 'live_bus_whole',
    help: 'Whether live messages of this process reach the others; 0 while Redis is unavailable',
    read: () => Number(bus.isConnected()),
    alerts: [
      {
        name: 'LiveBusBroken',
        query: 'min(live_bus_whole)',
        condition: '< 1',
        minutes: 5,
        severity: 'page',
        means:
          "Members who are connected to different processes do not receive each other's live messages. Chats show them after a reload.",
        steps: [
          'Restore Redis; see `RedisUnavailable`. Processes subscribe again by themselves, and clients catch up.',
        ],
      },
    ],
  },
];
