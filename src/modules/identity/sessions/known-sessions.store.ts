import { orEmpty, type PackedRow, packedColumns, unpacked } from '../../../kernel/database/packed-rows.ts';
import { statement } from '../../../kernel/database/queries.ts';
import { timestamp } from '../../../kernel/database/timestamps.ts';
import type { KnownSession } from './sessions.model.ts';

/** Names of permissions have no commas (`PermissionName`). */
const KNOWN_SESSION = [
  ...['s.id', 's.user_id', 'u.is_active', 's.ended_at is not null', 'u.has_factor', 'u.email_verified'],
  ...[orEmpty('s.elevated_until'), "array_to_string(u.permissions, ',')", 'u.email'],
];

/**
 * Reads sessions with their owners, which nearly each request does; {@link knownSession} reads a row. Selects `ended_at`
 * instead of filtering by it: on a table without statistics, a filter would pick the wrong index. The ids are read in a
 * subquery, which hides their number from the planner: otherwise PostgreSQL plans every execution anew, which takes longer
 * than the execution.
 */
export const sessionsById = statement<PackedRow>(
  'identity.sessions-by-id',
  `select ${packedColumns(KNOWN_SESSION)}
   from identity.session s join identity.user u on u.id = s.user_id
   where s.id = any((select $1::text[])::text[])`,
);

export function knownSession(row: PackedRow): KnownSession {
  const texts = unpacked(row, KNOWN_SESSION.length);
  const text = (place: number): string => texts[place] as string;
  return {
    sessionId: text(0),
    userId: text(1),
    isActive: text(2) === 't',
    isEnded: text(3) === 't',
    hasFactor: text(4) === 't',
    isEmailVerified: text(5) === 't',
    elevatedUntil: text(6) === '' ? null : timestamp(text(6)),
    permissions: text(7) === '' ? [] : text(7).split(','),
    email: text(8),
  };
}
