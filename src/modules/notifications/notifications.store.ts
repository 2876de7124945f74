import { sql } from 'kysely';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { offsetOf, type Page, type PageRequest } from '../../kernel/pagination.ts';
import type { NotificationType } from './contract.ts';
import type { Notification } from './types.ts';

interface Tables {
  'notifications.notification': {
    id: string;
    user_id: string;
    type: NotificationType;
    title: string;
    message: string;
    priority: Notification['priority'];
    channels: Notification['channels'];
    metadata: Record<string, unknown>;
    read_at: Date | null;
    created_at: Date;
  };
}

export interface NotificationFilter {
  type?: NotificationType;
  read?: boolean;
}

const tallies = statement<{ total: number; unread: number }>(
  'notifications.tally',
  'select total, unread from notifications.tally where user_id = $1',
);

const insert = statement<{ id: ObjectId }>(
  'notifications.insert',
  `insert into notifications.notification
     (id, user_id, type, title, message, priority, channels, metadata, subject, created_at)
   select id, user_id, type, title, message, priority, coalesce(string_to_array(nullif(channels, ''), ','), '{}'), metadata::jsonb,
     subject, $10
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
     as added (id, user_id, type, title, message, priority, channels, metadata, subject)
   order by user_id
   on conflict (user_id, subject) where subject is not null do nothing
   returning id`,
);

/** A notification about to be written. */
export interface NewNotification extends Omit<Notification, 'read' | 'createdAt'> {
  subject: string | null;
}

export function notificationStore(database: Database) {
  const tally = async (userId: ObjectId) =>
    (await database.run(tallies, [userId]))[0] ?? { total: 0, unread: 0 };

  const listed = (userId: ObjectId, { type, read }: NotificationFilter) =>
    database
      .tables<Tables>()
      .selectFrom('notifications.notification')
      .where('user_id', '=', userId)
      .$if(type !== undefined, (query) => query.where('type', '=', type as NotificationType))
      .$if(read !== undefined, (query) => query.where('read_at', read ? 'is not' : 'is', null));

  return {
    /** How many there are, and how many of them unread; kept, not counted. */
    tally,

    /** Writes them, and answers the ids of those whose member was not told before. */
    async insert(tx: Transaction, all: NewNotification[], at: Date): Promise<Set<ObjectId>> {
      const rows = await tx.run(insert, [
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

    /** Newest first. */
    async pageOf(
      userId: ObjectId,
      filter: NotificationFilter,
      request: PageRequest,
    ): Promise<Page<Notification>> {
      const counting = async (): Promise<number> => {
        const { total, unread } = await tally(userId);
        if (filter.type === undefined) {
          return filter.read === undefined ? total : filter.read ? total - unread : unread;
        }
        const counted = await listed(userId, filter)
          .select(sql<number>`count(*)`.as('total'))
          .executeTakeFirstOrThrow();
        return counted.total;
      };
      const [total, items] = await Promise.all([
        counting(),
        listed(userId, filter)
          .select(['id', 'user_id as userId', 'type', 'title', 'message', 'priority', 'channels'])
          .select(['metadata', 'created_at as createdAt'])
          .select(sql<boolean>`read_at is not null`.as('read'))
          .orderBy('id', 'desc')
          .limit(request.limit)
          .offset(offsetOf(request))
          .execute(),
      ]);
      return { ...request, items, total };
    },

    /** Whose it is; undefined when there is none. */
    async ownerOf(id: ObjectId): Promise<ObjectId | undefined> {
      const { rows } = await database.sql(
        'select user_id as "userId" from notifications.notification where id = $1',
        [id],
      );
      return rows[0]?.userId as ObjectId | undefined;
    },

    /** Marks them read, one or all of a member's; answers how many were not. */
    async markRead(userId: ObjectId, id: ObjectId | undefined, at: Date): Promise<number> {
      const { rows } = await database.sql(
        `update notifications.notification set read_at = $3
         where user_id = $1 and ($2::text is null or id = $2) and read_at is null returning 1`,
        [userId, id ?? null, at],
      );
      return rows.length;
    },

    async delete(userId: ObjectId, id: ObjectId): Promise<boolean> {
      const { rows } = await database.sql(
        `with gone as (delete from notifications.notification where user_id = $1 and id = $2 returning id),
           undelivered as (delete from notifications.delivery using gone where notification_id = gone.id)
         select from gone`,
        [userId, id],
      );
      return rows.length > 0;
    },
  };
}

export type NotificationStore = ReturnType<typeof notificationStore>;
