import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Notifications read by one statement, so that it takes some milliseconds. */
const READ_AT_ONCE = 5_000;

/** Notifications that an event has caused about an id in `metadata`. */
export interface Withdrawn {
  event: string;
  idName: string;
  id: ObjectId;
}

/** The notifications to look at: with ids greater than `after`, up to and including `upTo`, of one member if one is given. */
interface Stretch {
  userId?: ObjectId | undefined;
  after: string;
  upTo: string;
}

const lookingAt = (whose: string) => `
  select max(id) as last, count(*) as count, coalesce(array_agg(id) filter (where is_withdrawn), '{}') as withdrawn
  from (
    select id, exists (
      select from unnest($4::text[], $5::text[], $6::text[]) as withdrawn (event, name, id)
      where metadata ->> withdrawn.name = withdrawn.id and starts_with(subject, withdrawn.event || ':')) as is_withdrawn
    from notifications.notification
    where ${whose} id > $1 and id <= $2 order by id limit $3) looked_at`;

/** A notification that was deleted. */
interface Gone {
  id: ObjectId;
  userId: ObjectId;
}

interface Look {
  last: ObjectId;
  count: number;
  withdrawn: ObjectId[];
}

const ofAnyone = statement<Look>('notifications.find-withdrawn', lookingAt(''));
const ofMember = statement<Look>('notifications.find-withdrawn-of-member', lookingAt('user_id = $7 and'));
/** What was sent stays among the deliveries, with its type; what waits is not sent. */
const remove = statement<Gone>(
  'notifications.withdraw',
  `with gone as (delete from notifications.notification where id = any($1) returning id, user_id, type),
   sent as (
     update notifications.delivery d set mail_type = gone.type from gone
     where d.notification_id = gone.id and d.status not in ('pending', 'batched')),
   unsent as (
     delete from notifications.delivery d using gone
     where d.notification_id = gone.id and d.status in ('pending', 'batched'))
   select id, user_id as "userId" from gone`,
);

/**
 * Deletes those of the next few thousand notifications of a stretch that are withdrawn. May be repeated.
 * @param all what is withdrawn, from this stretch and from others that overlap it
 * @returns what was deleted, and the last id that was looked at, which is undefined if there are no further ones
 */
export async function withdrawSome(
  tx: Transaction,
  { userId, after, upTo }: Stretch,
  all: Withdrawn[],
): Promise<{ gone: Gone[]; last: ObjectId | undefined }> {
  const ofAll = [all.map(({ event }) => event), all.map(({ idName }) => idName), all.map(({ id }) => id)];
  const values = [after, upTo, READ_AT_ONCE, ...ofAll];
  const look = userId ? await tx.first(ofMember, [...values, userId]) : await tx.first(ofAnyone, values);
  if (!look) return { gone: [], last: undefined };
  const gone = look.withdrawn.length > 0 ? await tx.all(remove, [look.withdrawn]) : [];
  return { gone, last: look.count === READ_AT_ONCE ? look.last : undefined };
}
