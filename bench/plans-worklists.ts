// `node bench/plans-worklists.ts`: the times of the lists that administrators read of other modules, over a million
// transactions, checkouts, notifications with their deliveries, reports, grants, access requests and deliveries of
// webhooks, measured through the stores.
import type pg from 'pg';
import { openDatabase } from '../src/kernel/database/database.ts';
import { rosterStore } from '../src/modules/indicators/access/roster.store.ts';
import { requestStore } from '../src/modules/marketplace/requests.store.ts';
import { checkoutStore } from '../src/modules/merchant/checkouts.store.ts';
import { reportedItemStore } from '../src/modules/moderation/reported-items.store.ts';
import { reportStore } from '../src/modules/moderation/reports.store.ts';
import { deliveryHistoryStore } from '../src/modules/notifications/delivery-history.store.ts';
import { allTransactionsStore } from '../src/modules/wallet/administration/all-transactions.store.ts';
import { withdrawalStore } from '../src/modules/wallet/withdrawals/withdrawals.store.ts';
import { deliveryStore } from '../src/modules/webhooks/deliveries/deliveries.store.ts';
import { onMigratedDatabase, printTimes } from './planning.ts';

const ROWS = 1_000_000;
const SINCE = '2026-01-01T00:00:00Z';
/** Ids begin with the second of their creation: one every second. */
const id = (i: string) => `lpad(to_hex(extract(epoch from '${SINCE}'::timestamptz)::bigint + ${i}), 8, '0')
  || lpad(to_hex(${i}), 16, '0')`;
const at = (i: string) => `'${SINCE}'::timestamptz + ${i} * interval '1 second'`;
const oneOf = (words: string[], place: string) => `(array['${words.join("', '")}'])[1 + ${place}]`;
/** Most rows have the first word; of the others, one in a thousand each. */
const mostly = (words: string[]) =>
  `case ${words
    .slice(1)
    .map((word, place) => `when i % 1000 = ${place + 1} then '${word}'`)
    .join(' ')} else '${words[0]}' end`;
const USERS = 20_000;
const user = `${id(`i % ${USERS}`)}`;
const series = `from generate_series(1, ${ROWS}) i`;

