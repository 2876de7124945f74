// `node bench/plans-administration.ts`: the times of administrators' lists over a million users, sessions,
// purchases, failures and audit entries, measured through the stores.
import type pg from 'pg';
import { errorReportStore } from '../src/gateway/reports/error-reports.store.ts';
import { errorSummaryStore } from '../src/gateway/reports/error-summaries.store.ts';
import { openDatabase } from '../src/kernel/database/database.ts';
import { idMaker } from '../src/kernel/ids.ts';
import { auditLog } from '../src/kernel/records/audit.ts';
import { systemClock } from '../src/kernel/time/time.ts';
import { identityLookUpStore } from '../src/modules/identity/support/look-ups.store.ts';
import { type ListingFilter, userListingStore } from '../src/modules/identity/users/user-listing.store.ts';
import { userStore } from '../src/modules/identity/users/users.store.ts';
import { onMigratedDatabase, printTimes } from './planning.ts';

const ROWS = 1_000_000;
const SINCE = '2026-01-01T00:00:00Z';
/** Ids begin with the second of their creation: a user every second. */
const id = (i: string) => `lpad(to_hex(extract(epoch from '${SINCE}'::timestamptz)::bigint + ${i}), 8, '0')
  || lpad(to_hex(${i}), 16, '0')`;
const at = (i: string) => `'${SINCE}'::timestamptz + ${i} * interval '1 second'`;

