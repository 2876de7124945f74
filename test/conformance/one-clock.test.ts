// Every instant that decides something comes from the injected clock: what is due, open, expired or counted follows a
// clock that tests set and that the sandbox moves on. Whatever reads the real time is listed here, with the reason.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { parse, walk } from '../support/sql-texts.ts';

/** Files, or patterns of them, and why what they do is not decided by the clock. */
type Exceptions = Record<string, string[]>;

const WALL_CLOCK: Exceptions = {
  'it is the clock': ['src/kernel/time/time.ts'],
  'rows to try end today': ['src/**/*.seed.ts', 'src/cli/seeding/history.ts'],
  'a line of the log says when it was written': ['src/cli/progress.ts'],
  'another system compares it with its own time': [
    'src/external/storage/object-requests.ts',
    'src/kernel/net/outbound.ts',
    'src/kernel/net/tracing.ts',
    'src/sandbox/storage/sigv4.ts',
  ],
  'the file system dates files': ['src/external/transcoder/folders.ts'],
};

const DATABASE_TIME: Exceptions = {
  'the clock of all processes follows it': ['src/kernel/database/database-clock.ts'],
  'a backup is of a moment of the database': ['src/cli/backups/backups.store.ts'],
  'rows to try end today': ['src/**/*.seed.ts', 'src/cli/seeding/plan.store.ts'],
  'a lease must end although the process that held it cannot tell the time': [
    'src/kernel/database/metrics-reporter.ts',
    'src/modules/media/videos.store.ts',
    'src/modules/presence/presence.store.ts',
    'src/modules/webhooks/sending/sending.store.ts',
  ],
  'the charting platform counts calls in real time, and several processes share one pace': [
    'src/modules/indicators/account/account.store.ts',
  ],
  'the queue and the outbox keep the time of the database, and the sandbox moves what waits in them': [
    'src/kernel/messaging/due-queues.ts',
    'src/kernel/messaging/outbox.ts',
    'src/kernel/messaging/queue-figures.ts',
    'src/kernel/migrations/0004-outbox.sql',
  ],
  'a trigger has no other time, and a file may be removed early only where the sandbox is ahead': [
    'src/kernel/migrations/0006-public-files.sql',
  ],
  'a trigger keeps what a wrong clock of a process would let go': [
    'src/kernel/migrations/0012-audit-retention.sql',
  ],
  'migrations run before there is a clock': [
    'src/kernel/database/migrations.ts',
    'src/kernel/migrations/0011-months.sql',
    'src/modules/analytics/migrations/0001-analytics.sql',
    'src/modules/education/migrations/0016-changed-modules.sql',
    'src/modules/notifications/migrations/0007-promise-of-months.sql',
    'src/modules/notifications/migrations/0008-proof-of-months.sql',
  ],
};

const TIMERS: Exceptions = {
  'a time limit of something that may hang': [
    'src/app/catching-up.ts',
    'src/cli/lifetime.ts',
    'src/embedded-postgres/cluster.ts',
    'src/external/mail/smtp.ts',
    'src/external/storage/object-requests.ts',
    'src/external/storage/s3-answers.ts',
    'src/external/storage/s3-faults.ts',
    'src/external/transcoder/process.ts',
    'src/gateway/http/large-bodies.ts',
    'src/gateway/http/streams.ts',
    'src/gateway/http/stalled-clients.ts',
    'src/gateway/http/closing.ts',
    'src/gateway/metrics.ts',
    'src/kernel/concurrency/deadline.ts',
    'src/modules/indicators/comparison/comparison.ts',
    'src/modules/leaderboards/leaderboards.ts',
    'src/modules/media/served-files.ts',
    'src/modules/realtime/server.ts',
    'src/modules/webhooks/endpoints/addresses.ts',
    'src/kernel/distributed/in-cluster.ts',
    'src/modules/webhooks/sending/posting.ts',
  ],
  'a pause before an attempt or a look at what is due': [
    'src/cli/backups/scratch.store.ts',
    'src/kernel/database/refused-writes.ts',
    'src/kernel/distributed/redis-refusals.ts',
    'src/cli/processes.ts',
    'src/cli/idle-memory.ts',
    'src/cli/schema.ts',
    'src/external/prices/stream.ts',
    'src/external/prices/streams.ts',
    'src/kernel/database/migrations.ts',
    'src/kernel/database/replica-position.ts',
    'src/kernel/distributed/redis-cluster.ts',
    'src/kernel/distributed/redis-connection.ts',
    'src/kernel/distributed/redis-subscriptions.ts',
    'src/kernel/distributed/roll-call.ts',
    'src/kernel/messaging/back-off.ts',
    'src/kernel/messaging/due-queues.ts',
    'src/kernel/messaging/enqueueing.ts',
    'src/kernel/messaging/outbox.ts',
    'src/kernel/messaging/possible-work.ts',
    'src/kernel/messaging/queue-connections.ts',
    'src/kernel/net/frequent-calls.ts',
    'src/kernel/net/outbound.ts',
    'src/modules/identity/keys/key-ring.ts',
    'src/modules/indicators/access/reconciliation.ts',
    'src/modules/indicators/account/account.ts',
    'src/modules/indicators/handles/handles.ts',
    'src/modules/media/storage-watch.ts',
    'src/modules/wallet/ledger/group-commit.ts',
    'src/modules/webhooks/sending/lane.ts',
    'src/modules/webhooks/sending/pump.ts',
  ],
  'a heartbeat, or the renewal of a lease': [
    'src/kernel/database/database-clock.ts',
    'src/modules/administration/health/processes.ts',
    'src/modules/leaderboards/boards.ts',
    'src/modules/media/processing.ts',
  ],
  'many small things become one write': [
    'src/gateway/keys/key-usage.ts',
    'src/gateway/reports/error-reports.ts',
    'src/kernel/net/tracing.ts',
  ],
  'connections are real, and so is their pace': [
    'src/kernel/net/listening.ts',
    'src/modules/presence/module.ts',
    'src/modules/realtime/*.ts',
  ],
  'a stand-in is slow, or ticks': ['src/sandbox/**'],
};

