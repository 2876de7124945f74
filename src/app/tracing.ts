import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { logWarning } from '../kernel/log-warning.ts';
import { type ExportedTracing, exportTraces } from '../kernel/net/tracing.ts';
import type { PlatformConfig } from './config.ts';
import { platformVersion } from './version.ts';

/** Starts to export spans; undefined where no collector is configured. */
export function tracingOf(config: PlatformConfig, log: Logger): ExportedTracing | undefined {
  const { otlpEndpoint, tracesSampler, tracesRatio, serviceName, role, environment } = config;
  if (otlpEndpoint === undefined) return undefined;
  return exportTraces({
    url: `${otlpEndpoint}/v1/traces`,
    headers: config.otlpHeaders ?? {},
    sampler: tracesSampler,
    ratio: tracesRatio,
    resource: {
      'service.name': serviceName,
      'service.version': platformVersion(),
      'service.instance.id': randomUUID(),
      'deployment.environment.name': environment,
      'platform.role': role,
    },
    onError: logWarning(log, 'spans'),
  });
}