/** Fills the tables without their triggers, but with the counts that these would keep. */
async function fill(client: pg.Client): Promise<void> {
  await client.query('set session_replication_role = replica');
  const statements = [
    `insert into wallet.transaction (id, type, status, from_user_id, to_user_id, amount, created_at, processed_at)
     select ${id('i')}, ${oneOf(['fund', 'transfer', 'withdrawal', 'transfer'], 'i % 4')},
       case when i % 4 = 2 then ${mostly(['completed', 'pending', 'pending', 'failed'])} else 'completed' end,
       case when i % 4 <> 0 then ${user} end, ${user}, 1 + i % 1500, ${at('i')}, ${at('i')} ${series}`,
    `insert into merchant.checkout (id, session_id, user_id, purpose, details, cents, status, created_at, expires_at)
     select ${id('i')}, 'cs_' || i, ${user}, 'keys', '{}', 500, ${mostly(['paid', 'open', 'expired', 'failed'])},
       ${at('i')}, ${at('i')} ${series}`,
    `insert into notifications.notification (id, user_id, type, title, message, priority, channels, created_at)
     select ${id('i')}, ${user}, 'alert', 'Title ' || i, 'Text', 'low', '{email}', ${at('i')} ${series}`,
    `insert into notifications.delivery (notification_id, channel, user_id, status, kind, created_at)
     select ${id('i')}, ${oneOf(['email', 'push'], 'i % 2')}, ${user}, ${mostly(['sent', 'failed', 'pending', 'unavailable', 'muted'])},
       case when i % 500 = 7 then 'transactional' else 'notification' end, ${at('i')} ${series}`,
    `insert into moderation.report (id, kind, subject_id, author_id, text, reported_by, reason, status, created_at, resolved_at,
       resolved_by)
     select ${id('i')}, ${oneOf(['message', 'post', 'story'], 'i % 3')}, ${id('i')}, ${user}, 'Text', ${user}, 'Spam', status,
       ${at('i')}, case when status <> 'open' then now() end, case when status <> 'open' then ${user} end
     from (select i, ${mostly(['dismissed', 'open', 'removed'])} as status ${series}) made`,
    `insert into indicators.indicator (id, name, description, is_active, sort_order, created_at, updated_at)
     select ${id('i')}, 'Indicator ' || i, '', true, i, now(), now() from generate_series(0, 49) i`,
    `insert into indicators.access (id, indicator_id, user_id, handle, is_wanted, status, failed_action, source, version, due_at,
       moved_by, moved_why, created_at, updated_at)
     select ${id('i')}, ${id('i % 50')}, ${id('i / 50')}, 'handle' || i, status <> 'revoked', status,
       case when status = 'failed' then 'grant' end, ${oneOf(['manual', 'automated', 'marketplace'], 'i % 3')}, 1,
       case when status = 'pending_grant' then now() end, 'test', 'test', ${at('i')}, ${at('i')}
     from (select i, ${mostly(['active', 'failed', 'pending_grant', 'revoked'])} as status ${series}) made`,
    `insert into indicators.tally (indicator_id, status, slot, count)
     select indicator_id, status, 0, count(*) from indicators.access group by 1, 2`,
    `insert into marketplace.product (id, name, description, product_type, cta_type, request_fields, is_active, sort_order,
       created_at, updated_at)
     select ${id('i')}, 'Product ' || i, '', 'misc', 'form', '[]', true, i, now(), now() from generate_series(0, 49) i`,
    `insert into marketplace.access_request (id, product_id, user_id, full_name, email, answers, status, submissions, created_at,
       updated_at)
     select ${id('i')}, ${id('i % 50')}, ${id('i / 50')}, 'Grace Surname' || i % 5000, 'user' || i || '@example.com', '{}',
       ${mostly(['approved', 'pending', 'denied'])}, 1, ${at('i')}, ${at('i')} ${series}`,
    `insert into marketplace.tally (product_id, status, slot, count)
     select product_id, status, 0, count(*) from marketplace.access_request group by 1, 2`,
    `insert into webhooks.event (id, type, happened_at, data) select ${id('i')}, 'user.created', now(), '{}' from generate_series(1, 1000) i`,
    `insert into webhooks.delivery (endpoint, sequence, position, type, status, attempts, created_at)
     select 1 + i % 2, i, 1 + i % 1000, ${mostly(['user.created', 'wallet.funded', 'course.published'])},
       ${mostly(['delivered', 'failed', 'pending'])}, 1, now() ${series}`,
  ];
  for (const statement of statements) await client.query(statement);
  await client.query('set session_replication_role = origin');
  await client.query('vacuum analyze');
}

const page = { page: 1, limit: 50 };
const one = (place: number): string => {
  const second = Date.parse(SINCE) / 1_000 + place;
  return second.toString(16).padStart(8, '0') + place.toString(16).padStart(16, '0');
};
const middle = one(ROWS / 2);
const someone = one(77);
const day = { from: new Date('2026-01-05T00:00:00Z'), to: new Date('2026-01-05T23:59:59Z') };

