// Each table with the id of a member is covered by the erasure and by the export, so that no personal data is stored
// unnoticed.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import type { ExportedArea, MemberRecords } from '../../src/kernel/records/member-records.ts';
import { startPlatform } from '../support/platform.ts';

/** Tables with the id of a member that are not records about the member, and why. */
const OTHERWISE_KNOWN: Record<string, string> = {
  'chat.report': 'former reports, which module moderation has taken over',
  'gateway.error_member': 'which failures an id met; of an erased person it names nobody',
  'gateway.error_report': 'reports of failures, without the person once erased',
  'indicators.move': 'names the administrator who moved a grant',
  'kernel.alert': 'which alerts in the audit log are open',
  'kernel.public_file': 'pictures, removed once no record shows them',
  'livestreams.scheduled_session': 'a copy of the external calendar',
  'notifications.bulk': 'names the administrator who sent it',
  'presence.block_to_tell': 'blocks that are in `blocks`, until the rooms of both have been told',
  'presence.present': 'connections that are open now',
  'watching.daily': 'figures of the audience of an educator',
  'webhooks.endpoint': 'held by a process',
};

/** Tables with the id of a member that the export does not read, and why. */
const NOT_EXPORTED: Record<string, string> = {
  'analytics.candidate': 'names of events that are in `tracked-events`',
  'chat.report': 'former reports, which module moderation has taken over',
  'education.teaching': 'sums of `own-courses`',
  'educators.tally': 'sums of `announcements`, and of followers, who are others',
  'exports.export': 'the exports themselves',
  'gateway.error_member': 'sums of reports, deleted with them',
  'gateway.error_report': 'records of operators, deleted after 30 days',
  'identity.email_verification': 'digests of codes that last a day',
  'identity.funding_key': 'digests of secrets that last ten minutes',
  'identity.last_seen': 'the last day of `sessions`',
  'identity.password': 'a hash',
  'identity.password_reset': 'digests of codes that last an hour',
  'identity.recovery_code': 'digests of secrets',
  'identity.sent_keys': 'sums of `wallet-entries` for a day',
  'indicators.move': 'what became of `indicator-access`, and by which administrator',
  'indicators.webhook_event': 'answers to the backoffice about `indicator-access`, for 30 days',
  'kernel.alert': 'which alerts in the audit log are open',
  'livestreams.scheduled_session': 'a copy of the external calendar',
  'moderation.intervention': 'until its author has been notified; then in `notifications`',
  'notifications.bulk': 'names the administrator who sent it',
  'notifications.tally': 'sums of `notifications`',
  'notifications.told': 'the events that caused `notifications`',
  'presence.block_to_tell': 'blocks that are in `blocks`, until the rooms of both have been told',
  'presence.present': 'connections that are open now',
  'wallet.gift_tally': 'sums of `tips`',
  'watching.daily': 'figures of the audience of an educator',
  'webhooks.endpoint': 'held by a process',
};

/**
 * Columns of exported tables that the export leaves out: internal state of processing, secrets and their digests, and
 * columns that name somebody else.
 */
const NOT_EXPORTED_COLUMNS: Record<string, string> = {
  'chat.member': 'last_sent_at notified_since read_seq told_at told_seq',
  'chat.message': 'sent_digest changed_seq seq deleted_by client_id is_decided',
  'chat.room': 'last_message_at created_by last_seq',
  'education.course': 'duration module_count lesson_count owner_teaches',
  'education.enrolment': 'transaction_id',
  'identity.authenticator': 'sealed used_steps',
  'identity.passkey': 'credential_id public_key counter',
  'identity.session': 'elevated_until lacks_factor device_id allowance_id',
  'identity.user': 'searchable credential_version email_unproven erased_by password_version',
  'indicators.access': `error_kind last_error moved_by failed_action priority request_id due_at notified_status is_wanted
    leased_until version moved_why ended_by attempts`,
  'indicators.holder': 'erased_at activity_occurred_at access_occurred_at',
  'livestreams.livestream': 'host_teaches',
  'marketplace.access_request': 'searchable decided_by',
  'media.upload': 'expires_at',
  'media.video':
    'source_key poster beat_at number error_message source_etag progress spent attempt error_code',
  'merchant.checkout': 'next_check_at last_error attempts provider_status reason details payment_id',
  'merchant.payout':
    'ending decision_id decision next_check_at reason attempts provider_id last_error mispaid paid_cents paid_currency',
  'moderation.mute': 'muted_by',
  'moderation.report':
    'author_id container_id text_digest left_digest note resolved_by round text earlier_texts',
  'notifications.delivery': 'last_error last_response message_id attempts claimed_until',
  'notifications.device': 'token keys session_id',
  'notifications.notification': 'metadata subject',
  'search.history': 'is_counted',
  'wallet.account': 'locked_reason user_id hash last_seq',
  'wallet.entry': 'hash type_sum other_seq balance_before type_seq',
  'watching.session': 'check_at',
};

