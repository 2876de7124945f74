import type { Bus } from '../../kernel/distributed/bus.ts';
import type { Metric } from '../../kernel/metric.ts';

interface LiveFigures {
  connections: number;
  waiting: number;
  channels: number;
  frames: number;
  writes: number;
  slow: number;
}

const METRICS: [name: string, figure: keyof LiveFigures, help: string][] = [
  ['live_connections', 'connections', 'WebSocket connections of this process'],
  ['live_unauthenticated', 'waiting', 'WebSocket connections that have not sent auth'],
  ['live_channels', 'channels', 'Channel subscriptions of the WebSocket connections of this process'],
  ['live_frames_total', 'frames', 'Messages delivered'],
  ['live_writes_total', 'writes', 'Socket writes that carried the delivered messages'],
  ['live_slow_total', 'slow', 'Connections closed because they read too slowly'],
];

/** Metrics of the live channel. */
export const liveMetrics = ({
  figures,
  bus,
}: {
  figures: () => LiveFigures;
  bus: Pick<Bus, 'isConnected'>;
}): Metric[] => [
  ...METRICS.map(([name, figure, help]) => ({ name, help, read: () => figures()[figure] })),
  {
    name: 'live_bus_whole',
    help: 'Whether live messages reach other processes',
    read: () => Number(bus.isConnected()),
  },
];
