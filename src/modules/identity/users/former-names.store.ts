import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NameSince } from '../../../kernel/records/erasure.ts';
import type { User } from './users.model.ts';

type Names = Pick<User, 'firstName' | 'lastName' | 'username'>;

/** Returns the present and former names of a user, each with the instant since which it was theirs first. */
export async function namesOf(tx: Transaction, user: Names & Pick<User, 'id'>): Promise<NameSince[]> {
  const former = await tx.all<Names & { until: Date }>(
    `select until, first_name as "firstName", last_name as "lastName", username
     from identity.former_name where user_id = $1 order by until`,
    [user.id],
  );
  const since = new Map<string, number>();
  let from = 0;
  for (const { until, firstName, lastName, username } of [...former, { ...user, until: new Date(0) }]) {
    for (const name of [firstName, lastName, username]) since.set(name, since.get(name) ?? from);
    from = until.getTime();
  }
  return [...since].map(([name, since]) => ({ name, since }));
}
