// What follows from several settings together.

interface Given {
  environment: 'development' | 'production';
  role: 'all' | 'api' | 'worker';
  logLevel: string;
  drainSeconds: number | undefined;
  metricsPort: number | undefined;
  port: number;
}

/** What is logged, where the setting leaves it to the environment. */
export const logLevelOf = ({ logLevel, environment }: Given): string => {
  if (logLevel !== 'auto') return logLevel;
  return environment === 'production' ? 'info' : 'warn';
};

const DRAIN_SECONDS = { development: 0, production: 5 };

export const drainSecondsOf = ({ drainSeconds, environment }: Given): number =>
  drainSeconds ?? DRAIN_SECONDS[environment];

/** Where health and metrics are told apart from the API; undefined where they stand beside it. */
export const monitoringPortOf = ({ metricsPort, role, port }: Given): number | undefined =>
  metricsPort ?? (role === 'worker' ? port : undefined);
