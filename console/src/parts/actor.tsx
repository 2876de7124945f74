import type { AuditRecord } from '@platform-api/sdk';
import { to } from '../router.ts';

const IS_OBJECT_ID = /^[0-9a-f]{24}$/;

/** Who performed an audited action: a member, or a service. */
export const Actor = ({ actor, actorEmail }: Pick<AuditRecord, 'actor' | 'actorEmail'>) =>
  IS_OBJECT_ID.test(actor) ? (
    <a href={to(`/members/${actor}`)}>{actorEmail ?? 'Erased member'}</a>
  ) : (
    actor.replace('service:', '')
  );
