import type { Database } from '../../kernel/database/database.ts';
import {
  boundedTotal,
  MOST_COUNTED,
  offsetOf,
  type Page,
  type PageRequest,
  readPage,
} from '../../kernel/database/pagination.ts';
import { statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { DeliveryFilter, DeliveryView, SentMessage } from './deliveries.model.ts';

const VIEW = `d.notification_id, d.channel, d.user_id, d.kind, coalesce(d.mail_type, n.type) as type,
  coalesce(d.mail_title, n.title) as title, d.recipient as "to", d.message_id, d.last_response,
  d.status = 'suppressed' as suppressed, d.status, d.attempts, d.last_error, d.created_at, d.settled_at`;
const FROM = 'notifications.delivery d left join notifications.notification n on n.id = d.notification_id';

/** The notifications of the member `$1`, and their e-mails that are not notifications. */
const TOLD = `(
  select id, 'notification' as kind, type, title, message, read_at is not null as read, created_at
  from notifications.notification where user_id = $1
  union all
  select notification_id, kind, mail_type, mail_title, null, null, created_at
  from notifications.delivery where user_id = $1 and kind = 'transactional') messages where true`;

const ofNotifications = statement<DeliveryView>(
  'notifications.deliveries-of',
  `select ${VIEW} from ${FROM} where d.notification_id = any($1) order by d.notification_id, d.channel`,
);

/** The first or the last id of a second. */
const idAt = (at: Date, rest: '0' | 'f'): string =>
  Math.min(Math.max(0, Math.floor(at.getTime() / 1_000)), 0xffffffff)
    .toString(16)
    .padStart(8, '0') + rest.repeat(16);

/** SQL of the delivery history: recipients, messages and outcomes. */
export const deliveryHistoryStore = (database: Database) => ({
  /** Returns deliveries, newest first; a cursor is the notification and the channel of one. */
  async deliveries(
    { status, userId, channel, kind, notificationId, from, to }: DeliveryFilter,
    { before, ...page }: PageRequest,
  ): Promise<Page<DeliveryView>> {
    // Ids begin with their second: a period is a range of the primary key.
    const where = `($1::text is null or d.status = $1) and ($2::text is null or d.user_id = $2)
      and ($3::text is null or d.channel = $3) and ($4::text is null or d.kind = $4)
      and ($5::text is null or d.notification_id = $5)
      and ($6::text is null or d.notification_id >= $6) and ($7::text is null or d.notification_id <= $7)
      and ($8::timestamptz is null or d.created_at >= $8) and ($9::timestamptz is null or d.created_at <= $9)`;
    const values = [
      status ?? null,
      userId ?? null,
      channel ?? null,
      kind ?? null,
      notificationId ?? null,
      from ? idAt(from, '0') : null,
      to ? idAt(to, 'f') : null,
      from ?? null,
      to ?? null,
    ];
    const [id, after] = before?.split('_') ?? [];
    const place = id ? 'and d.notification_id <= $10 and (d.notification_id < $10 or d.channel > $11)' : '';
    const [counted, items] = await Promise.all([
      database.count(
        `select count(*) from (select from notifications.delivery d where ${where} limit ${MOST_COUNTED + 1}) counted`,
        values,
      ),
      database.all<DeliveryView>(
        `select ${VIEW} from ${FROM} where ${where} ${place}
         order by d.notification_id desc, d.channel limit ${page.limit} offset ${offsetOf(page)}`,
        id ? [...values, id, after] : values,
      ),
    ]);
    return { ...page, items, ...boundedTotal(counted) };
  },
  /**
   * Returns a member's notifications and e-mails, newest first; served by notification_listing and delivery_of_user.
   */
  sentTo: (userId: ObjectId, page: PageRequest): Promise<Page<SentMessage>> =>
    readPage(database, { columns: '*', from: TOLD, orderBy: 'id desc', isGrowing: true }, [userId], page),
  deliveriesOf: (notificationIds: ObjectId[]): Promise<DeliveryView[]> =>
    database.all(ofNotifications, [notificationIds]),
});

export type DeliveryHistoryStore = ReturnType<typeof deliveryHistoryStore>;
