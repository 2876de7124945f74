import { type Config, logLevelOf } from '../app/config.ts';

/** Level 30 is `info` in the log's format. */
const INFO = 30;

/**
 * Returns a function that reports progress on standard error: as text for people, or as log lines in production.
 * Standard output is reserved for the ready line, which programs read.
 */
export function progress(config: Config): (what: string) => void {
  const isLogged = config.environment === 'production' && !process.stderr.isTTY;
  if (!isLogged) return (what) => process.stderr.write(`${what} ...\n`);
  if (!['debug', 'info'].includes(logLevelOf(config))) return () => undefined;
  return (what) => {
    const line = { level: INFO, time: Date.now(), pid: process.pid, role: config.role, msg: what };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
}
