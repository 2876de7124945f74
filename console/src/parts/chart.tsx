import { useEffect, useRef, useState } from 'preact/hooks';
import { count } from '../text.ts';

/** A data series of a chart. The colours `1` to `4` are for ordinary figures, `grey` and `red` for failures. */
interface Series {
  name: string;
  values: number[];
  colour: 'c1' | 'c2' | 'c3' | 'c4' | 'grey' | 'red';
  isDashed?: boolean;
}

interface ChartParts {
  /** What the chart shows in a sentence, for screen readers. */
  summary: string;
  labels: string[];
  series: Series[];
  kind: 'bars' | 'lines';
  /** Draws it lower, for use inside a card. */
  isSmall?: boolean;
}

const LEFT = 44;
const BOTTOM = 20;
const TOP = 8;

/** The top of the axis: a round number that is divisible by three and not below the highest value. */
function ceilingOf(highest: number): number {
  const rough = Math.max(highest, 1) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10;
  return Math.max(1, Math.ceil(step * power)) * 3;
}

/** A chart of stacked bars or of separate lines, with the same numbers in a table below. */
export function Chart({ summary, labels, series, kind, isSmall = false }: ChartParts) {
  const [figure, width] = useWidth();
  const height = isSmall ? 110 : 180;
  const sums = labels.map((_label, place) => series.map(({ values }) => values[place] ?? 0));
  const highest = Math.max(
    0,
    ...sums.map((parts) =>
      kind === 'bars' ? parts.reduce((sum, part) => sum + part, 0) : Math.max(0, ...parts),
    ),
  );
  const ceiling = ceilingOf(highest);
  const floor = height - BOTTOM;
  const y = (value: number) => floor - (value / ceiling) * (floor - TOP);
  const band = (width - LEFT) / Math.max(1, labels.length);
  const labelled = labels.length > 1 ? ticksOf(labels.length, width < 480 ? 2 : 4) : [0];
  const layout = { series, y, floor, band, width, count: labels.length };
  return (
    <figure class="chart" ref={figure}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
        {[0, 1, 2, 3].map((line) => {
          const value = (ceiling / 3) * line;
          return (
            <g key={line}>
              <line class="grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
              <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
                {short(value)}
              </text>
            </g>
          );
        })}
        {kind === 'bars' ? <Bars {...layout} labels={labels} /> : <Lines {...layout} />}
        {[...new Set(labelled)].map((place, order, all) => (
          <text
            key={place}
            x={
              order === 0 ? LEFT : order === all.length - 1 && order > 0 ? width : LEFT + band * (place + 0.5)
            }
            y={height - 4}
            text-anchor={order === 0 ? 'start' : order === all.length - 1 ? 'end' : 'middle'}
          >
            {labels[place]}
          </text>
        ))}
      </svg>
      <figcaption>
        {series.map(({ name, colour }) => (
          <span key={name} class="legend">
            <i class={colour} />
            {name}
          </span>
        ))}
        <details>
          <summary>As a table</summary>
          <Numbers labels={labels} series={series} />
        </details>
      </figcaption>
    </figure>
  );
}

/** The indexes of `parts` + 1 evenly spaced labels, including the first and the last. */
const ticksOf = (length: number, parts: number): number[] =>
  Array.from({ length: parts + 1 }, (_none, place) => Math.round((place * (length - 1)) / parts));

/** Follows an element's width, so that the drawing is not scaled and its text keeps its size. */
function useWidth() {
  const element = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(960);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

interface Drawn {
  series: Series[];
  y: (value: number) => number;
  floor: number;
  band: number;
  width: number;
  count: number;
}

function Bars({ series, y, floor, band, labels }: Drawn & { labels: string[] }) {
  return (
    <>
      {labels.map((label, place) => {
        let below = 0;
        return (
          <g key={label + String(place)}>
            <title>{`${label}: ${series.map(({ name, values }) => `${name} ${count(values[place] ?? 0)}`).join(', ')}`}</title>
            {series.map(({ name, values, colour }) => {
              const value = values[place] ?? 0;
              const top = y(below + value);
              const tall = y(below) - top;
              below += value;
              return (
                value > 0 && (
                  <rect
                    key={name}
                    class={colour}
                    x={LEFT + band * place + band * 0.12}
                    width={Math.max(1, band * 0.76)}
                    y={Math.min(top, floor - 1)}
                    height={Math.max(1, tall)}
                  />
                )
              );
            })}
          </g>
        );
      })}
    </>
  );
}

const Lines = ({ series, y, band, width, count: length }: Drawn) => {
  const x = (place: number) =>
    length < 2 ? LEFT + band / 2 : LEFT + ((width - LEFT) / (length - 1)) * place;
  return (
    <>
      {series.map(({ name, values, colour, isDashed }) => (
        <polyline
          key={name}
          class={`line ${colour}`}
          stroke-dasharray={isDashed ? '4 4' : undefined}
          points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')}
        >
          <title>{name}</title>
        </polyline>
      ))}
    </>
  );
};

const Numbers = ({ labels, series }: Pick<ChartParts, 'labels' | 'series'>) => (
  <table>
    <thead>
      <tr>
        <th scope="col">When</th>
        {series.map(({ name }) => (
          <th key={name} scope="col" class="number">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {labels.map((label, place) => (
        <tr key={label + String(place)}>
          <td>{label}</td>
          {series.map(({ name, values }) => (
            <td key={name} class="number" data-label={name}>
              {count(values[place] ?? 0)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** A line without axes, to show beside a number. */
export function Spark({ values, tone }: { values: number[]; tone?: 'red' }) {
  const highest = Math.max(1, ...values);
  const step = 72 / Math.max(1, values.length - 1);
  const points = values.map((value, place) => `${place * step},${21 - (value / highest) * 18}`).join(' ');
  return (
    <svg class="spark" viewBox="0 0 72 24" width="72" height="24" aria-hidden="true">
      <polyline class={`line ${tone ?? 'c1'}`} points={points} />
    </svg>
  );
}

/** Shortens a number for an axis: "8 k", "2.4 M". */
const short = (value: number): string =>
  value >= 1e6
    ? `${+(value / 1e6).toFixed(1)} M`
    : value >= 1e4
      ? `${+(value / 1e3).toFixed(1)} k`
      : count(value);
