// Each table that holds an id of a member is known to the erasure, so that nothing of a person is stored unnoticed.
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import type { MemberRecords } from '../../src/kernel/records/member-records.ts';
import { startPlatform } from '../support/platform.ts';

/** Tables with an id of a member that are no records about them, and why. */
const OTHERWISE_KNOWN: Record<string, string> = {
  'chat.report': 'former reports, which module moderation has taken over',
  'gateway.error_report': 'reports of failures, without the person once erased',
  'indicators.move': 'names the administrator who moved a grant',
  'kernel.public_file': 'pictures, removed once no record shows them',
  'livestreams.scheduled_session': 'a copy of the external calendar',
  'media.upload': 'files of courses, removed with these',
  'media.video': 'videos of lessons, removed with these',
  'merchant.checkout': 'payments, which accounting keeps under the id',
  'merchant.payout': 'payouts, which accounting keeps under the id',
  'notifications.bulk': 'names the administrator who sent it',
  'presence.present': 'connections that are open now',
  'watching.daily': 'figures of the audience of an educator',
  'webhooks.endpoint': 'held by a process',
};

/** Columns with an id of a thing. Any other column with an id is taken for a member's. */
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

/** The columns that hold ids: those with the type of ids, and texts that are named like a person. */
async function columnsWithIds(): Promise<Column[]> {
  return platform.database.all(
    `select c.table_schema || '.' || c.table_name as place, c.column_name as "column"
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.column_name <> 'id'
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

/** Returns the columns with an id of a member whose table belongs to no kind of records. */
function unknown(columns: Column[], kinds: MemberRecords[]): string[] {
  const known = new Set([...Object.keys(OTHERWISE_KNOWN), ...kinds.flatMap(({ tables }) => tables)]);
  return columns
    .filter(({ place, column }) => !THINGS.has(column) && !known.has(place))
    .map(({ place, column }) => `${place}.${column}`);
}

test('each table with the id of a member belongs to a kind of records that the erasure knows', async () => {
  const columns = await columnsWithIds();
  const kinds = await kindsOfRecords();
  assert.deepEqual(unknown(columns, kinds), []);
  const places = new Set(columns.map(({ place }) => place));
  const idle = Object.keys(OTHERWISE_KNOWN).filter((place) => !places.has(place));
  assert.deepEqual(idle, [], 'exceptions for tables without an id of a member');
});

test('a table that no kind of records names is found', async () => {
  await platform.database.execute(
    'create table trades.note (id kernel.object_id primary key, written_for kernel.object_id, told_by text)',
  );
  after(() => platform.database.execute('drop table trades.note'));
  const found = unknown(await columnsWithIds(), await kindsOfRecords());
  assert.deepEqual(found, ['trades.note.told_by', 'trades.note.written_for']);
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
