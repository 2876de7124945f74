import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { lazy, shared } from '../kernel/concurrency/lazy.ts';
import {
  type AnyMetric,
  type HistogramMetric,
  isHistogram,
  type Metric,
  type MetricDescription,
  type Sample,
} from '../kernel/metric.ts';
import { requestMetrics } from './request.metrics.ts';

type Read<T> = () => T | Promise<T>;

/** Maximum time for reading one metric; a scrape leaves out metrics that take longer. */
const READ_TIMEOUT_MS = 2_000;

const isCounter = (name: string): name is `${string}_total` => name.endsWith('_total');

const UNREAD = {
  name: 'metrics_unread_total',
  help: 'Metrics that this process left out of a scrape because reading them failed or took too long',
  scope: 'process',
  group: 'Processes',
  labels: ['metric'],
  alerts: [
    {
      name: 'MetricsUnread',
      query: 'sum by (metric) (increase(metrics_unread_total[15m]))',
      condition: '> 3',
      minutes: 10,
      severity: 'ticket',
      means: 'A metric cannot be read, and alerts that depend on it are blind.',
      steps: [
        'While the database is away this is expected; see `DatabaseUnavailable`.',
        'Otherwise the database answers its query too slowly (two seconds): look for it in `pg_stat_activity`.',
      ],
    },
  ],
} as const satisfies MetricDescription;

/** Turns the reader of this process's metrics into one of several processes. */
export type ShareMetrics = (own: () => Promise<string>) => () => Promise<string>;

interface RegistryOptions {
  /** Whether this process tells of the whole installation; asked at each scrape. */
  isReporter?: () => Promise<boolean>;
  shareMetrics?: ShareMetrics | undefined;
}

/**
 * What the library reads of Node.js and the process. All platforms of a process share it: its observers can never be
 * removed, and would keep a platform that has been closed in memory.
 */
const nodeMetrics = lazy(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

/** Returns the registry of `/metrics`, in Prometheus' text format. */
export function platformMetrics({
  isReporter = async () => true,
  shareMetrics = (own) => own,
}: RegistryOptions = {}) {
  const registry = new Registry();
  const ofNode = nodeMetrics();
  const unread = new Counter({ ...namesOf(UNREAD), registers: [registry] });
  const described: MetricDescription[] = [UNREAD];

  /** Refills a metric at each scrape. One that cannot be read is left out, so that the others are still reported. */
  async function fill(
    metric: Gauge | Counter,
    { name, labels = [], scope, read }: Metric,
    set: (sample: Sample) => void,
  ): Promise<void> {
    const isLeftOut = scope === 'installation' && !(await isReporter());
    const samples = isLeftOut ? undefined : await withinTime(() => samplesOf(read)).catch(() => undefined);
    // Synchronous from here on, so that two concurrent scrapes do not count twice.
    metric.reset();
    for (const sample of samples ?? []) set(sample);
    if (samples) return;
    if (!isLeftOut) unread.labels(name).inc();
    if (labels.length === 0) metric.remove(); // resetting leaves a zero
  }

  function addRead(metric: Metric): void {
    unread.labels(metric.name).inc(0); // so that the first failure is seen as an increase
    const options = { ...namesOf(metric), registers: [registry] };
    if (isCounter(metric.name)) {
      const counter: Counter = new Counter({
        ...options,
        collect: () => fill(counter, metric, ({ labels, value }) => counter.inc(labels, value)),
      });
    } else {
      const gauge: Gauge = new Gauge({
        ...options,
        collect: () => fill(gauge, metric, ({ labels, value }) => gauge.set(labels, value)),
      });
    }
  }

  function addHistogram(metric: HistogramMetric): void {
    const { buckets } = metric;
    const counting = new Histogram({ ...namesOf(metric), buckets: [...buckets], registers: [registry] });
    metric.connect(
      metric.labels
        ? (value, labels) => counting.labels(...labels).observe(value)
        : (value) => counting.observe(value),
    );
  }

  /** Adds a metric: a counter, which only grows during the life of the process, a histogram, or a gauge. */
  function add(metric: AnyMetric): void {
    described.push(metric);
    if (isHistogram(metric)) addHistogram(metric);
    else addRead(metric);
  }

  const requests = requestMetrics();
  for (const metric of requests.all) add(metric);
  return {
    ...requests,
    add,
    /** What is known of all metrics, those of Node's library apart. */
    described: described as readonly MetricDescription[],
    /** Returns all metrics as text; concurrent scrapes share one reading. */
    text: shared(shareMetrics(async () => (await ofNode.metrics()) + (await registry.metrics()))),
    contentType: registry.contentType,
  };
}

export type Metrics = ReturnType<typeof platformMetrics>;

const namesOf = ({ name, help, labels = [] }: MetricDescription) => ({
  name,
  help,
  labelNames: [...labels],
});

async function samplesOf(read: Metric['read']): Promise<Sample[]> {
  const value = await read();
  return typeof value === 'number' ? [{ labels: {}, value }] : value;
}

async function withinTime<T>(read: Read<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('reading took too long')), READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
