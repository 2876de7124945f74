import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric } from '../kernel/metric.ts';

/** What `/metrics` tells, in Prometheus' text format. */
export function platformMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    observe: (operation: string, status: number, durationMs: number): void => {
      duration.labels(operation, String(status)).observe(durationMs / 1000);
    },
    add: ({ name, help, read }: Metric): void => {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read());
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

export type Metrics = ReturnType<typeof platformMetrics>;
