import type { Metric } from '../../kernel/metric.ts';
import type { Bus } from '../../kernel/shared/bus.ts';

interface LiveFigures {
  connections: number;
  channels: number;
  frames: number;
  writes: number;
  slow: number;
}

const METRICS: [name: string, figure: keyof LiveFigures, help: string][] = [
  ['live_connections', 'connections', 'WebSocket connections of this process'],
  ['live_channels', 'channels', 'Channels that they are on'],
  ['live_frames_total', 'frames', 'Messages delivered'],
  ['live_writes_total', 'writes', 'Writes that carried them'],
  ['live_slow_total', 'slow', 'Connections dropped because they did not read'],
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
    help: 'Whether messages reach the other processes',
    read: () => Number(bus.isConnected()),
  },
];
