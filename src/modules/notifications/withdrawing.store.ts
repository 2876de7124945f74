import type { Database } from '../../kernel/database/database.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Notifications read by one statement, so that it takes some milliseconds. */
const READ_AT_ONCE = 5_000;

/** The notifications about an id in `metadata`, with ids greater than `after`, up to and including `upTo`. */
interface Withdrawn {
  idName: string;
  id: ObjectId;
  userId?: ObjectId | undefined;
  after: string;
  upTo: string;
}

const lookingAt = (whose: string) => `
  select max(id) as last, count(*) as count, coalesce(array_agg(id) filter (where is_about), '{}') as about
  from (
    select id, metadata ->> $4 = $5 as is_about from notifications.notification
    where ${whose} id > $1 and id <= $2 order by id limit $3) looked_at`;

interface Look {
  last: ObjectId;
  count: number;
  about: ObjectId[];
}

const ofAnyone = statement<Look>('notifications.about-content', lookingAt(''));
const ofMember = statement<Look>('notifications.about-content-of-member', lookingAt('user_id = $6 and'));
const remove = statement<never>(
  'notifications.withdraw',
  `with gone as (delete from notifications.notification where id = any($1) returning id)
   delete from notifications.delivery using gone where notification_id = gone.id`,
);

/**
 * Deletes those of the next few thousand notifications that are withdrawn, with their deliveries. May be repeated.
 * @returns the last id that was looked at; undefined if there are no further ones
 */
export async function withdrawSome(
  database: Database,
  { idName, id, userId, after, upTo }: Withdrawn,
): Promise<ObjectId | undefined> {
  const values = [after, upTo, READ_AT_ONCE, idName, id];
  const look = userId
    ? await database.first(ofMember, [...values, userId])
    : await database.first(ofAnyone, values);
  if (!look) return undefined;
  if (look.about.length > 0) await database.execute(remove, [look.about]);
  return look.count === READ_AT_ONCE ? look.last : undefined;
}
