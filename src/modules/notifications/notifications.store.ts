import type { Database } from '../../kernel/database/database.ts';
import { offsetOf, type Page, type PageRequest } from '../../kernel/database/pagination.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { NewNotification, Notification, NotificationFilter } from './notifications.model.ts';

const tallies = statement<{ total: number; unread: number }>(
  'notifications.tally',
  `select coalesce(sum(total), 0)::bigint as total, coalesce(sum(unread), 0)::bigint as unread
   from notifications.tally where user_id = $1`,
);

const insert = statement<{ id: ObjectId }>(
  'notifications.insert',
  `with given as (
     select *, row_number() over (partition by user_id, coalesce(subject, id) order by id) as place
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
       as added (id, user_id, type, title, message, priority, channels, metadata, subject)),
   told as (
     insert into notifications.told (user_id, subject)
     select user_id, notifications.subject_key(subject) from given where subject is not null and place = 1 order by 1, 2
     on conflict do nothing returning user_id, subject)
   insert into notifications.notification
     (id, user_id, type, title, message, priority, channels, metadata, subject, created_at)
   select id, user_id, type, title, message, priority, coalesce(string_to_array(nullif(channels, ''), ','), '{}'), metadata::jsonb,
     subject, $10
   from given
   where subject is null
     or place = 1 and (user_id, notifications.subject_key(subject)) in (select user_id, subject from told)
   order by user_id
   returning id`,
);

const COLUMNS =
  'id, user_id, type, title, message, priority, channels, metadata, created_at, read_at is not null as read';

const findAll = statement<Notification>(
  'notifications.find-all',
  `select ${COLUMNS} from notifications.notification where id = any($1) order by id`,
);

export function notificationStore(database: Database) {
  const tally = async (userId: ObjectId) =>
    (await database.first(tallies, [userId])) ?? { total: 0, unread: 0 };

  return {
    /** Returns the total and the number of unread notifications, from stored counts of each month. */
    tally,

    /** Returns the number of unread notifications of those of these members who have any. */
    async unreadOf(userIds: ObjectId[]): Promise<Map<ObjectId, number>> {
      const rows = await database.all<{ userId: ObjectId; unread: number }>(
        `select user_id, sum(unread)::bigint as unread from notifications.tally
         where user_id = any($1) group by user_id`,
        [userIds],
      );
      return new Map(rows.map(({ userId, unread }) => [userId, unread]));
    },

    /**
     * Inserts notifications; returns the ids of the new ones. A second notification of a subject for a member is
     * ignored.
     */
    async insert(tx: Transaction, all: NewNotification[], at: Date): Promise<Set<ObjectId>> {
      const rows = await tx.all(insert, [
        all.map(({ id }) => id),
        all.map(({ userId }) => userId),
        all.map(({ type }) => type),
        all.map(({ title }) => title),
        all.map(({ message }) => message),
        all.map(({ priority }) => priority),
        all.map(({ channels }) => channels.join()),
        all.map(({ metadata }) => JSON.stringify(metadata)),
        all.map(({ subject }) => subject),
        at,
      ]);
      return new Set(rows.map(({ id }) => id));
    },

    /** Returns notifications, newest first. */
    async pageOf(
      userId: ObjectId,
      filter: NotificationFilter,
      request: PageRequest,
    ): Promise<Page<Notification>> {
      // Must match the predicate of the index of unread notifications.
      const read = filter.read === undefined ? '' : `and read_at is ${filter.read ? 'not null' : 'null'}`;
      const from = `notifications.notification where user_id = $1 and ($2::text is null or type = $2) ${read}`;
      const values = [userId, filter.type ?? null];
      const counting = async (): Promise<number> => {
        if (filter.type !== undefined) return database.count(`select count(*) from ${from}`, values);
        const { total, unread } = await tally(userId);
        return filter.read === undefined ? total : filter.read ? total - unread : unread;
      };
      const [total, items] = await Promise.all([
        counting(),
        database.all<Notification>(
          `select ${COLUMNS} from ${from} and ($5::text is null or id < $5) order by id desc limit $3 offset $4`,
          [...values, request.limit, offsetOf(request), request.before ?? null],
        ),
      ]);
      return { ...request, items, total };
    },

    /** Returns those of the notifications that still exist. */
    findAll: (ids: ObjectId[]): Promise<Notification[]> => database.all(findAll, [ids]),

    /** Returns the owner of a notification; undefined if it does not exist. */
    async ownerOf(id: ObjectId): Promise<ObjectId | undefined> {
      const row = await database.first<{ userId: ObjectId }>(
        'select user_id from notifications.notification where id = $1',
        [id],
      );
      return row?.userId;
    },

    /** Marks one or all of a member's notifications as read; returns how many were unread. */
    async markRead(userId: ObjectId, id: ObjectId | undefined, at: Date): Promise<number> {
      return database.execute(
        `update notifications.notification set read_at = $3
         where user_id = $1 and ($2::text is null or id = $2) and read_at is null returning 1`,
        [userId, id ?? null, at],
      );
    },

    async delete(userId: ObjectId, id: ObjectId): Promise<boolean> {
      return (
        (await database.execute(
          `with gone as (delete from notifications.notification where user_id = $1 and id = $2 returning id),
           undelivered as (delete from notifications.delivery using gone where notification_id = gone.id)
         select from gone`,
          [userId, id],
        )) > 0
      );
    },
  };
}

export type NotificationStore = ReturnType<typeof notificationStore>;
