import type { Logger } from 'pino';

/**
 * Returns a handler that logs transient background errors as warnings.
 * @param what the part of the program in which they occur
 */
export const logWarning =
  (log: Pick<Logger, 'warn'>, what: string) =>
  (error: Error): void =>
    log.warn({ error: error.message }, what);
