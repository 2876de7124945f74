import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { topicOfEducator } from './contract.ts';

const ROWS_AT_ONCE = 5_000;

/** In this order, so that nothing is pushed while notifications are being deleted. */
const ERASURES = [
  'delete from notifications.device where user_id = $1',
  'delete from notifications.preference where user_id = $1',
  'delete from notifications.topic_subscription where user_id = $1',
  'delete from notifications.topic_opt_out where user_id = $1',
  `delete from notifications.delivery where notification_id in (
     select notification_id from notifications.delivery where user_id = $1 limit ${ROWS_AT_ONCE})`,
  `delete from notifications.notification where id in (
     select id from notifications.notification where user_id = $1 limit ${ROWS_AT_ONCE})`,
  `delete from notifications.told where user_id = $1 and subject in (
     select subject from notifications.told where user_id = $1 limit ${ROWS_AT_ONCE})`,
  'delete from notifications.tally where user_id = $1 and total = 0',
];
/** Delete who subscribed to an erased educator's topic, which is no longer used, and who has opted out of it. */
const TOPIC_ERASURES = ['topic_subscription', 'topic_opt_out'].map(
  (table) => `delete from notifications.${table} where (topic, user_id) in (
    select topic, user_id from notifications.${table} where topic = $1 limit ${ROWS_AT_ONCE})`,
);

/** Erases the data of a deleted member: devices, preferences, subscriptions, notifications and their deliveries. */
export async function eraseMember(database: Database, userId: ObjectId): Promise<void> {
  const repeat = async (text: string, value: string): Promise<void> => {
    while ((await database.execute(text, [value])) > 0);
  };
  for (const erasure of ERASURES) await repeat(erasure, userId);
  for (const erasure of TOPIC_ERASURES) await repeat(erasure, topicOfEducator(userId));
}
