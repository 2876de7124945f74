// Migrations run while an installation serves requests, whose large tables they must not lock for long.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { migrationOf, statementsOf } from '../../src/kernel/database/migration-files.ts';

/** Tables that grow without limit, or have a row for each member. */
const LARGE = [
  'analytics.event',
  'analytics.members',
  'analytics.past',
  'analytics.person',
  'analytics.presence',
  'analytics.present',
  'analytics.seen',
  'analytics.visit',
  'chat.member',
  'chat.message',
  'community.comment',
  'community.member',
  'community.post',
  'community.reaction',
  'education.certificate',
  'education.enrolment',
  'education.lesson_progress',
  'education.quiz_attempt',
  'educators.announcement_like',
  'educators.comment',
  'educators.follow',
  'educators.story_view',
  'gateway.error_member',
  'gateway.error_report',
  'identity.last_seen',
  'identity.password',
  'identity.purchase',
  'identity.refresh_token',
  'identity.session',
  'identity.user',
  'indicators.access',
  'indicators.entry',
  'indicators.move',
  'kernel.audit_entry',
  'kernel.idempotency_key',
  'kernel.outbox',
  'media.part',
  'media.upload',
  'media.video',
  'merchant.checkout',
  'moderation.report',
  'notifications.delivery',
  'notifications.device',
  'notifications.notification',
  'notifications.preference',
  'notifications.tally',
  'notifications.told',
  'notifications.topic_opt_out',
  'notifications.topic_subscription',
  'search.document',
  'search.history',
  'search.prominent',
  'search.word',
  'trades.trade',
  'wallet.account',
  'wallet.entry',
  'wallet.gift_tally',
  'wallet.proven_head',
  'wallet.purchase',
  'wallet.transaction',
  'watching.daily',
  'watching.session',
  'watching.slot',
  'webhooks.delivery',
  'webhooks.event',
];

/** The number of each module's last migration before this rule existed, when its tables were still small. */
const EARLIER: Record<string, number> = {
  analytics: 2,
  chat: 3,
  community: 3,
  education: 8,
  educators: 4,
  gateway: 2,
  identity: 5,
  indicators: 4,
  kernel: 6,
  leaderboards: 1,
  livestreams: 1,
  marketplace: 3,
  media: 3,
  merchant: 3,
  moderation: 3,
  notifications: 4,
  presence: 2,
  search: 4,
  trades: 1,
  wallet: 5,
  watching: 2,
};

function isEarlier(path: string): boolean {
  const [, module = '', number] = /([^/]+)\/migrations\/(\d+)-/.exec(path) ?? [];
  return Number(number) <= (EARLIER[module] ?? 0);
}

const RULES: { refused: RegExp; instead: string }[] = [
  {
    refused: /^create (unique )?index (?!concurrently if not exists )/,
    instead:
      'build it with "create index concurrently if not exists" in a file that begins with "-- concurrently"',
  },
  {
    refused: /\badd (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    instead:
      'add it "not valid", and "validate constraint" in a later file that begins with "-- concurrently"',
  },
  {
    refused:
      /\badd (?!constraint|check|foreign|unique|primary|exclude)(column )?(if not exists )?\w+ [^,;]*\b(references|check)\b/,
    instead: 'add the column alone, then its constraint "not valid", and validate it in a later file',
  },
  {
    refused: /\badd (constraint \w+ )?(unique|primary key|exclude)\b(?!.*\busing index\b)/,
    instead: 'build a unique index concurrently, and add the constraint "using index"',
  },
  {
    refused: /\bset not null\b/,
    instead: 'add a check (... is not null) "not valid" and validate it in a later file',
  },
  { refused: /\balter (column )?\w+ (set data )?type\b/, instead: 'add a column and fill it in portions' },
  {
    refused:
      /\badd (column )?(if not exists )?\w+ .*\b(generated always as \(.*stored|default (random|gen_random_uuid|clock_timestamp)\()/,
    instead: 'add the column without it and fill it in portions',
  },
  { refused: /^(update|delete from)\b/, instead: 'change the rows in portions, in a job' },
  {
    refused: /^(cluster|vacuum|reindex (?!.*concurrently)|drop index (?!concurrently))/,
    instead: 'do it concurrently',
  },
  { refused: /^truncate\b/, instead: 'keep what members wrote' },
];

/** Returns the migration's statements that lock a large table while they read or write all of it. */
function faultsOf(path: string, sql: string): string[] {
  // The migration does not run the bodies of functions.
  const code = sql.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  const createdTables = new Set(
    [...code.matchAll(/create (?:unlogged )?table (?:if not exists )?([\w.]+)/gi)].map(([, name]) => name),
  );
  return statementsOf(code.replaceAll(/;/g, ';\n')).flatMap((statement) => {
    const text = statement.toLowerCase().replaceAll(/\s+/g, ' ');
    const table = LARGE.find((name) =>
      new RegExp(`(?<![\\w.])${name.replace('.', '\\.')}(?!\\w)`).test(text),
    );
    if (table === undefined || createdTables.has(table)) return [];
    return RULES.filter(({ refused }) => refused.test(text)).map(
      ({ instead }) => `${path}: ${table}: ${instead}`,
    );
  });
}

const paths = globSync('src/{kernel,gateway,modules/*}/migrations/*.sql').sort();

test('no new migration reads or writes a whole large table while it locks it', () => {
  assert.ok(paths.length > 60, `only ${paths.length} migrations were found`);
  const faults = paths
    .filter((path) => !isEarlier(path))
    .flatMap((path) => faultsOf(path, readFileSync(path, 'utf8')));
  assert.deepEqual(faults, []);
});

test('a migration outside of a transaction is repeatable', () => {
  for (const path of paths) {
    const { isConcurrent, sql } = migrationOf('', path, readFileSync(path, 'utf8'));
    if (!isConcurrent) continue;
    for (const statement of statementsOf(sql))
      assert.match(
        statement.toLowerCase().replaceAll(/\s+/g, ' '),
        /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table [\w.]+ validate constraint|reindex index concurrently|analyze|do \$\$ .* on conflict .* commit\b.*) /,
        path,
      );
  }
});

test('statements that lock a large table are recognized', () => {
  const refused = [
    'create index a on chat.message (id);',
    'create unique index concurrently a on chat.message (id);',
    'alter table wallet.entry add constraint a check (amount > 0);',
    'alter table wallet.entry\n  add constraint a foreign key (id) references wallet.transaction (id);',
    'alter table wallet.entry add column other text references wallet.transaction (id);',
    'alter table wallet.entry add constraint a unique (id);',
    'alter table wallet.entry alter column note set not null;',
    'alter table wallet.entry alter column note type varchar(10);',
    'alter table wallet.entry add column twice bigint generated always as (amount * 2) stored;',
    "update identity.user set email = '';",
    'drop index chat.a; reindex table chat.message;',
  ];
  for (const sql of refused) assert.notDeepEqual(faultsOf('file', sql), [], sql);
  const allowed = [
    'create index concurrently if not exists a on chat.message (id);',
    'alter table wallet.entry add constraint a check (amount > 0) not valid;',
    'alter table wallet.entry validate constraint a;',
    "alter table wallet.entry add column note text not null default '';",
    'alter table wallet.entry add constraint a unique using index b;',
    'create index a on chat.room (id);',
    'create table chat.message (id text); create index a on chat.message (id);',
    'create function chat.f() returns void language sql as $$ update chat.message set content = 1; $$;',
  ];
  for (const sql of allowed) assert.deepEqual(faultsOf('file', sql), [], sql);
});
