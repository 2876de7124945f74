import type { Database } from '../../kernel/database/database.ts';
import { onExternal, type Subscription } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { userDeleted } from '../identity/contract.ts';
import { topicOfEducator } from './contract.ts';

const ROWS_AT_ONCE = 5_000;

/** In this order: with its devices gone, nothing more is pushed to somebody whose notifications go one by one. */
const STATEMENTS = [
  'delete from notifications.device where user_id = $1 returning 1',
  'delete from notifications.preference where user_id = $1 returning 1',
  'delete from notifications.topic_subscription where user_id = $1 returning 1',
  `delete from notifications.delivery where notification_id in (
     select notification_id from notifications.delivery where user_id = $1 limit ${ROWS_AT_ONCE}) returning 1`,
  `delete from notifications.notification where id in (
     select id from notifications.notification where user_id = $1 limit ${ROWS_AT_ONCE}) returning 1`,
  'delete from notifications.tally where user_id = $1 and total = 0 returning 1',
];

/** Erases what is kept of a deleted person: devices, wishes, subscriptions, notifications and what was to become of them. */
export function erasing(database: Database): Subscription {
  async function repeat(statement: string, values: unknown[]): Promise<void> {
    while ((await database.all(statement, values)).length > 0);
  }
  async function erase(userId: ObjectId): Promise<void> {
    for (const statement of STATEMENTS) await repeat(statement, [userId]);
    // Nobody announces anything there any more.
    await repeat(
      `delete from notifications.topic_subscription where (topic, user_id) in (
         select topic, user_id from notifications.topic_subscription where topic = $1 limit ${ROWS_AT_ONCE}) returning 1`,
      [topicOfEducator(userId)],
    );
  }
  return onExternal(userDeleted, 'notifications', ({ data }) => erase(data.userId));
}
