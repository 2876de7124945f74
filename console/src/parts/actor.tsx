import type { AuditRecord } from '@platform-api/sdk';
import { to } from '../router.ts';
import { nameOf } from '../text.ts';
import { Person } from './values.tsx';

const IS_OBJECT_ID = /^[0-9a-f]{24}$/;

/** What stands in the log in the place of the address of an erased member. */
const ERASED = 'deleted';

type Acting = Pick<AuditRecord, 'actor' | 'actorName' | 'actorEmail'>;

/** The name of who acted; their address if they have none, unless they were erased. */
const personOf = ({ actorName, actorEmail }: Acting) => ({
  name: actorName ?? '',
  email: actorEmail === ERASED ? null : actorEmail,
});

const serviceOf = ({ actor }: Acting): string => actor.replace('service:', '');

/** Who performed an audited action, in a sentence: a member, or a service. */
export const Actor = (by: Acting) =>
  IS_OBJECT_ID.test(by.actor) ? (
    <a href={to(`/members/${by.actor}`)}>{nameOf(personOf(by))}</a>
  ) : (
    serviceOf(by)
  );

/** Who performed an audited action, in a table. */
export function ActorCell(by: Acting) {
  if (!IS_OBJECT_ID.test(by.actor)) return serviceOf(by);
  const person = personOf(by);
  return <Person id={by.actor} name={nameOf(person)} email={person.email} />;
}
