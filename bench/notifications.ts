// Notifications created, and delivered by push over HTTP, per second, beside the rate of the bare job queue in the same
// run, and the CPU that one takes. `node bench/notifications.ts`; on two idle cores. BENCH_ROUNDS is the number of rounds
// (2), BENCH_MEMBERS of members (20,000), and BENCH_SOURCE the folder of another checkout, whose platform takes turns with
// ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { sandboxPushes, startSandbox } from '../src/sandbox/index.ts';
import { startChild } from './children.ts';
import { cpuUs, cpuWithChildrenUs } from './cpu.ts';

const MEMBERS = Number(process.env.BENCH_MEMBERS ?? 20_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2);
const sources = ['.', ...(process.env.BENCH_SOURCE ? [process.env.BENCH_SOURCE] : [])];

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
const sandbox = await startSandbox({ port: 0, paymentWebhookSecret: 'whsec', payoutDelay: 3600 });
const { account, apiUrl } = sandboxPushes(sandbox);
await cluster.createDatabase('queue');

type Scene = Awaited<ReturnType<typeof startScene>>;

/** Starts the platform of a checkout with a crowd of members, each with a phone. */
async function startScene(source: string, place: number) {
  const name = `platform_${place}`;
  await cluster.createDatabase(name);
  const platform = await startChild([resolve(source, 'src/main.js'), 'start'], {
    DATABASE_URL: cluster.urlOf(name),
    DATA_DIR: join(folder, name),
    PORT: '0',
    FCM_SERVICE_ACCOUNT: JSON.stringify(account),
    FCM_API_URL: apiUrl,
  });
  const database = new pg.Client({ connectionString: cluster.urlOf(name) });
  await database.connect();
  const { rows } = await database.query(
    `insert into identity.user (id, email, username, first_name, last_name, created_at, updated_at)
     select 'c' || lpad(to_hex(n), 23, '0'), n || '@example.com', 'c' || n, 'A', 'Crowd', now(), now()
     from generate_series(1, $1::integer) n returning id`,
    [MEMBERS],
  );
  await database.query(
    `insert into identity.session (id, user_id, platform, device, user_agent, address, created_at, last_used_at)
     select id, id, 'app', 'phone', '', '', now(), now() from identity.user`,
  );
  await database.query(
    `insert into notifications.device (id, user_id, token, platform, created_at, last_seen_at, session_id)
     select id, id, 'token-' || id, 'android', now(), now(), id from identity.user`,
  );
  const userIds = rows.map(({ id }) => id as string);
  const { accessToken } = await call(platform.readyValues, '/v1/auth/signin', {
    email: platform.readyValues.adminEmail,
    password: platform.readyValues.adminPassword,
    platform: 'web',
  });
  return { source, platform, database, userIds, token: accessToken as string };
}

async function call(
  { url, adminApiKey }: Record<string, string>,
  path: string,
  body: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'x-api-key': adminApiKey as string,
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  });
  const { success, data, message } = (await response.json()) as {
    success: boolean;
    data: Record<string, unknown>;
    message: string;
  };
  if (!success) throw new Error(`${path}: ${message}`);
  return data;
}

/**
 * Notifies all members on these channels; returns how many notifications were created, and delivered, per second, and the
 * microseconds of the platform, PostgreSQL and the stand-in of the push service for one.
 */
async function tell({ platform, database, userIds, token }: Scene, channels: string[]) {
  await database.query('truncate notifications.notification, notifications.delivery');
  await database.query('vacuum analyze');
  const pids = { platform: platform.process.pid as number, postgres: cluster.pid as number };
  const used = () => [cpuUs(pids.platform), cpuWithChildrenUs(pids.postgres), cpuUs(process.pid)];
  const before = used();
  const startedMs = performance.now();
  const notification = { type: 'announcement', title: 'To everybody', message: 'It begins.', channels };
  const { jobId } = await call(
    platform.readyValues,
    '/v1/notifications/send-bulk',
    { userIds, notification },
    token,
  );
  const isSo = async (text: string, values: unknown[] = []) =>
    (await database.query(text, values)).rows.length > 0;
  const until = async (text: string, values: unknown[]): Promise<number> => {
    while (!(await isSo(text, values))) await sleep(20);
    return MEMBERS / ((performance.now() - startedMs) / 1000);
  };
  const created = await until('select 1 from notifications.bulk where id = $1 and finished_at is not null', [
    jobId,
  ]);
  const delivered = await until(
    "select 1 where not exists (select 1 from notifications.delivery where status = 'pending')",
    [],
  );
  const cpu = used().map((us, part) => Math.round((us - (before[part] as number)) / MEMBERS));
  return { created, delivered, cpu: cpu.join(' + ') };
}

/** Returns the rate of the bare queue. */
async function bareQueue(): Promise<number> {
  const queue = await startChild(['bench/raw-queue.ts'], {
    DATABASE_URL: cluster.urlOf('queue'),
    JOBS: String(MEMBERS),
  });
  await queue.stop();
  return Number(queue.readyValues.perSecond);
}

const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en-US')}/s`;
const scenes: Scene[] = [];
try {
  for (const [place, source] of sources.entries()) scenes.push(await startScene(source, place));
  const table: object[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const limit = await bareQueue();
    for (const scene of round % 2 ? scenes : scenes.toReversed()) {
      const inApp = await tell(scene, []);
      const pushed = await tell(scene, ['push']);
      for (const [what, figure, cpu] of [
        ['created, in the app', inApp.created, inApp.cpu],
        ['created and delivered by push', pushed.delivered, pushed.cpu],
      ] as const)
        table.push({
          round,
          source: scene.source,
          what,
          ours: rate(figure),
          'platform + PostgreSQL + stand-in, us': cpu,
          'the queue alone': rate(limit),
          ratio: (figure / limit).toFixed(2),
        });
    }
  }
  console.table(table);
} finally {
  for (const { database, platform } of scenes) {
    await database.end();
    await platform.stop();
  }
  await sandbox.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
