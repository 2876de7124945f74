import type { Metric } from '../../kernel/metric.ts';
import type { Bus } from '../../kernel/shared/shared.ts';

interface LiveFigures {
  connections: number;
  channels: number;
  frames: number;
  writes: number;
  slow: number;
}

const HELP: Record<keyof LiveFigures, string> = {
  connections: 'WebSocket connections of this process',
  channels: 'Channels that they are on',
  frames: 'Messages delivered since the start',
  writes: 'Writes that carried them',
  slow: 'Connections dropped because they did not read',
};

/** What `/metrics` says of the live channel. */
export const liveMetrics = ({
  figures,
  bus,
}: {
  figures: () => LiveFigures;
  bus: Pick<Bus, 'isWhole'>;
}): Metric[] => [
  ...(Object.keys(HELP) as (keyof LiveFigures)[]).map((name) => ({
    name: `live_${name}`,
    help: HELP[name],
    read: () => figures()[name],
  })),
  {
    name: 'live_bus_whole',
    help: 'Whether messages reach the other processes',
    read: () => Number(bus.isWhole()),
  },
];
