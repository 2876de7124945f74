// `node bench/plans.ts`: the plans of the queries over a million users, a room of a million messages among ten thousand
// rooms, and a million failure reports.
import { onMigratedDatabase } from './planning.ts';

const USERS = 1_000_000;
const QUERIES: Record<string, string> = {
  'distribution of permissions':
    'select permission, users from identity.permission_count where users > 0 order by users desc, permission limit 1000',
  'count of one permission': "select users from identity.permission_count where permission = 'educator'",
  'search, a page':
    "select id from identity.user where deleted_at is null and searchable like '%user77777%' order by id desc limit 10",
  'search, the count':
    "select count(*) from identity.user where deleted_at is null and searchable like '%user77777%'",
  'by permission, a page':
    "select id from identity.user where deleted_at is null and permissions && array['moderator'] order by id desc limit 10",
  'by permission, the count':
    "select count(*) from identity.user where deleted_at is null and permissions && array['moderator']",
  'all, a page': 'select id from identity.user where deleted_at is null order by id desc limit 10',
  'all, the count': 'select count(*) from identity.user where deleted_at is null',
};

const ROOM = "lpad('1', 24, '0')";
const MESSAGE = 'id, user_id, message, seq, changed_seq, client_id, created_at, edited_at, deleted_at';
const CHAT: Record<string, string> = {
  'messages before a cursor, in the middle': `select ${MESSAGE} from chat.message where room_id = ${ROOM}
     and deleted_at is null and seq < 500000 order by seq desc limit 100`,
  'messages after a cursor, in the middle': `select ${MESSAGE} from chat.message where room_id = ${ROOM}
     and deleted_at is null and seq > 500000 order by seq limit 100`,
  'messages, page 5,000': `select ${MESSAGE} from chat.message where room_id = ${ROOM} and deleted_at is null
     order by seq desc limit 100 offset 499900`,
  'missed messages': `select ${MESSAGE} from chat.message where room_id = ${ROOM} and changed_seq > 999000
     order by changed_seq desc limit 301`,
  'message with the same client id': `select id from chat.message
     where (user_id, room_id, client_id) in (select * from unnest(array[lpad('7', 24, '0')], array[${ROOM}], array['c7']))`,
  'visible rooms, a page': `select id from chat.room where deleted_at is null and (type = 'public'
     or exists (select from chat.member where room_id = room.id and user_id = lpad('7', 24, '0') and is_member))
     order by id desc limit 50`,
  'visible rooms, the count': `select count(*) from chat.room where deleted_at is null and (type = 'public'
     or exists (select from chat.member where room_id = room.id and user_id = lpad('7', 24, '0') and is_member))`,
  'members present in a room': `select room_id, count(distinct user_id) from presence.present
     where room_id = any(array[${ROOM}]) group by room_id`,
};

const ERRORS = 'gateway.error_report';
const NEWEST = `order by created_at desc, error_id desc limit 50`;
const BEFORE = `(created_at, error_id) < ('2026-01-05', '00000000-0000-4000-8000-000000000000')`;
const FAILURES: Record<string, string> = {
  'failures, the newest': `select report from ${ERRORS} ${NEWEST}`,
  'failures before a cursor': `select report from ${ERRORS} where ${BEFORE} ${NEWEST}`,
  'failures of one code, before a cursor': `select report from ${ERRORS} where code = 'CODE_7' and ${BEFORE} ${NEWEST}`,
  'failures of one code, the count': `select count(*) from ${ERRORS} where code = 'CODE_7'`,
  'failures of one user': `select report from ${ERRORS} where user_id = lpad('7', 24, '0') ${NEWEST}`,
  'critical failures of one day': `select report from ${ERRORS} where severity = 'critical'
     and created_at >= '2026-01-05' and created_at <= '2026-01-06' ${NEWEST}`,
  'failures of one code and one user': `select report from ${ERRORS}
     where code = 'CODE_7' and user_id = lpad('7', 24, '0') ${NEWEST}`,
  'failures, the count of all': `select count(*) from ${ERRORS}`,
};

await onMigratedDatabase(async (client) => {
  await client.query('alter table identity.user disable trigger user_permissions_counted');
  await client.query(`
    insert into identity.user (id, email, username, first_name, last_name, permissions, created_at, updated_at)
    select lpad(to_hex(i), 24, '0'), 'user' || i || '@example.com', 'user' || i,
      (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara'])[1 + i % 5], 'Surname' || (i % 5000),
      case when i % 100 = 0 then array['educator'] when i % 1000 = 1 then array['moderator', 'read_users'] else '{}' end,
      now(), now()
    from generate_series(1, ${USERS}) i`);
  await client.query(
    'insert into identity.permission_count select unnest(permissions), count(*) from identity.user group by 1',
  );
  await client.query(`
    insert into chat.room (id, name, type, created_by, last_seq, message_count, created_at, updated_at)
    select lpad(to_hex(i), 24, '0'), 'Room', case when i % 2 = 0 then 'private' else 'public' end, lpad('1', 24, '0'),
      case when i = 1 then ${USERS} else 0 end, case when i = 1 then ${USERS} else 0 end, now(), now()
    from generate_series(1, 10000) i`);
  await client.query(`
    insert into chat.message (id, room_id, user_id, message, seq, changed_seq, client_id, created_at)
    select lpad(to_hex(i), 24, '0'), ${ROOM}, lpad(to_hex(i % 1000), 24, '0'), 'Gold breaks out!', i, i, 'c' || i, now()
    from generate_series(1, ${USERS}) i`);
  await client.query(`
    insert into chat.member (room_id, user_id, is_member, joined_at)
    select lpad(to_hex(i % 10000), 24, '0'), lpad(to_hex(i), 24, '0'), true, now() from generate_series(1, 300000) i`);
  await client.query(`
    insert into presence.present (room_id, user_id, process_id)
    select lpad(to_hex(1 + i % 100), 24, '0'), lpad(to_hex(i), 24, '0'), lpad('1', 24, '0')
    from generate_series(1, 100000) i`);
  await client.query(`
    insert into gateway.error_report (error_id, created_at, report)
    select gen_random_uuid(), '2026-01-01'::timestamptz + i * interval '1 second', jsonb_build_object(
      'errorCode', 'CODE_' || i % 50, 'operation', 'operation' || i % 130, 'statusCode', 400 + i % 30,
      'severity', case when i % 1000 = 0 then 'critical' else 'medium' end,
      'user', jsonb_build_object('userId', lpad(to_hex(i % 10000), 24, '0')), 'request', jsonb_build_object('path', '/v1/x'))
    from generate_series(1, ${USERS}) i`);
  await client.query('vacuum analyze');
  for (const [name, query] of Object.entries({ ...QUERIES, ...CHAT, ...FAILURES })) {
    const { rows } = await client.query(`explain (analyze, costs off, buffers off) ${query}`);
    console.log(`\n${name}\n${rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
  }
});