/** Tables with documents (JSON) that neither name a member by a column nor are erased with one, and why. */
const OTHER_DOCUMENTS: Record<string, string> = {
  'analytics.event': 'of a person by their number; `analytics.person` is erased with its events',
  'education.lesson': 'links of a course',
  'education.quiz': 'questions of a course',
  'educators.educator': 'a copy of what identity shows, by the id of the educator',
  'jobs.job': 'work, emptied by a second round of the erasure',
  'jobs.schedule': 'times of work',
  'jobs.warning': 'of the queue about itself',
  'kernel.audit_entry': 'emptied by a function of its own',
  'kernel.idempotency_key': 'responses of the last day',
  'kernel.outbox': 'events that are delivered within a moment',
  'leaderboards.board': 'rankings, which are computed anew',
  'marketplace.product': 'questions of a product',
  'media.part': 'figures of a file',
  'merchant.unknown_payment': 'ids and amounts of payments that belong to nobody known',
  'wallet.verification': 'faults of the ledger by numbers',
  'webhooks.delivery': 'what receivers answered',
  'webhooks.event': 'ids and numbers',
};

/** Columns with the id of a thing. Any other column with an id counts as a member's. */
const THINGS = new Set(
  `account_id announcement_id checkout_id community_id container_id content_id counter_id course_id key_id lesson_id
   message_id module_id notification_id post_id process_id replaced_by room_id session_id story_id subject_id
   transaction_id video_id`.split(/\s+/),
);

const platform = await startPlatform({ LOG_LEVEL: 'silent' });

interface Column {
  place: string;
  column: string;
}

/** Returns the columns that may contain ids: those of the type for ids, and texts named after a person. */
async function columnsWithIds(): Promise<Column[]> {
  return platform.database.all(
    `select c.table_schema || '.' || c.table_name as place, c.column_name as "column"
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.column_name <> 'id'
       and not (select relispartition from pg_class where oid = format('%I.%I', c.table_schema, c.table_name)::regclass)
       and (c.domain_name = 'object_id'
         or c.data_type = 'text' and c.column_name ~ '(_by|(user|owner|educator|author|member|host)_id)$')
     order by 1, 2`,
  ) as Promise<Column[]>;
}

async function kindsOfRecords(): Promise<MemberRecords[]> {
  const kinds: MemberRecords[] = [];
  for (const path of globSync('src/modules/*/member-records.store.ts'))
    for (const exported of Object.values(await import(resolve(path))))
      kinds.push(...(exported as MemberRecords[]));
  return kinds;
}

/** Returns the columns with the id of a member in tables other than the given ones. */
const beside = (columns: Column[], known: Set<string>): string[] =>
  columns
    .filter(({ place, column }) => !THINGS.has(column) && !known.has(place))
    .map(({ place, column }) => `${place}.${column}`);

const erasedTables = (kinds: MemberRecords[]): Set<string> =>
  new Set([...Object.keys(OTHERWISE_KNOWN), ...kinds.flatMap(({ tables }) => tables)]);

const areasOf = (kinds: MemberRecords[]): ExportedArea[] => kinds.flatMap(({ exported = [] }) => exported);

/** The tables that the statements of the areas read. */
const readTables = (kinds: MemberRecords[]): Set<string> =>
  new Set(areasOf(kinds).flatMap(({ page }) => page.text.match(/(?<=\b(from|join)\s+)\w+\.\w+/g) ?? []));

const exportedTables = (kinds: MemberRecords[]): Set<string> =>
  new Set([...Object.keys(NOT_EXPORTED), ...readTables(kinds)]);

