import type { Transaction } from '../../../kernel/database/queries.ts';
import type { BorneName } from '../../../kernel/records/erasure.ts';
import type { User } from './users.model.ts';

type Names = Pick<User, 'firstName' | 'lastName' | 'username'>;

/** Returns the present names of a user and the former names and addresses, each while it was theirs. */
export async function namesOf(tx: Transaction, user: Names & Pick<User, 'id'>): Promise<BorneName[]> {
  const former = await tx.all<Names & { email: string | null; since: Date | null; until: Date }>(
    `select since, until, first_name as "firstName", last_name as "lastName", username, email
     from identity.former_name where user_id = $1 order by number`,
    [user.id],
  );
  const namedSince = former.at(-1)?.until.getTime() ?? 0;
  const present = [user.firstName, user.lastName, user.username];
  return [
    ...former.flatMap(({ firstName, lastName, username, email, since, until }) =>
      [firstName, lastName, username, ...(email ? [email] : [])].map((name) => ({
        name,
        since: since?.getTime() ?? 0,
        until: until.getTime(),
      })),
    ),
    ...present.map((name) => ({ name, since: namedSince })),
  ];
}
