import { type Logger, pino } from 'pino';
import { type Config, logLevelOf } from '../app/config.ts';
import { logRedaction } from '../kernel/text/log-redaction.ts';
import { traceFields } from '../kernel/trace.ts';

/** Returns the logger; its lines name the request or job that they belong to, and contain no secrets. */
export const newLog = (config: Config): Logger =>
  pino(
    {
      level: logLevelOf(config),
      base: { pid: process.pid, role: config.role },
      mixin: traceFields,
      ...logRedaction(config.environment === 'production'),
    },
    pino.destination({ fd: 2, sync: false }),
  );