test('each table with the id of a member belongs to a kind of records that the erasure knows', async () => {
  const columns = await columnsWithIds();
  const kinds = await kindsOfRecords();
  assert.deepEqual(beside(columns, erasedTables(kinds)), []);
  const places = new Set(columns.map(({ place }) => place));
  const idle = Object.keys(OTHERWISE_KNOWN).filter((place) => !places.has(place));
  assert.deepEqual(idle, [], 'exceptions for tables without an id of a member');
});

test('each table with documents belongs to a kind of records that the erasure knows, or a reason says why not', async () => {
  const tables = (await platform.database.all(
    `select distinct table_schema || '.' || table_name as place from information_schema.columns
     where data_type in ('json', 'jsonb') and table_schema not in ('pg_catalog', 'information_schema', 'pgboss')
       and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
     order by 1`,
  )) as { place: string }[];
  const known = erasedTables(await kindsOfRecords());
  const others = tables.map(({ place }) => place).filter((place) => !known.has(place));
  assert.deepEqual(others, Object.keys(OTHER_DOCUMENTS).sort());
});

test('each table with the id of a member is read by the export, or a reason says why not', async () => {
  const columns = await columnsWithIds();
  const kinds = await kindsOfRecords();
  assert.deepEqual(beside(columns, exportedTables(kinds)), []);
  const places = new Set(columns.map(({ place }) => place));
  const read = readTables(kinds);
  const idle = Object.keys(NOT_EXPORTED).filter((place) => !places.has(place) || read.has(place));
  assert.deepEqual(idle, [], 'reasons for tables that have no member or are exported');
});

test('each column of an exported table is exported, or named as left out', async () => {
  const columns = (await platform.database.all(
    `select table_schema || '.' || table_name as place, array_agg(column_name::text) as names
     from information_schema.columns group by 1`,
  )) as { place: string; names: string[] }[];
  const columnsOf = new Map(columns.map(({ place, names }) => [place, names]));
  const leftOut: Record<string, string[]> = {};
  for (const { tables, exported = [] } of await kindsOfRecords()) {
    const text = exported.map(({ page }) => page.text).join('\n');
    for (const table of tables.filter((name) => text.includes(name))) {
      const names = (columnsOf.get(table) ?? []).filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
      if (names.length > 0) leftOut[table] = names.sort();
    }
  }
  const named = Object.entries(NOT_EXPORTED_COLUMNS).map(([table, names]) => [
    table,
    names.split(/\s+/).sort(),
  ]);
  assert.deepEqual(leftOut, Object.fromEntries(named));
});

test('areas have distinct names and describe their content', async () => {
  const areas = areasOf(await kindsOfRecords());
  assert.equal(new Set(areas.map(({ name }) => name)).size, areas.length);
  for (const { name, about } of areas) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.match(about, /^[A-Z].*[^.]$/, name);
  }
});

test('no area reads a secret, or names somebody else', async () => {
  for (const { name, page } of areasOf(await kindsOfRecords()))
    assert.doesNotMatch(
      page.text.replaceAll(/'[^']*'/g, ''),
      /\b(hash|digest|sealed|secret|public_key|credential_id|token|(decided|moved|muted|resolved|deleted|issued)_by|locked_reason)\b/,
      name,
    );
});

test('a table that no kind of records names is found', async () => {
  await platform.database.execute(
    'create table trades.note (id kernel.object_id primary key, written_for kernel.object_id, told_by text)',
  );
  after(() => platform.database.execute('drop table trades.note'));
  const [columns, kinds] = [await columnsWithIds(), await kindsOfRecords()];
  for (const known of [erasedTables(kinds), exportedTables(kinds)])
    assert.deepEqual(beside(columns, known), ['trades.note.told_by', 'trades.note.written_for']);
});

test('each kind of records names a table of its own module', async () => {
  for (const path of globSync('src/modules/*/member-records.store.ts')) {
    const module = path.split('/')[2];
    for (const exported of Object.values(await import(resolve(path))))
      for (const { name, tables } of exported as MemberRecords[]) {
        assert.ok(tables.length > 0, name);
        for (const table of tables) assert.equal(table.split('.')[0], module, `${name}: ${table}`);
      }
  }
});
