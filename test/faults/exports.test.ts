// Exports of a member with a hundred thousand records: two API processes take requests at once, a worker is killed while
// it makes one, and another makes one within 64 MB of memory.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { exportDataOfUser, exportOwnData, getExportOfUser, signIn, signUp } from '../../sdk/src/index.ts';
import { downloaded, linesIn } from '../support/archives.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startStorage } from '../support/object-storage.ts';
import { patientDatabase } from '../support/patient-database.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';

const RECORDS = 100_000;
const MOST_MEBIBYTES = 64;
/**
 * The maximum heap of the worker, of which the idle program uses more than half, and a small young generation. Without
 * these limits V8 keeps garbage as long as there is memory, however little a program needs.
 */
const HEAP = '--max-old-space-size=120 --max-semi-space-size=4';

const { url, drop } = await newDatabase();
const { clock, local, localUrl, credentials, storage } = await startStorage();
clock.set(Date.now());
const environment = {
  ...PRODUCTION,
  DATABASE_URL: url,
  STORAGE_ENDPOINT: localUrl,
  STORAGE_ACCESS_KEY_ID: credentials.accessKeyId,
  STORAGE_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};
const startApi = () => startProgram(['src/main.js', 'start'], { ...environment, ROLE: 'api' });
const startWorker = () =>
  startProgram(['src/main.js', 'start'], { ...environment, ROLE: 'worker', NODE_OPTIONS: HEAP });
const apis = await Promise.all([startApi(), startApi()]);
const database = patientDatabase(url, 2);
const workers = [await startWorker()];
after(async () => {
  await Promise.all([...apis, ...workers].map(({ end }) => end('SIGKILL')));
  await database.close();
  await drop();
});
const [here, there] = apis.map(
  ({ readyValues }) => new Client(readyValues.url as string, { 'x-api-key': environment.API_KEY }),
) as [Client, Client];

const body = {
  email: newEmail(),
  password: PASSWORD,
  firstName: 'A',
  lastName: 'B',
  platform: 'web' as const,
};
const { accessToken, user } = (await here.call(signUp, { body })).data;
const params = { userId: user.id };
const credentialsOfAdmin = { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD };
const { data: signed } = await here.call(signIn, { body: { ...credentialsOfAdmin, platform: 'backoffice' } });
const admin = here.as(signed.accessToken);

/**
 * Half of the records are messages and half notifications, each with some hundred characters that do not compress
 * well.
 */
async function fill(): Promise<void> {
  const text = `(select string_agg(md5(n::text || k), ' ') from generate_series(1, 10) k)`;
  for (let from = 1; from <= RECORDS / 2; from += 5_000) {
    const span = `generate_series(${from}, ${from + 4_999}) n`;
    await database.execute(
      `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
       select lpad(to_hex(n), 24, '0'), $1, $1, ${text}, n, n, now() from ${span}`,
      [user.id],
    );
    await database.execute(
      `insert into notifications.notification (id, user_id, type, title, message, priority, channels, created_at)
       select lpad(to_hex(n), 24, '0'), $1, 'announcement', 'n', ${text}, 'low', '{}', now() from ${span}`,
      [user.id],
    );
  }
}
await fill();

const newest = async () => (await admin.call(getExportOfUser, { params })).data;
const untilReady = () => until(async () => (await newest()).status === 'ready', 'the export');

/** Returns figures of a process in MiB, as reported by the kernel. */
function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): number {
  const [, kibibytes] =
    new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

const onlyLinux = { skip: process.platform === 'linux' ? false : 'memory is read from /proc' };

test(
  `an export of ${RECORDS} records takes less than ${MOST_MEBIBYTES} MB beyond the idle process`,
  onlyLinux,
  async (t) => {
    const pid = workers[0]?.process.pid as number;
    const idle = memoryOf(pid, 'VmRSS');
    // Resets the peak of the start.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const requests = [here, there].flatMap((client) =>
      Array.from({ length: 5 }, () => client.as(accessToken).attempt(exportOwnData)),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [202, ...Array(9).fill(409)], 'two processes begin one export');
    await untilReady();
    const grown = memoryOf(pid, 'VmHWM') - idle;
    t.diagnostic(`${Math.round(grown)} MiB beyond ${Math.round(idle)} MiB`);
    assert.ok(grown < MOST_MEBIBYTES, `${grown} MiB`);
    const files = await downloaded((await newest()).url);
    assert.equal(linesIn(files, 'messages').length, RECORDS / 2);
    assert.ok(linesIn(files, 'notifications').length >= RECORDS / 2);
  },
);

test('an export whose worker is killed is created again by another worker', async () => {
  local.setMode('slow');
  await admin.call(exportDataOfUser, { params, body: {} });
  const isActive = `select count(*) from jobs.job where name = 'exports.make' and state = 'active'`;
  await until(async () => {
    assert.equal(workers[0]?.process.signalCode, null, workers[0]?.complaints());
    return (await database.count(isActive)) === 1;
  }, 'the job');
  await workers[0]?.end('SIGKILL');
  assert.equal((await newest()).status, 'pending', 'killed while it was made');
  local.setMode('ok');
  workers.push(await startWorker());
  await untilReady();
  const files = await downloaded((await newest()).url);
  assert.equal(linesIn(files, 'messages').length, RECORDS / 2);
  const keys: string[] = [];
  for await (const page of storage.list('exports/')) keys.push(...page.map(({ key }) => key));
  assert.equal(keys.length, 2, 'one file for each export');
});
