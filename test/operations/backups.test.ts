import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fundWalletAsAdmin, getInstallationHealth, signIn, signUp } from '../../sdk/src/index.ts';
import { connectionEnvironment } from '../../src/cli/backups/postgres-programs.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { noDebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';

/** Of the path; Debian 12 has that of version 15. */
const PG_DUMP = ['pg', 'dump'].join('_');

const folder = mkdtempSync(join(tmpdir(), 'platform-backups-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const environment = { ...PRODUCTION, DATA_DIR: join(folder, 'data'), DRAIN_SECONDS: '0' };
const backup = (settings: Record<string, string>) =>
  runProgram(['src/main.js', 'backup', '--to', join(folder, 'backups')], { ...environment, ...settings });
const check = (file: string, settings: Record<string, string>) =>
  runProgram(['src/main.js', 'restore-check', '--file', file], { ...environment, ...settings });

test('a manifest that is none, and a dump that is not there, are told with a sentence', async () => {
  const file = join(folder, 'odd.dump');
  for (const [manifest, sentence] of [
    ['null', /^\S+odd\.json, which belongs to the dump, cannot be read: it is not of `backup`$/m],
    ['{"dump":{"sha256":"0"}}', /cannot be read: it is not of `backup`$/m],
    ['{"dump":{"sha256":"0"},"ledger":{},"rows":{}}', /^The dump cannot be read: ENOENT/m],
  ] as const) {
    writeFileSync(join(folder, 'odd.json'), manifest);
    const { code, complaints } = await check(file, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    assert.deepEqual([code, /^ +at /m.test(complaints)], [1, false], complaints);
    assert.match(complaints, sentence);
  }
});

test('a backup is taken of a running platform, and restored and checked', {
  skip: noDebianPostgres,
}, async (t) => {
  const server = await startDebianPostgres();
  t.after(server.stop);
  const settings = { DATABASE_URL: server.url };
  const program = await startProgram(['src/main.js', 'start'], { ...environment, ...settings });
  t.after(() => program.end('SIGKILL'));
  const api = new Client(program.readyValues.url as string, { 'x-api-key': environment.API_KEY });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = environment;
  const signedIn = await api.call(signIn, { body: { email, password, platform: 'web' } });
  const admin = api.as(signedIn.data.accessToken);
  const body = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  const { user } = (await api.call(signUp, { body })).data;
  await admin.call(fundWalletAsAdmin, { body: { userId: user.id, amount: 7 } });

  const taken = await backup(settings);
  assert.equal(taken.code, 0, taken.complaints);
  const file = taken.output.split('\n')[0] as string;
  assert.match(taken.output, /^\d+ bytes, 1 transactions\nhead [0-9a-f]{64}$/m);
  for (const name of readdirSync(join(folder, 'backups')))
    assert.equal(statSync(join(folder, 'backups', name)).mode & 0o777, 0o600, name);
  const manifest = readFileSync(file.replace('.dump', '.json'), 'utf8');
  assert.doesNotMatch(taken.output + taken.complaints + manifest, /a-password|secret key of the tests/);
  const { backup: recorded } = (await admin.call(getInstallationHealth)).data;
  assert.deepEqual([recorded?.place, taken.output.includes(`head ${recorded?.head}`)], [file, true]);

  const checked = await check(file, settings);
  assert.equal(checked.code, 0, checked.output + checked.complaints);
  assert.match(checked.output, /^ok {3}rows of \d+ tables, \d+ in all$/m);
  assert.match(checked.output, /^ok {3}the head of the ledger$/m);
  assert.match(checked.output, /^THE BACKUP OF \S+ CAN BE RESTORED; it took \d+ seconds\.$/m);

  const otherKey = await check(file, {
    ...settings,
    SECRET_KEY: 'a secret key of somebody else, long enough',
  });
  assert.equal(otherKey.code, 1);
  assert.match(otherKey.output, /^FAULT a platform starts on it: SECRET_KEY cannot decrypt /m);

  const broken = join(folder, 'broken.dump');
  const bytes = readFileSync(file);
  bytes[bytes.length - 100] = (bytes.at(-100) as number) ^ 1;
  writeFileSync(broken, bytes);
  copyFileSync(file.replace('.dump', '.json'), join(folder, 'broken.json'));
  const damaged = await check(broken, settings);
  assert.equal(damaged.code, 1);
  assert.match(
    damaged.output,
    /^FAULT the dump is the one that was taken: .*\nTHE BACKUP OF \S+ IS NOT SOUND/m,
  );

  const cut = join(folder, 'cut.dump');
  copyFileSync(file, cut);
  const fewer = JSON.parse(manifest);
  fewer.rows['identity."user"'] += 1;
  fewer.ledger.head = 'f'.repeat(64);
  writeFileSync(join(folder, 'cut.json'), JSON.stringify(fewer));
  const differing = await check(cut, settings);
  assert.equal(differing.code, 1);
  assert.match(differing.output, /^FAULT rows of .*: identity\."user" instead of /m);
  assert.match(differing.output, /^FAULT the head of the ledger: /m);

  const database = openDatabase({ url: server.url, connections: 1, onBackgroundError: () => undefined });
  t.after(() => database.close());
  const scratches = async () =>
    (
      await database.all<{ name: string }>(
        `select datname as name from pg_database where datname like 'restore_check%' order by 1`,
      )
    ).map(({ name }) => name);
  assert.deepEqual(await scratches(), [], 'scratch databases are dropped');

  for (const name of ['0badcafe', '1badcafe'])
    await database.execute(`create database restore_check_${name}`);
  const url = new URL(server.url);
  url.pathname = '/restore_check_1badcafe';
  const other = openDatabase({ url: url.href, connections: 1, onBackgroundError: () => undefined });
  t.after(() => other.close());
  await other.snapshot(async (queries) => {
    await queries.count('select 1');
    for (const [signal, step] of [
      ['SIGTERM', /^ok {3}the dump is the one /m],
      ['SIGINT', /^ok {3}pg_restore$/m],
      ['SIGTERM', /^ok {3}rows of /m],
    ] as const) {
      const interrupted = spawn(process.execPath, ['src/main.js', 'restore-check', '--file', file], {
        env: { ...process.env, ...environment, ...settings, FFMPEG_INSTALL: 'off' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [ended, complaints] = [once(interrupted, 'exit'), text(interrupted.stderr)];
      let output = '';
      interrupted.stdout.on('data', (printed) => {
        output += printed;
      });
      await until(
        async () => step.test(output) && (await scratches()).some((name) => !name.endsWith('badcafe')),
        `${step} and the scratch database`,
      );
      interrupted.kill(signal);
      assert.deepEqual(await ended, [1, null]);
      assert.equal(await complaints, 'Interrupted; dropping the scratch database ...\n');
      assert.deepEqual(
        await scratches(),
        ['restore_check_1badcafe'],
        'it is dropped, and so is that of a former run, but not that of a running one',
      );
    }
  });
});

test('a pg_dump that is missing or too old is named with the package to install', {
  skip: / 1[0-7]\./.test(String(spawnSync(PG_DUMP, ['-V']).stdout)) ? false : 'pg_dump is not an older one',
}, async (t) => {
  const { url, drop } = await newDatabase();
  t.after(drop);
  const { code, complaints } = await backup({ DATABASE_URL: url });
  assert.equal(code, 1);
  assert.match(complaints, /^pg_dump failed: [\s\S]*Install postgresql-client-18, or a later one\.$/m);
  assert.doesNotMatch(complaints, /\n +at /);
});

test('a folder that cannot be created is told with a sentence', async () => {
  const { url, drop } = await newDatabase();
  after(drop);
  for (const to of ['/proc/nope', '/sys/nope']) {
    const { code, complaints } = await runProgram(['src/main.js', 'backup', '--to', to], {
      ...environment,
      DATABASE_URL: url,
    });
    assert.equal(code, 1, complaints);
    assert.match(
      complaints,
      /^--to \S+ cannot be used: .*\. Set it to a folder that this user may write to\.$/m,
    );
    assert.doesNotMatch(complaints, /\n +at /);
  }
});

test('a dump without its manifest is refused in a sentence', async () => {
  const { code, complaints } = await check(join(folder, 'none.dump'), {
    DATABASE_URL: 'postgresql://localhost:1/x',
  });
  assert.equal(code, 1);
  assert.match(complaints, /^\S+none\.json, which belongs to the dump, cannot be read: ENOENT/);
});

test('PostgreSQL programs learn of the servers, the user and TLS by their environment', () => {
  const common = { PGTARGETSESSIONATTRS: 'read-write', PGAPPNAME: 'platform-api backup', PGTZ: 'UTC' };
  assert.deepEqual(
    connectionEnvironment('postgresql://a%40b:p%3Aq@h1:5433,h2/db?sslmode=verify-full&sslrootcert=/ca'),
    {
      ...common,
      ...{ PGUSER: 'a@b', PGPASSWORD: 'p:q', PGHOST: 'h1,h2', PGPORT: '5433,5432', PGDATABASE: 'db' },
      ...{ PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca' },
    },
  );
  assert.deepEqual(connectionEnvironment('postgresql:///db?host=/run/x&user=u&port=6'), {
    ...common,
    ...{ PGUSER: 'u', PGHOST: '/run/x', PGPORT: '6', PGDATABASE: 'db' },
  });
});
