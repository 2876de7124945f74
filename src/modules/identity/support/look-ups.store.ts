import type { Database } from '../../../kernel/database/database.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { BucketCount } from '../../../kernel/operations/series.ts';
import type { ClientPlatform } from '../platforms/platforms.model.ts';

interface NamedUser {
  id: ObjectId;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
}

interface SessionOfUser {
  id: ObjectId;
  userId: ObjectId;
  platform: ClientPlatform;
  device: string;
  endedAt: Date | null;
}

/**
 * The columns whose beginnings are searched. Each is read in ascending order, so that an exact match precedes
 * longer names.
 */
const NAMES = ['email', 'username', `lower(first_name || ' ' || last_name)`, 'lower(last_name)'];
const byBeginning = (name: string): string =>
  `(select id from identity.user where deleted_at is null and ${name} like $3 order by ${name} using ~<~ limit $4)`;

/** SQL of the administrators' search. */
export const identityLookUpStore = (database: Database) => ({
  /**
   * Returns users with this id or customer id, or with a name or address that matches the pattern, in no particular
   * order.
   */
  findUsers: (
    { id, text, pattern }: { id: ObjectId | undefined; text: string; pattern: string },
    limit: number,
  ): Promise<NamedUser[]> =>
    database.all(
      `select id, email, username, first_name, last_name, customer_id from identity.user
       where deleted_at is null and id in (
         (select id from identity.user where id = $1) union
         (select id from identity.user where customer_id = $2) union
         ${NAMES.map(byBeginning).join(' union ')})
       limit $4 * ${NAMES.length + 1}`,
      [id ?? null, text, pattern, limit],
    ),
  findSession: (id: ObjectId): Promise<SessionOfUser | undefined> =>
    database.first('select id, user_id, platform, device, ended_at from identity.session where id = $1', [
      id,
    ]),
  /** Returns platform and device of these sessions, ended ones included. */
  devicesOf: async (sessionIds: ObjectId[]): Promise<Map<ObjectId, string>> => {
    const rows = await database.all<{ id: ObjectId; platform: string; device: string }>(
      'select id, platform, device from identity.session where id = any($1)',
      [sessionIds],
    );
    return new Map(rows.map(({ id, platform, device }) => [id, `${platform}, ${device}`]));
  },
  /** Counts sign-ins since an instant, by the part of the period; ids begin with the second of their creation. */
  countSignIns: (from: Date, bucketSeconds: number): Promise<BucketCount[]> =>
    database.all(
      `select floor(extract(epoch from created_at - $1::timestamptz) / $2)::integer as bucket, count(*)::integer as count
       from identity.session
       where id >= lpad(to_hex(greatest(floor(extract(epoch from $1::timestamptz))::bigint, 0)), 8, '0')
         and created_at >= $1
       group by bucket`,
      [from, bucketSeconds],
    ),
  /**
   * Returns the time since which the member has had their password; undefined if the directory is not the
   * platform's own.
   */
  passwordSince: async (userId: ObjectId): Promise<Date | undefined> =>
    (
      await database.first<{ changedAt: Date }>(
        'select changed_at from identity.password where user_id = $1',
        [userId],
      )
    )?.changedAt,
});

export type IdentityLookUpStore = ReturnType<typeof identityLookUpStore>;