async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    insert into identity.user (id, email, username, first_name, last_name, permissions, is_active, created_at, updated_at)
    select ${id('i')}, 'user' || i || '@example.com', 'user' || i,
      (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'])[1 + i % 5], 'Surname' || (i % 5000),
      case when i % 1000 = 1 then array['moderator'] else '{}' end, i % 5000 <> 0, ${at('i')}, ${at('i')}
    from generate_series(1, ${ROWS}) i`);
  await client.query(`
    insert into identity.session (id, user_id, platform, device, user_agent, address, created_at, last_used_at)
    select ${id('i')}, ${id('i')}, 'web', 'unnamed', '', '', ${at('i')}, ${at('i * 2')}
    from generate_series(1, ${ROWS}) i`);
  await client.query(`
    insert into identity.purchase (id, user_id, sku, product_name, last_purchased_date, created_at)
    select ${id('i')}, ${id('i')}, (array['XHSET101', 'XHSET202', 'FREEACCESS', 'RARE'])[case when i % 50000 = 0 then 4 else 1 + i % 3 end],
      'Product', now() - (i % 400) * interval '1 day', now()
    from generate_series(1, ${ROWS}, 2) i`);
  await client.query(`
    insert into kernel.audit_entry (id, actor, action, target, created_at)
    select ${id('i')}, ${id('i % 20')}, 'action.' || i % 60, ${id('i % 50000')}, ${at('i')}
    from generate_series(1, ${ROWS}) i`);
  // Few operations and codes have most of the failures, and few members.
  await client.query('select setseed(0.5)');
  await client.query(`
    insert into gateway.error_report (error_id, created_at, report)
    select gen_random_uuid(), now() - i * interval '2.5 seconds', jsonb_build_object(
      'errorCode', 'CODE_' || (o * 3 + c) % 97, 'operation', 'operation' || o, 'statusCode', 400 + (o * 3 + c) % 30,
      'severity', case when c = 0 then 'high' else 'medium' end,
      'user', jsonb_build_object('userId', ${id('u')}, 'email', 'user' || u || '@example.com'),
      'request', jsonb_build_object('path', '/v1/x', 'requestId', 'req_' || i, 'traceId', md5(i::text),
        'headers', jsonb_build_object('x', repeat('h', 300)), 'body', jsonb_build_object('y', repeat('b', 300))))
    from (select i, floor(power(random(), 3) * 300)::int o, floor(power(random(), 3) * 8)::int c,
      floor(power(random(), 2) * 20000)::int u from generate_series(1, ${ROWS}) i) failed`);
  await client.query('vacuum analyze');
}

const page = { page: 1, limit: 50 };
/** The last page that the total of a growing list leads to. */
const deep = { page: 200, limit: 50 };
const days = (count: number) => new Date(Date.now() - count * 86_400_000);
const HALF_SEEN = new Date('2026-01-12T00:00:00Z');
const CURRENT = { since: { XHSET202: days(90) }, othersSince: days(30), until: days(0) };
const USERS: Record<string, Omit<ListingFilter, 'current'>> = {
  'all users': {},
  'users, the oldest first': { sort: 'oldest' },
  'inactive users': { isActive: false },
  moderators: { permissions: ['moderator'] },
  'users who bought a common SKU': { sku: 'XHSET101' },
  'users who bought a rare SKU': { sku: 'RARE' },
  'users whose purchase opens the app': {
    openedBy: { skus: ['XHSET101', 'XHSET202'], since: [days(30), days(90)], until: days(0) },
  },
  'users of one day': {
    createdFrom: new Date('2026-01-05T00:00:00Z'),
    createdTo: new Date('2026-01-05T23:59:59Z'),
  },
  'users last seen before a day, few and the oldest': { seenBefore: new Date('2026-01-02T00:00:00Z') },
  'users last seen before a day, half of them': { seenBefore: HALF_SEEN },
  'the same, inactive': { seenBefore: HALF_SEEN, isActive: false },
  'the same, who bought a common SKU': { seenBefore: HALF_SEEN, sku: 'XHSET101' },
  'the same, who bought a rare SKU': { seenBefore: HALF_SEEN, sku: 'RARE' },
  'users by part of a name': { search: 'user77777' },
  'users by a common name': { search: 'grace' },
  'users by two letters that begin no word': { search: 'zq' },
  'moderators by a common name': { search: 'ada', permissions: ['moderator'] },
  'inactive moderators': { permissions: ['moderator'], isActive: false },
  'users by a name who bought a common SKU': { sku: 'XHSET101', search: 'grace' },
};

await onMigratedDatabase(async (client, url) => {
  await fill(client);
  const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
  const users = userListingStore(database);
  const lookUps = identityLookUpStore(database);
  const names = userStore(database);
  const find = (text: string) => lookUps.findUsers({ id: undefined, text, pattern: `${text}%` }, 20);
  const reports = errorReportStore(database);
  const audit = auditLog({ database, clock: systemClock, newId: idMaker(systemClock) });
  const { items } = await audit.pageOf({}, { page: 2_000, limit: 50 });
  const [middle] = (await users.pageOf({ current: CURRENT }, { page: 5_000, limit: 50 })).items;
  const target = items[0]?.target ?? '';
  const month = { from: days(29), to: new Date(), by: 'both' as const };
  const work = {
    ...Object.fromEntries(
      Object.entries(USERS).map(([name, filter]) => [
        name,
        () => users.pageOf({ ...filter, current: CURRENT }, page),
      ]),
    ),
    'the search for a user by a common first name': () => find('grace'),
    'the search for a user by the beginning of a rare name': () => find('surname4999'),
    'the search for a user by the beginning of an e-mail': () => find('user77777'),
    'the search for a user by one letter': () => find('u'),
    'the search for nobody': () => find('zzzz'),
    ...Object.fromEntries(
      ['u', 'zz', 'ad', 'grace', 'user77777', 'nobody'].map((search) => [
        `users by "${search}", for holders of read_users`,
        () => names.pageOf({ search }, page),
      ]),
    ),
    'moderators by one letter, for holders of read_users': () =>
      names.pageOf({ search: 'u', permissions: ['moderator'] }, page),
    'sign-ins of a day': () => lookUps.countSignIns(days(1), 300),
    'users, page 200': () => users.pageOf({ current: CURRENT }, deep),
    'users after one in the middle': () =>
      users.pageOf({ current: CURRENT }, { ...page, before: middle?.id ?? '' }),
    'the audit log': () => audit.pageOf({}, page),
    'the audit log, after an entry in the middle': () =>
      audit.pageOf({}, { ...page, before: items[0]?.id ?? '' }),
    'the audit log of one action': () => audit.pageOf({ action: 'action.7' }, page),
    'the audit log of one target': () => audit.pageOf({ target }, page),
    'the audit log, page 200': () => audit.pageOf({}, deep),
    'the actions of the audit log': () => audit.actions(),
    failures: () => reports.pageOf({}, page),
    'failures, page 200': () => reports.pageOf({}, deep),
    'failures of a code and an operation': () =>
      reports.pageOf({ code: 'CODE_0', operation: 'operation7' }, page),
    'failures of a rare code within a day': () =>
      reports.pageOf({ code: 'CODE_96', from: days(20), to: days(19) }, page),
    'failures of one e-mail': () => reports.pageOf({ email: 'user77@example.com' }, page),
    'the failure of one request': () => reports.pageOf({ requestId: 'req_500000' }, page),
    'the failure of one trace': () => reports.pageOf({ traceId: '59b90e1005a220e2ebc542eb9d950b1e' }, page),
    'failures of a day, summarized in 96 buckets': () =>
      errorSummaryStore(database).groupsOf({ ...month, from: days(1), buckets: 96 }),
    'failures of 7 days, summarized in 96 buckets': () =>
      errorSummaryStore(database).groupsOf({ ...month, from: days(7), buckets: 96 }),
    ...Object.fromEntries(
      (['both', 'code', 'operation'] as const).map((by) => [
        `failures of 29 days, summarized in 96 buckets by ${by}`,
        () => errorSummaryStore(database).groupsOf({ ...month, by, buckets: 96 }),
      ]),
    ),
  };
  await printTimes(ROWS, work);
  await database.close();
});