const SQL_TIME =
  /\b(now\(\)|(clock|statement|transaction)_timestamp\b|current_(date|time|timestamp)\b|localtime(stamp)?\b)/i;

const isDateNow = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now';

const isNewDate = (node: ts.Node): boolean =>
  ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length;

const readsWallClock = (node: ts.Node): boolean => isDateNow(node) || isNewDate(node);

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

const readsDatabaseTime = (node: ts.Node): boolean => isText(node) && SQL_TIME.test(node.text);

/** Whether it starts a timer of Node's globals, or imports one that is awaited. */
const startsTimer = (node: ts.Node): boolean =>
  (ts.isCallExpression(node) && /^(setTimeout|setInterval)$/.test(node.expression.getText())) ||
  (ts.isImportSpecifier(node) && /^(setTimeout|setInterval)$/.test((node.propertyName ?? node.name).text)) ||
  (ts.isPropertyAccessExpression(node) && node.getText() === 'AbortSignal.timeout');

const sources = globSync('src/**/*.ts').filter((name) => !name.endsWith('.test.ts'));
const parsed = sources.map(parse);

function has(file: ts.SourceFile, found: (node: ts.Node) => boolean): boolean {
  let isFound = false;
  walk(file, (node) => {
    isFound ||= found(node);
  });
  return isFound;
}

const filesWith = (found: (node: ts.Node) => boolean): string[] =>
  parsed.filter((file) => has(file, found)).map(({ fileName }) => fileName);

/** Fails for a file that is not listed, and for an entry of the list that no file needs any more. */
function assertListed(found: string[], exceptions: Exceptions): void {
  const patterns = Object.values(exceptions).flat();
  const unlisted = found.filter((file) => !patterns.some((pattern) => matchesGlob(file, pattern)));
  assert.deepEqual(unlisted, [], 'these read the real time');
  const unused = patterns.filter((pattern) => !found.some((file) => matchesGlob(file, pattern)));
  assert.deepEqual(unused, [], 'these are listed and do not');
}

test('each way to read the real time is recognized', () => {
  const isFound = (text: string, found: (node: ts.Node) => boolean): boolean =>
    has(ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true), found);
  for (const text of ['const a = Date.now()', 'f(Date.now)', 'new Date()', 'new Date'])
    assert.ok(isFound(text, readsWallClock), text);
  for (const text of ['clock.now()', 'new Date(clock.now())', 'performance.now()', "'Date.now()'"])
    assert.ok(!isFound(text, readsWallClock), text);
  for (const text of [
    "q('select now()')",
    'q(`where a < CURRENT_DATE`)',
    '`' + '$' + '{a} clock_timestamp()`',
  ])
    assert.ok(isFound(text, readsDatabaseTime), text);
  assert.ok(!isFound("q('select known()')", readsDatabaseTime));
  for (const text of ["import { setTimeout as sleep } from 'node:timers/promises'", 'setInterval(f, 1)'])
    assert.ok(isFound(text, startsTimer), text);
});

test('only the listed files read the wall clock', () => {
  assertListed(filesWith(readsWallClock), WALL_CLOCK);
});

test('only the listed files and migrations read the time of the database', () => {
  const migrations = globSync('src/**/*.sql').filter((name) => SQL_TIME.test(readFileSync(name, 'utf8')));
  assertListed([...filesWith(readsDatabaseTime), ...migrations], DATABASE_TIME);
});

test('only the listed files wait for real time to pass', () => {
  assertListed(filesWith(startsTimer), TIMERS);
});
