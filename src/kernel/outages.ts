// What errors of the database say about its availability.

/** Returns the SQLSTATE of a PostgreSQL error, or the code of a socket error. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}

const READ_ONLY = '25006';
/** Also of a statement that was cancelled. */
const STATEMENT_TIMEOUT = '57014';

const OUTAGES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  STATEMENT_TIMEOUT,
  '55P03', // lock timeout
  '25P03', // idle-in-transaction timeout
  READ_ONLY,
]);
/** Connection exceptions, insufficient resources (disk, memory, connections), operator intervention. */
const OUTAGE_CLASSES = ['08', '53', '57P'];
/** Messages of errors that pg and its pool raise without a code. */
const OUTAGE_MESSAGES =
  /timeout expired|timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

/** Outages of a statement or of what the server allows, while the connection is sound. */
const WITHIN_CONNECTION = new Set([STATEMENT_TIMEOUT, '55P03', '25P03', READ_ONLY]);

/** Whether a statement took longer than it may: less work might succeed. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === STATEMENT_TIMEOUT;

/** Whether a write was refused because the server takes none, as a standby. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY;

/** Whether the server cannot be reached, has ended the connection or does not answer. */
export const isLostConnection = (error: unknown): boolean =>
  isOutage(error) && !WITHIN_CONNECTION.has(codeOf(error) ?? '');

/** Whether the database is temporarily unavailable, so that a later retry may succeed. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) {
    return OUTAGES.has(code) || OUTAGE_CLASSES.some((prefix) => code.startsWith(prefix));
  }
  return error instanceof Error && OUTAGE_MESSAGES.test(error.message);
}
