import type { MetricDescription } from '../kernel/metric.ts';
import { assemblePlatform } from './assembly.ts';
import type { Config } from './config.ts';
import { closedInfrastructure } from './infrastructure.ts';
import { FOREIGN_METRICS, metricsOf } from './metrics.ts';

/** The descriptions of the API (OpenAPI) and of its live channel (AsyncAPI). */
export interface Descriptions {
  api: object;
  live: object;
}

/**
 * Assembles the modules as for serving, but connects to nothing, starts nothing and writes nothing. Some keys are derived
 * from the secret, but none of them appears in a description.
 */
function assembled(config: Config) {
  const complete = { ...config, databaseUrl: '', secretKey: '' };
  const infrastructure = closedInfrastructure(complete);
  const publicUrl = () => config.publicUrl ?? '/';
  return { complete, infrastructure, assembly: assemblePlatform(complete, infrastructure, { publicUrl }) };
}

/** Returns the descriptions without a running platform. */
export function describePlatform(config: Config): Descriptions {
  const { gateway, operations, sections, outgoing, rawFailures, live } = assembled(config).assembly;
  const api = gateway.describe({ operations, sections, outgoing, rawFailures });
  return { api, live: gateway.describeLive(live) };
}

/** Returns what is known of the metrics that a process with this configuration exports, without a running platform. */
export function describeMetrics(config: Config): MetricDescription[] {
  const { complete, infrastructure, assembly } = assembled(config);
  const { metrics } = assembly.gateway;
  for (const metric of metricsOf(complete, infrastructure, assembly)) metrics.add(metric);
  return [...FOREIGN_METRICS, ...metrics.described];
}
