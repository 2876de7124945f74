import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

export type WebhookKind = 'access' | 'activity';

const OCCURRED: Record<WebhookKind, string> = {
  access: 'access_occurred_at',
  activity: 'activity_occurred_at',
};

/** SQL of received webhook events. */
export const webhookEventStore = {
  /** Returns when the newest event of a kind about a member occurred. */
  async newestOf(tx: Transaction, userId: ObjectId, kind: WebhookKind): Promise<Date | null> {
    const found = await tx.first<{ access: Date | null; activity: Date | null }>(
      `select access_occurred_at as access, activity_occurred_at as activity
       from indicators.holder where user_id = $1`,
      [userId],
    );
    return found?.[kind] ?? null;
  },
  async noteOccurred(tx: Transaction, userId: ObjectId, kind: WebhookKind, at: Date): Promise<void> {
    await tx.execute(
      `insert into indicators.holder (user_id, ${OCCURRED[kind]}) values ($1, $2)
       on conflict (user_id) do update set ${OCCURRED[kind]} = excluded.${OCCURRED[kind]}`,
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
  /** Stores an answer, which names the member by `userId`. */
  keepAnswer: async (
    tx: Transaction,
    event: { kind: WebhookKind; eventId: string; answer: { userId: ObjectId }; createdAt: Date },
  ): Promise<void> => {
    await tx.insert('indicators.webhook_event', { ...event, answer: JSON.stringify(event.answer) }, [
      'kind',
      'eventId',
      'answer',
      'createdAt',
    ]);
  },
  /** Deletes the answers about a member. */
  eraseOf: async (tx: Transaction, userId: ObjectId): Promise<void> => {
    await tx.execute('delete from indicators.webhook_event where user_id = $1', [userId]);
  },
};

export type WebhookEventStore = typeof webhookEventStore;
