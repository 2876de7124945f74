/** Rows that a table is filled with to see how many bytes one takes with its indexes. */
export interface Filling {
  what: string;
  table: string;
  /** Inserts `$1` rows as those of `$1 / 100` members over 90 days; `id(n)` and `member(n)` are functions of the benchmark. */
  insert: string;
  /** Rows for each member and day, of whom a quarter are there on a day. */
  perMemberDay: number;
  /** The setting that bounds them, and its default; without one they stay. */
  retention?: { setting: string; days: number };
}

/** Object ids of 90 days up to now, and members. */
export const FUNCTIONS = `
  create schema bench;
  create function bench.id(n bigint) returns text language sql immutable return
    lpad(to_hex(extract(epoch from now())::bigint - 7776000 + (n * 37) % 7776000), 8, '0') || lpad(to_hex(n), 16, '0');
  create function bench.member(n bigint, members bigint) returns text language sql immutable return
    '65' || lpad(to_hex((n * 7919) % members), 22, '0');`;

const MEMBER = 'bench.member(n, $1::bigint / 100)';
const AT = `now() - ((n * 37) % 7776000) * interval '1 second'`;
const ROWS = 'generate_series(1, $1::bigint) n';

/** What a message of fifty letters, a notification of a hundred and the usual metadata are. */
const TEXT = (length: number): string => `left(repeat(md5(n::text), ${Math.ceil(length / 32)}), ${length})`;

export const FILLINGS: Filling[] = [
  {
    what: 'Notification',
    table: 'notifications.notification',
    perMemberDay: 3,
    retention: { setting: 'NOTIFICATION_RETENTION_DAYS', days: 180 },
    insert: `insert into notifications.notification (id, user_id, type, title, message, priority, channels, metadata, subject, created_at)
      select bench.id(n), ${MEMBER}, 'announcement', ${TEXT(20)}, ${TEXT(80)}, 'medium', '{push}',
        jsonb_build_object('action', 'open-post', 'postId', bench.id(n)), 'community.post-created:' || bench.id(n), ${AT} from ${ROWS}`,
  },
  {
    what: 'Delivery',
    table: 'notifications.delivery',
    perMemberDay: 3,
    retention: { setting: 'DELIVERY_RETENTION_DAYS', days: 90 },
    insert: `insert into notifications.delivery (notification_id, channel, user_id, status, attempts, created_at, settled_at)
      select bench.id(n), 'push', ${MEMBER}, 'sent', 1, ${AT}, ${AT} from ${ROWS}`,
  },
  {
    what: 'Event that a member was told of',
    table: 'notifications.told',
    perMemberDay: 3,
    retention: { setting: '(two months)', days: 77 },
    insert: `insert into notifications.told (user_id, subject)
      select ${MEMBER}, notifications.subject_key('community.post-created:' || bench.id(n)) from ${ROWS}`,
  },
  {
    what: 'Watch session',
    table: 'watching.session',
    perMemberDay: 0.5,
    retention: { setting: 'WATCH_SESSION_RETENTION_DAYS', days: 800 },
    insert: `insert into watching.session (id, user_id, content_type, content_id, educator_id, platform, started_at, seen_at, ended_at, check_at)
      select bench.id(n), ${MEMBER}, 'lesson', bench.id(n % 500), bench.id(n % 50), 'web', ${AT}, ${AT} + interval '20 minutes',
        ${AT} + interval '20 minutes', ${AT} from ${ROWS}`,
  },
  {
    what: 'Analytics event',
    table: 'analytics.event',
    perMemberDay: 10,
    retention: { setting: 'ANALYTICS_RETENTION_DAYS', days: 400 },
    insert: `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
      select ${AT}, ${AT}, n % ($1::bigint / 100), 1 + n % 20, bench.id(n), '{"page": "/courses"}' from ${ROWS}`,
  },
  {
    what: 'Presence of a member (analytics)',
    table: 'analytics.presence',
    perMemberDay: 6,
    insert: `insert into analytics.presence (person, subject, slot, before)
      select n % ($1::bigint / 100), n % 6, date_bin('15 minutes', ${AT}, 'epoch'), ${AT} - interval '1 day' from ${ROWS} on conflict do nothing`,
  },
  {
    what: 'Chat message',
    table: 'chat.message',
    perMemberDay: 0.5,
    insert: `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
      select bench.id(n), bench.id(n % 200), ${MEMBER}, ${TEXT(50)}, n, n, ${AT} from ${ROWS}`,
  },
  {
    what: 'Ledger entry (two for each transfer)',
    table: 'wallet.entry',
    perMemberDay: 0.1,
    insert: `insert into wallet.entry (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at)
      select ${MEMBER}, n, bench.id(n), 'transfer', 1, n, n + 1, n, sha256(n::text::bytea), ${AT} from ${ROWS}`,
  },
  {
    what: 'Ledger transaction',
    table: 'wallet.transaction',
    perMemberDay: 0.05,
    insert: `insert into wallet.transaction (id, type, status, from_user_id, to_user_id, amount, description, created_at, processed_at)
      select bench.id(n), 'transfer', 'completed', ${MEMBER}, ${MEMBER}, 1, ${TEXT(20)}, ${AT}, ${AT} from ${ROWS}`,
  },
  {
    what: 'Audit entry',
    table: 'kernel.audit_entry',
    perMemberDay: 0.001,
    insert: `insert into kernel.audit_entry (id, actor, actor_email, action, target, target_name, reason, details, request_id, created_at)
      select bench.id(n), ${MEMBER}, 'admin@example.com', 'user.muted', ${MEMBER}, 'Ada King', ${TEXT(30)}, '{}', gen_random_uuid(), ${AT} from ${ROWS}`,
  },
  {
    what: 'Report of a failure',
    table: 'gateway.error_report',
    perMemberDay: 0.1,
    retention: { setting: 'ERROR_REPORT_RETENTION_DAYS', days: 30 },
    insert: `insert into gateway.error_report (error_id, created_at, report)
      select gen_random_uuid(), ${AT}, jsonb_build_object('errorCode', 'NOT_FOUND', 'operation', 'getPost', 'statusCode', 404, 'severity', 'low',
        'message', ${TEXT(40)}, 'user', jsonb_build_object('userId', ${MEMBER}),
        'request', jsonb_build_object('requestId', gen_random_uuid(), 'traceId', md5(n::text), 'path', '/v1/posts', 'headers', ${TEXT(300)}))
      from ${ROWS}`,
  },
];
