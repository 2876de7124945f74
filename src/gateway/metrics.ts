import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { shared } from '../kernel/concurrency/lazy.ts';
import type { DatabaseUse } from '../kernel/database-use.ts';
import type { Metric, Sample } from '../kernel/metric.ts';

type Read<T> = () => T | Promise<T>;

/** Maximum time for reading one metric; a scrape leaves out metrics that take longer. */
const READ_TIMEOUT_MS = 2_000;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const isCounter = (name: string): name is `${string}_total` => name.endsWith('_total');

/** Returns the registry of `/metrics`, in Prometheus' text format. */
export function platformMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time by operation and status',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  const database = new Histogram({
    name: 'http_request_database_seconds',
    help: 'Time in which a request waited for answers of the database, by operation; requests that asked it',
    labelNames: ['operation'],
    buckets: SECONDS,
    registers: [registry],
  });
  const connecting = new Histogram({
    name: 'http_request_connection_seconds',
    help: 'Time in which a request waited for a database connection; requests that asked the database',
    buckets: SECONDS,
    registers: [registry],
  });
  const queries = new Histogram({
    name: 'http_request_queries',
    help: 'Statements that a request sent to the database, by operation; requests that asked it',
    labelNames: ['operation'],
    buckets: [1, 2, 3, 5, 8, 13, 21, 34, 55, 100],
    registers: [registry],
  });
  const unread = new Counter({
    name: 'metrics_unread_total',
    help: 'Metrics omitted from a scrape because reading them failed or took too long',
    labelNames: ['metric'],
    registers: [registry],
  });

  const shed = new Counter({
    name: 'http_requests_shed_total',
    help: 'Requests refused with 503 because this process was busy, by operation',
    labelNames: ['operation'],
    registers: [registry],
  });

  /** Refills a metric at each scrape. One that cannot be read is left out, so that the others are still reported. */
  async function fill(
    metric: Gauge | Counter,
    { name, labelNames }: { name: string; labelNames: string[] },
    read: Read<Sample[]>,
    set: (sample: Sample) => void,
  ): Promise<void> {
    const samples = await withinTime(read).catch(() => undefined);
    // Synchronous from here on, so that two concurrent scrapes do not count twice.
    metric.reset();
    for (const sample of samples ?? []) set(sample);
    if (samples) return;
    unread.labels(name).inc();
    if (labelNames.length === 0) metric.remove(); // resetting leaves a zero
  }

  function add({ name, help, labels = [], read }: Metric): void {
    const labelNames = [...labels];
    const samples = async (): Promise<Sample[]> => {
      const value = await read();
      return typeof value === 'number' ? [{ labels: {}, value }] : value;
    };
    const options = { name, help, labelNames, registers: [registry] };
    if (isCounter(name)) {
      const counter: Counter = new Counter({
        ...options,
        collect: () => fill(counter, options, samples, ({ labels, value }) => counter.inc(labels, value)),
      });
    } else {
      const gauge: Gauge = new Gauge({
        ...options,
        collect: () => fill(gauge, options, samples, ({ labels, value }) => gauge.set(labels, value)),
      });
    }
  }

  return {
    /** Counts a request that was answered. */
    observe: (operation: string, { status, ms, use }: Answered): void => {
      duration.labels(operation, String(status)).observe(ms / 1000);
      if (!use || use.queries === 0) return;
      database.labels(operation).observe(use.dbMs / 1000);
      connecting.observe(use.waitMs / 1000);
      queries.labels(operation).observe(use.queries);
    },
    shed: (operation: string): void => shed.labels(operation).inc(),
    /** Adds a metric: a counter, which only grows during the life of the process, or a gauge. */
    add,
    /** Returns all metrics as text; concurrent scrapes share one reading. */
    text: shared(() => registry.metrics()),
    contentType: registry.contentType,
  };
}

/** An answered request, its duration, and what it spent on the database. */
interface Answered {
  status: number;
  ms: number;
  use: DatabaseUse | undefined;
}

export type Metrics = ReturnType<typeof platformMetrics>;

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
