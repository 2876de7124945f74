import type { AuditRecord } from '@platform-api/sdk';
import { to } from '../router.ts';

const IS_OBJECT_ID = /^[0-9a-f]{24}$/;

/** What stands in the log in the place of the address of an erased member. */
const ERASED = 'deleted';

/** Who performed an audited action: a member, or a service. */
export const Actor = ({ actor, actorEmail }: Pick<AuditRecord, 'actor' | 'actorEmail'>) =>
  IS_OBJECT_ID.test(actor) ? (
    <a href={to(`/members/${actor}`)}>
      {actorEmail === null || actorEmail === ERASED ? 'Erased member' : actorEmail}
    </a>
  ) : (
    actor.replace('service:', '')
  );
