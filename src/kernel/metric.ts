/** One value of a metric with labels. */
export interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** The part of the platform that a metric tells of: a chapter of the documents and of the dashboards. */
export const METRIC_GROUPS = [
  'Processes',
  'Requests',
  'Database',
  'Jobs and events',
  'Live channel',
  'Money',
  'External systems',
] as const;

/** A condition under which a person must act, told by Prometheus. */
export interface MetricAlert {
  /** In CamelCase. */
  name: string;
  /** A query that also has a series while all is well, so that it can be tried. */
  query: string;
  /** What is true of its value while the alert holds: `> 0`. */
  condition: string;
  /** For how many minutes it must hold. */
  minutes: number;
  /** `page` wakes somebody up, `ticket` waits for the morning. */
  severity: 'page' | 'ticket';
  /** What it means for members. One or two sentences. */
  means: string;
  /** What to do, step by step. */
  steps: readonly string[];
}

/** What is known of a metric without reading it. Documents, alerts and dashboards are made from it. */
export interface MetricDescription {
  /** In Prometheus' style: lower-case words with underscores, the unit last. */
  name: string;
  help: string;
  /** Whether it tells of this process, or of the installation. The latter is exported by one process alone. */
  scope: 'process' | 'installation';
  group: (typeof METRIC_GROUPS)[number];
  /** The names of the labels by which its samples differ; without them there is one value. */
  labels?: readonly string[];
  /** The setting without which it is absent. */
  needs?: string;
  alerts?: readonly MetricAlert[];
}

/** A metric of `/metrics`, read at each scrape: a counter when its name ends in `_total`, otherwise a gauge. */
export interface Metric extends MetricDescription {
  /** One value, or samples when the metric has labels. */
  read(): number | Sample[] | Promise<number | Sample[]>;
}

/** A histogram of `/metrics`, which counts what was observed in this process. */
export interface HistogramMetric extends MetricDescription {
  scope: 'process';
  /** The upper bounds within which observations are counted. */
  buckets: readonly number[];
  /** @param labels the values of the labels, in their order */
  observe(value: number, ...labels: string[]): void;
  /** Sets who counts; until then observations are lost. */
  connect(observe: (value: number, labels: string[]) => void): void;
}

export type AnyMetric = Metric | HistogramMetric;

export const isHistogram = (metric: MetricDescription): metric is HistogramMetric => 'buckets' in metric;

/** Bounds for durations in seconds, from a statement to a slow request. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Makes a histogram of this process. */
export function histogram(
  description: Omit<MetricDescription, 'scope'> & { buckets: readonly number[] },
): HistogramMetric {
  let count: ((value: number, labels: string[]) => void) | undefined;
  return {
    ...description,
    scope: 'process',
    observe: (value, ...labels) => count?.(value, labels),
    connect: (to) => {
      count = to;
    },
  };
}

/** Counts in this process by one label. */
export interface LabelledCount extends Metric {
  add(value: string, count?: number): void;
}

/**
 * Makes a counter of this process with one label.
 * @param values known from the beginning, so that the first occurrence is seen as an increase
 */
export function labelledCount(
  description: Omit<MetricDescription, 'scope' | 'labels'> & { label: string; values?: readonly string[] },
): LabelledCount {
  const { label, values = [], ...rest } = description;
  const counts = new Map<string, number>(values.map((value) => [value, 0]));
  return {
    ...rest,
    scope: 'process',
    labels: [label],
    add: (value, count = 1) => void counts.set(value, (counts.get(value) ?? 0) + count),
    read: () => [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
  };
}
