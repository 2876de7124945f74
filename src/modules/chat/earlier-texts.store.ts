import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Message } from './messages.model.ts';

/** A text that a message had until an instant. */
export interface EarlierText {
  text: string;
  until: Date;
}

/** Texts deleted by one statement. */
const DELETED_AT_ONCE = 5_000;

const keep = statement<never>(
  'chat.keep-earlier-text',
  'insert into chat.earlier_text (id, message_id, user_id, message, replaced_at) values ($1, $2, $3, $4, $5)',
);

/** SQL of what edited messages said before. */
export const earlierTextStore = (database: Database) => ({
  /** Keeps the text of a message that is replaced now. */
  keep: async (tx: Transaction, id: ObjectId, message: Message, at: Date): Promise<void> => {
    await tx.execute(keep, [id, message.id, message.userId, message.message, at]);
  },
  /** Returns how many texts of a message were replaced since an instant. */
  count: (tx: Transaction, messageId: ObjectId, since: Date): Promise<number> =>
    tx.count('select count(*) from chat.earlier_text where message_id = $1 and replaced_at > $2', [
      messageId,
      since,
    ]),
  /** Returns those texts, oldest first, and at most `limit`. */
  of: (messageId: ObjectId, since: Date, limit: number): Promise<EarlierText[]> =>
    database.all<EarlierText>(
      `select message as text, replaced_at as until from chat.earlier_text
       where message_id = $1 and replaced_at > $2 order by id limit $3`,
      [messageId, since, limit],
    ),
  /** Deletes those of a member. */
  async forget(userId: ObjectId): Promise<void> {
    const some = () =>
      database.execute(
        `delete from chat.earlier_text where id in (
           select id from chat.earlier_text where user_id = $1 order by id limit ${DELETED_AT_ONCE})`,
        [userId],
      );
    while ((await some()) === DELETED_AT_ONCE);
  },
});

export type EarlierTextStore = ReturnType<typeof earlierTextStore>;
