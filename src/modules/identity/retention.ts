import type { Retention } from '../../kernel/records/retention.ts';

/** Obsolete rows, and how many days they are retained. */
const TABLES: Retention[] = [
  { table: 'identity.password_reset', key: 'email', since: 'requested_at', days: 2 },
  { table: 'identity.funding_key', key: 'digest', since: 'expires_at', days: 1 },
  { table: 'identity.spent_token', key: 'jti', since: 'expires_at', days: 0 },
  { table: 'identity.sent_keys', key: 'id', since: 'sent_at', days: 1 },
  { table: 'identity.refresh_token', key: 'digest', since: 'expires_at', days: 0 },
  { table: 'identity.session', key: 'id', since: 'ended_at', days: 90 },
  { table: 'identity.email_verification', key: 'user_id', since: 'expires_at', days: 1 },
];

export const FORGET_OLD = { name: 'identity.forget-old', cron: '41 3 * * *', tables: TABLES };
