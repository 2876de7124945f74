/** The SQLSTATE of a PostgreSQL error, or the code of a socket error. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}

const DEADLOCK = '40P01';
const SERIALIZATION_FAILURE = '40001';
const UNIQUE_VIOLATION = '23505';

/** Another transaction won; the same work may succeed when run again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === DEADLOCK || code === SERIALIZATION_FAILURE;
}

/** Whether a unique constraint or index, of this name when given, refused a row. */
export function isDuplicate(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint;
}

const OUTAGES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57014', // a statement ran into its timeout
  '55P03', // a lock was not to be had in time
  '25P03', // idle in transaction too long
  '25006', // the server is read-only for now
]);
/** Connection exceptions; no resources (disk, memory, connections); the operator stops the server. */
const OUTAGE_CLASSES = ['08', '53', '57P'];
/** What pg and its pool say without a code. */
const OUTAGE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

/** Whether the database can't serve just now, so that trying again later makes sense. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) {
    return OUTAGES.has(code) || OUTAGE_CLASSES.some((prefix) => code.startsWith(prefix));
  }
  return error instanceof Error && OUTAGE_MESSAGES.test(error.message);
}
