import { readBacklog } from '../../kernel/database/backlog.ts';
import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { storableText } from '../../kernel/text/safe-text.ts';
import type { Channel } from './contract.ts';
import type { Delivery, NewDelivery, Settlement, TransactionalMail } from './deliveries.model.ts';

/** A delivery that waits for a digest. */
interface Batched {
  notificationId: ObjectId;
  type: string;
  isRead: boolean;
}

/** What a digest may send, or until when another run of the member's digest has claimed some of it. */
type ClaimedBatch = { waiting: Batched[] } | { claimedUntil: Date };

const insert = statement<never>(
  'notifications.insert-deliveries',
  `insert into notifications.delivery (notification_id, channel, user_id, status, created_at, settled_at)
   select notification_id, channel, user_id, status, $5,
     case when status in ('muted', 'unavailable') then $5::timestamptz end
   from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as added (notification_id, channel, user_id, status)`,
);

const findAll = statement<Delivery>(
  'notifications.delivery',
  `select notification_id as "notificationId", channel, delivery.user_id as "userId", status, attempts,
     type, title, message, priority, metadata, read_at is not null as "isRead", preferences
   from notifications.delivery join notifications.notification on id = notification_id
     left join notifications.preference on preference.user_id = delivery.user_id
   where notification_id = any($1) and id = any($1) and channel = $2 order by notification_id`,
);

const settle = statement<never>(
  'notifications.settle-deliveries',
  `update notifications.delivery set status = $3, attempts = attempts + 1, last_error = $4,
     settled_at = case when $3 in ('pending', 'batched') then null else $5::timestamptz end, claimed_until = null,
     recipient = coalesce($6, recipient), message_id = coalesce($7, message_id),
     last_response = coalesce($8, last_response)
   where channel = $1 and notification_id = any($2) and status in ('pending', 'batched')`,
);

const claim = statement<never>(
  'notifications.claim-deliveries',
  'update notifications.delivery set claimed_until = $3 where channel = $1 and notification_id = any($2)',
);

/** Maximum number of characters stored of a server's response. */
const MAX_TEXT_LENGTH = 500;

/** An attempt of a transactional e-mail; the last one of those that may follow fails it. */
const recordMail = statement<never>(
  'notifications.record-mail',
  `insert into notifications.delivery as kept (notification_id, channel, user_id, kind, mail_type, mail_title, recipient, status,
     attempts, last_error, message_id, last_response, created_at, settled_at)
   values ($1, 'email', $2, 'transactional', $3, $4, $5, $6, 1, $7, $8, $9, $10, case when $6 <> 'pending' then $10::timestamptz end)
   on conflict (notification_id, channel) do update
   set status = case when excluded.status = 'pending' and kept.attempts + 1 >= $11 then 'failed' else excluded.status end,
     settled_at = case when excluded.status <> 'pending' or kept.attempts + 1 >= $11 then excluded.created_at end,
     attempts = kept.attempts + 1, last_error = excluded.last_error, message_id = excluded.message_id,
     last_response = excluded.last_response`,
);

const keptOf = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? storableText(text, MAX_TEXT_LENGTH) : null;

