/**
 * What stands between the process and PostgreSQL: nothing, or a pooler (PgBouncer) that lends a connection of its own
 * to PostgreSQL for a session or for a transaction. A pooler takes no options at the start of a connection.
 */
export const POOLERS = ['none', 'session', 'transaction'] as const;
export type Pooler = (typeof POOLERS)[number];

/** What an operator can do about a pooler that does not fit. */
export const POOLER_CHOICE =
  'Set DATABASE_POOLER to session or transaction, as the pool_mode of PgBouncer says, or connect directly.';

/** Explains the refusal of a pooler that takes no options at the start; undefined for other errors. */
export const poolerRefusal = (message: string | undefined): string | undefined =>
  message?.includes('unsupported startup parameter')
    ? `DATABASE_URL leads to a connection pooler: ${message}. ${POOLER_CHOICE}`
    : undefined;