await onMigratedDatabase(async (client, url) => {
  await fill(client);
  const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
  const transactions = allTransactionsStore(database, { placeOf: async () => undefined });
  const withdrawals = withdrawalStore(database);
  const checkouts = checkoutStore(database);
  const sent = deliveryHistoryStore(database);
  const reports = reportStore(database);
  const items = reportedItemStore(database);
  const grants = rosterStore(database);
  const requests = requestStore(database);
  const webhooks = deliveryStore(database);
  await printTimes(ROWS, {
    transactions: () => transactions.pageOf({}, page),
    'transactions after one in the middle': () => transactions.pageOf({}, { ...page, before: middle }),
    'transactions of a day': () => transactions.pageOf(day, page),
    fundings: () => transactions.pageOf({ type: 'fund' }, page),
    'transactions of at least 1,400 Keys': () => transactions.pageOf({ minAmount: 1_400 }, page),
    'failed transactions': () => transactions.pageOf({ status: 'failed' }, page),
    'the transaction of a checkout that has none': () =>
      transactions.pageOf({ checkoutSessionId: 'cs_7' }, page),
    withdrawals: () => withdrawals.pageOf({}, page),
    'pending withdrawals': () => withdrawals.pageOf({ status: 'pending' }, page),
    'the sums of pending withdrawals': () => withdrawals.summaryOf({ status: 'pending' }),
    'withdrawals of a member': () => withdrawals.pageOf({ userId: someone }, page),
    checkouts: () => checkouts.pageOf({}, page),
    'checkouts after one in the middle': () => checkouts.pageOf({}, { ...page, before: middle }),
    'failed checkouts': () => checkouts.pageOf({ status: 'failed' }, page),
    'checkouts of a member': () => checkouts.pageOf({ userId: someone }, page),
    'checkouts of a day': () => checkouts.pageOf(day, page),
    'open checkouts of a day': () => checkouts.pageOf({ ...day, status: 'open' }, page),
    deliveries: () => sent.deliveries({}, page),
    'deliveries after one in the middle': () => sent.deliveries({}, { ...page, before: `${middle}_email` }),
    ...Object.fromEntries(
      (['failed', 'pending', 'sent', 'muted', 'unavailable', 'batched'] as const).map((status) => [
        `deliveries that are ${status}`,
        () => sent.deliveries({ status }, page),
      ]),
    ),
    'failed deliveries by push': () => sent.deliveries({ status: 'failed', channel: 'push' }, page),
    'deliveries by SMS, of which there are none': () => sent.deliveries({ channel: 'sms' }, page),
    'transactional e-mails': () => sent.deliveries({ kind: 'transactional' }, page),
    'deliveries to a member': () => sent.deliveries({ userId: someone }, page),
    'deliveries of a day': () => sent.deliveries(day, page),
    'what a member was sent': () => sent.sentTo(someone, page),
    reports: () => reports.pageOf({}, page),
    'reports, page 200': () => reports.pageOf({}, { page: 200, limit: 50 }),
    'open reports': () => reports.pageOf({ status: 'open' }, page),
    'items with open reports': () => items.pageOf({ status: 'open' }, page),
    'items, page 200': () => items.pageOf({}, { page: 200, limit: 50 }),
    'reports of posts': () => reports.pageOf({ kind: 'post' }, page),
    'removed posts': () => reports.pageOf({ kind: 'post', status: 'removed' }, page),
    'reports after one in the middle': () => reports.pageOf({}, { ...page, before: middle }),
    grants: () => grants.pageOfAll({}, page),
    'failed grants': () => grants.pageOfAll({ status: 'failed' }, page),
    'active grants': () => grants.pageOfAll({ status: 'active' }, page),
    'revoked grants': () => grants.pageOfAll({ status: 'revoked' }, page),
    'grants by hand': () => grants.pageOfAll({ source: 'manual' }, page),
    'failed grants by hand': () => grants.pageOfAll({ status: 'failed', source: 'manual' }, page),
    'pending grants older than a day': () =>
      grants.pageOfAll({ status: 'pending_grant', olderThan: day.from }, page),
    'grants older than a day': () => grants.pageOfAll({ olderThan: day.from }, page),
    'grants of a member': () => grants.pageOfAll({ userId: someone }, page),
    'the sums of grants': () => grants.totals(),
    'access requests': () => requests.pageOf({}, page),
    'access requests, page 200': () => requests.pageOf({}, { page: 200, limit: 50 }),
    'pending access requests': () => requests.pageOf({ status: 'pending' }, page),
    'access requests for a product': () => requests.pageOf({ productId: one(7) }, page),
    'denied access requests for a product': () =>
      requests.pageOf({ productId: one(7), status: 'denied' }, page),
    'access requests by a common name': () => requests.pageOf({ search: 'grace' }, page),
    'access requests by a rare name': () => requests.pageOf({ search: 'surname4999' }, page),
    'access requests by two letters that begin no word': () => requests.pageOf({ search: 'zq' }, page),
    'access requests by one letter': () => requests.pageOf({ search: 'g' }, page),
    'pending access requests by a common name': () =>
      requests.pageOf({ search: 'grace', status: 'pending' }, page),
    'deliveries of a webhook': () => webhooks.pageOf(1, {}, page, undefined),
    'failed deliveries of a webhook': () => webhooks.pageOf(2, { status: 'failed' }, page, undefined),
    'pending deliveries of a webhook': () => webhooks.pageOf(1, { status: 'pending' }, page, undefined),
    'deliveries of a rare type': () => webhooks.pageOf(1, { type: 'course.published' }, page, undefined),
    'failed deliveries of a common type': () =>
      webhooks.pageOf(2, { type: 'user.created', status: 'failed' }, page, undefined),
    'counts of the deliveries of a webhook': () => webhooks.counts(1),
  });
  await database.close();
});