export function deliveryStore(database: Database) {
  return {
    async insert(tx: Transaction, all: NewDelivery[], at: Date): Promise<void> {
      if (all.length === 0) return;
      await tx.execute(insert, [
        all.map(({ notificationId }) => notificationId),
        all.map(({ channel }) => channel),
        all.map(({ userId }) => userId),
        all.map(({ status }) => status),
        at,
      ]);
    },

    /** Returns the deliveries that still exist, oldest first. */
    findAll: (notificationIds: ObjectId[], channel: Channel): Promise<Delivery[]> =>
      database.all(findAll, [notificationIds, channel]),

    /**
     * Records the result of an attempt to send these deliveries together; `pending` and `batched` allow another
     * attempt. As it writes many rows, it may meet a deadlock, with the erasure of a member, say; in a transaction of its own
     * it is then tried again, and nothing is sent twice.
     */
    async settle(
      channel: Channel,
      notificationIds: ObjectId[],
      { status, error, at, recipient, messageId, response }: Settlement & { at: Date },
    ): Promise<void> {
      const values = [
        channel,
        notificationIds,
        status,
        keptOf(error),
        at,
        recipient ?? null,
        messageId ?? null,
        keptOf(response),
      ];
      await database.transaction(async (tx) => tx.send(settle, values));
    },

    /** Records an attempt of a transactional e-mail, of which there are at most `attempts`. */
    async recordMail(mail: TransactionalMail, at: Date, attempts: number): Promise<void> {
      const { id, userId, type, title, recipient, status, error, messageId, response } = mail;
      await database.execute(recordMail, [
        id,
        userId,
        type,
        title,
        recipient ?? null,
        status,
        keptOf(error),
        messageId ?? null,
        keptOf(response),
        at,
        attempts,
      ]);
    },

    /** Records that these deliveries will not be sent, without counting an attempt. */
    async withhold(
      channel: Channel,
      notificationIds: ObjectId[],
      { status, at }: { status: 'muted' | 'read'; at: Date },
    ): Promise<void> {
      if (notificationIds.length === 0) return;
      await database.execute(
        `update notifications.delivery set status = $3, last_error = null, settled_at = $4
         where channel = $1 and notification_id = any($2) and status in ('pending', 'batched')`,
        [channel, notificationIds, status, at],
      );
    },

    /**
     * Returns at most `limit` members, by id, with deliveries that wait for a digest, and the last such notification of
     * each.
     */
    async digestsDue(
      channel: Channel,
      after: ObjectId,
      limit: number,
    ): Promise<{ userId: ObjectId; upTo: ObjectId }[]> {
      return database.all<{ userId: ObjectId; upTo: ObjectId }>(
        `select user_id as "userId", max(notification_id) as "upTo" from notifications.delivery
         where channel = $1 and status = 'batched' and user_id > $2 group by user_id order by user_id limit $3`,
        [channel, after, limit],
      );
    },

    /**
     * Claims the deliveries that wait for a member's digest, up to a notification, oldest first, until they are settled and
     * at most until `until`; if another run has claimed any of them, it claims none.
     */
    claimBatch: (
      { userId, channel, upTo }: { userId: ObjectId; channel: Channel; upTo: ObjectId },
      { at, until }: { at: Date; until: Date },
    ): Promise<ClaimedBatch> =>
      database.transaction(async (tx) => {
        const waiting = await tx.all<Batched & { claimedUntil: Date | null }>(
          `select notification_id as "notificationId", type, read_at is not null as "isRead", claimed_until as "claimedUntil"
           from notifications.delivery join notifications.notification on id = notification_id
           where channel = $2 and delivery.user_id = $1 and status = 'batched' and notification_id <= $3
           order by notification_id for update of delivery`,
          [userId, channel, upTo],
        );
        for (const { claimedUntil } of waiting)
          if (claimedUntil && claimedUntil > at) return { claimedUntil };
        tx.send(claim, [channel, waiting.map(({ notificationId }) => notificationId), until]);
        return { waiting };
      }),

    /** Returns how many deliveries failed; served by delivery_listing. */
    backlog: () =>
      readBacklog(
        database,
        `select created_at as at from notifications.delivery where status = 'failed' order by notification_id`,
      ),

    /** Resets failed deliveries to pending: a single one, or the oldest `limit`; returns them. */
    async revive(
      tx: Transaction,
      one: Pick<NewDelivery, 'notificationId' | 'channel'> | undefined,
      most: number,
    ): Promise<Pick<NewDelivery, 'notificationId' | 'channel'>[]> {
      return tx.all<Pick<NewDelivery, 'notificationId' | 'channel'>>(
        `update notifications.delivery set status = 'pending', attempts = 0, settled_at = null
         where (notification_id, channel) in (
           select notification_id, channel from notifications.delivery
           where status = 'failed' and kind = 'notification' and ($1::text is null or (notification_id = $1 and channel = $2))
           order by notification_id, channel limit $3 for update skip locked)
         returning notification_id as "notificationId", channel`,
        [one?.notificationId ?? null, one?.channel ?? null, most],
      );
    },
  };
}

export type DeliveryStore = ReturnType<typeof deliveryStore>;
