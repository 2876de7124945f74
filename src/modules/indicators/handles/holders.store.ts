import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Status } from '../access/access.transitions.ts';

export type WebhookKind = 'access' | 'activity';

interface Holder {
  savedHandle: string | null;
  requestHandle: string | null;
  accessOccurredAt: Date | null;
  activityOccurredAt: Date | null;
}

/**
 * Returns pending notifications of a member without pending changes, and marks them as notified. Countdowns that are
 * over are pending changes, though each grant ends when its turn comes.
 */
const takeNews = statement<{ indicatorId: ObjectId; name: string; status: Status }>(
  'indicators.take-news',
  `with news as (
     update indicators.access set told = status
     where user_id = $1
       and ((status = 'active' and told is distinct from 'active') or (status = 'revoked' and told = 'active'))
       and not exists (select from indicators.access o where o.user_id = $1
         and (o.status = 'pending_grant'
           or (o.status = 'pending_revoke' and (not o.is_wanted or o.grace_ends_at <= $2))))
     returning indicator_id, status)
   select n.indicator_id, i.name, n.status from news n join indicators.indicator i on i.id = n.indicator_id
   order by i.sort_order, i.id`,
);

const OCCURRED: Record<WebhookKind, string> = {
  access: 'access_occurred_at',
  activity: 'activity_occurred_at',
};

/** SQL of members' data besides their grants. */
export function holderStore() {
  return {
    async find(tx: Transaction, userId: ObjectId): Promise<Holder | undefined> {
      return tx.first(
        `select saved_handle, request_handle, access_occurred_at, activity_occurred_at
         from indicators.holder where user_id = $1`,
        [userId],
      );
    },
    async save(
      tx: Transaction,
      userId: ObjectId,
      column: 'saved_handle' | 'request_handle',
      handle: string,
    ): Promise<void> {
      await tx.execute(
        `insert into indicators.holder (user_id, ${column}) values ($1, $2)
         on conflict (user_id) do update set ${column} = excluded.${column}`,
        [userId, handle],
      );
    },
    async noteOccurred(tx: Transaction, userId: ObjectId, kind: WebhookKind, at: Date): Promise<void> {
      await tx.execute(
        `insert into indicators.holder (user_id, ${OCCURRED[kind]}) values ($1, $2)
         on conflict (user_id) do update set ${OCCURRED[kind]} = excluded.${OCCURRED[kind]}`,
        [userId, at],
      );
    },
    takeNews: (tx: Transaction, userId: ObjectId, at: Date) => tx.all(takeNews, [userId, at]),

    async isErased(tx: Transaction, userId: ObjectId): Promise<boolean> {
      const found = await tx.first(
        'select user_id from indicators.holder where user_id = $1 and erased_at is not null',
        [userId],
      );
      return found !== undefined;
    },
    /** Deletes the member's own data; their grants are deleted as they end. */
    async erase(tx: Transaction, userId: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        `delete from indicators.spelling where handle_key in (
           select lower(saved_handle) from indicators.holder where user_id = $1
           union all select lower(request_handle) from indicators.holder where user_id = $1
           union all select lower(handle) from indicators.access where user_id = $1)`,
        [userId],
      );
      await tx.execute(
        `insert into indicators.holder (user_id, erased_at) values ($1, $2)
         on conflict (user_id) do update set saved_handle = null, request_handle = null, erased_at = excluded.erased_at`,
        [userId, at],
      );
    },

    /** Returns the stored response to a webhook with this id. */
    async answerOf(tx: Transaction, kind: WebhookKind, eventId: string): Promise<object | undefined> {
      const found = await tx.first<{ answer: object }>(
        'select answer from indicators.webhook_event where kind = $1 and event_id = $2',
        [kind, eventId],
      );
      return found?.answer;
    },
    async keepAnswer(
      tx: Transaction,
      kind: WebhookKind,
      eventId: string,
      answer: object,
      at: Date,
    ): Promise<void> {
      await tx.execute(
        `insert into indicators.webhook_event (kind, event_id, answer, created_at) values ($1, $2, $3, $4)`,
        [kind, eventId, JSON.stringify(answer), at],
      );
    },
  };
}

export type HolderStore = ReturnType<typeof holderStore>;
