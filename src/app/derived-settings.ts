// Values derived from several settings.

interface Given {
  environment: 'development' | 'production';
  role: 'all' | 'api' | 'worker';
  logLevel: string;
  drainSeconds: number | undefined;
  metricsPort: number | undefined;
  port: number;
}

/** Returns the log level, resolving `auto` by environment. */
export const logLevelOf = ({ logLevel, environment }: Given): string => {
  if (logLevel !== 'auto') return logLevel;
  return environment === 'production' ? 'info' : 'warn';
};

const DRAIN_SECONDS = { development: 0, production: 5 };

export const drainSecondsOf = ({ drainSeconds, environment }: Given): number =>
  drainSeconds ?? DRAIN_SECONDS[environment];

/** Returns the separate port for health and metrics; undefined when they share the port of the API. */
export const monitoringPortOf = ({ metricsPort, role, port }: Given): number | undefined =>
  metricsPort ?? (role === 'worker' ? port : undefined);
