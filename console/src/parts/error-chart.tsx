import type { ErrorGroup } from '@platform-api/sdk';
import { count, plural } from '../text.ts';
import { Chart } from './chart.tsx';

const HOUR_MS = 3_600_000;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit' });

/** Whether the platform itself failed (5xx), rather than refusing a request. */
export const isOurs = ({ status }: ErrorGroup): boolean => (status ?? 0) >= 500;

const totalOf = (groups: ErrorGroup[]): number => groups.reduce((all, group) => all + group.count, 0);

interface ErrorChartParts {
  groups: ErrorGroup[];
  /** The start of the chart in milliseconds since 1970. */
  from: number;
  to: number;
  isSmall?: boolean;
}

/** The errors of all groups as stacked bars: refusals at the bottom, failures of the platform on top. */
export function ErrorChart({ groups, from, to: end, isSmall = false }: ErrorChartParts) {
  const buckets = groups[0]?.series.length ?? 0;
  const sum = (some: ErrorGroup[]) =>
    Array.from({ length: buckets }, (_none, place) =>
      some.reduce((total, { series }) => total + (series[place] ?? 0), 0),
    );
  const format = end - from > 30 * HOUR_MS ? day : time;
  return (
    <Chart
      kind="bars"
      isSmall={isSmall}
      summary={`${plural(totalOf(groups), 'error')}, ${count(totalOf(groups.filter(isOurs)))} of them failures on our side`}
      labels={Array.from({ length: buckets }, (_none, place) =>
        format.format(from + ((end - from) * place) / buckets),
      )}
      series={[
        { name: 'refused (4xx)', colour: 'grey', values: sum(groups.filter((group) => !isOurs(group))) },
        { name: 'failed (5xx)', colour: 'red', values: sum(groups.filter(isOurs)) },
      ]}
    />
  );
}

export const ErrorFigures = ({ groups }: { groups: ErrorGroup[] }) => (
  <>
    <p class="figure">{count(totalOf(groups))}</p>
    <p class="dim">{count(totalOf(groups.filter(isOurs)))} of them failures on our side</p>
  </>
);
