import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NameSince } from '../../../kernel/records/erasure.ts';
import type { User } from './users.model.ts';

type Names = Pick<User, 'firstName' | 'lastName' | 'username'>;

/** Returns the present and former names of a user, each with the instant since which it was theirs first. */
export async function namesOf(tx: Transaction, user: Names & Pick<User, 'id'>): Promise<NameSince[]> {
  const former = await tx.all<Names & { since: Date | null; until: Date }>(
    `select since, until, first_name as "firstName", last_name as "lastName", username
     from identity.former_name where user_id = $1 order by number`,
    [user.id],
  );
  const since = new Map<string, number>();
  for (const { firstName, lastName, username, since: from } of [
    ...former,
    { ...user, since: former.at(-1)?.until ?? null },
  ])
    for (const name of [firstName, lastName, username])
      since.set(name, Math.min(since.get(name) ?? Number.POSITIVE_INFINITY, from?.getTime() ?? 0));
  return [...since].map(([name, since]) => ({ name, since }));
}
