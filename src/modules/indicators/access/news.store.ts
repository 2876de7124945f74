import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Status } from './access.model.ts';

/**
 * Returns pending notifications of a member without pending changes, and marks them as sent. An expired countdown is a
 * pending change, although each grant ends only in its turn.
 */
const takeNews = statement<{ indicatorId: ObjectId; status: Status }>(
  'indicators.take-news',
  `with news as (
     update indicators.access set notified_status = status
     where user_id = $1
       and ((status = 'active' and notified_status is distinct from 'active') or (status = 'revoked' and notified_status = 'active'))
       and not exists (select from indicators.access o where o.user_id = $1
         and (o.status = 'pending_grant'
           or (o.status = 'pending_revoke' and (not o.is_wanted or o.grace_ends_at <= $2))))
     returning indicator_id, status)
   select n.indicator_id, n.status from news n join indicators.indicator i on i.id = n.indicator_id
   order by i.sort_order, i.id`,
);

/** SQL of pending notifications of members. */
export const newsStore = {
  take: (tx: Transaction, userId: ObjectId, at: Date) => tx.all(takeNews, [userId, at]),
};
