// Notifications created, and delivered by push over HTTP, per second, beside the rate of the bare job queue in the same
// run. `node bench/notifications.ts`; on two idle cores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { sandboxPushes, startSandbox } from '../src/sandbox/index.ts';
import { startChild } from './children.ts';

const MEMBERS = 20_000;

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
const sandbox = await startSandbox({ port: 0, paymentWebhookSecret: 'whsec', payoutDelay: 3600 });
const { account, apiUrl } = sandboxPushes(sandbox);
await cluster.createDatabase('platform');
await cluster.createDatabase('queue');
const platform = await startChild(['src/main.js', 'start'], {
  DATABASE_URL: cluster.urlOf('platform'),
  DATA_DIR: folder,
  PORT: '0',
  FCM_SERVICE_ACCOUNT: JSON.stringify(account),
  FCM_API_URL: apiUrl,
});
const database = new pg.Client({ connectionString: cluster.urlOf('platform') });
await database.connect();

async function call(path: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const response = await fetch(platform.readyValues.url + path, {
    method: 'POST',
    headers: {
      'x-api-key': platform.readyValues.adminApiKey as string,
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

/** Notifies all members on these channels; returns how many notifications were created, and delivered, per second. */
async function tell(token: string, userIds: string[], channels: string[]) {
  await database.query('truncate notifications.notification, notifications.delivery');
  await database.query('vacuum analyze');
  const startedMs = performance.now();
  const notification = { type: 'announcement', title: 'To everybody', message: 'It begins.', channels };
  const { jobId } = await call('/v1/notifications/send-bulk', { userIds, notification }, token);
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
  return { created, delivered };
}

const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en-US')}/s`;
try {
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
  const { accessToken } = await call('/v1/auth/signin', {
    email: platform.readyValues.adminEmail,
    password: platform.readyValues.adminPassword,
    platform: 'web',
  });
  const table: object[] = [];
  for (let round = 1; round <= 2; round++) {
    const queue = await startChild(['bench/raw-queue.ts'], {
      DATABASE_URL: cluster.urlOf('queue'),
      JOBS: String(MEMBERS),
    });
    const limit = Number(queue.readyValues.perSecond);
    await queue.stop();
    const inApp = await tell(accessToken as string, userIds, []);
    const pushed = await tell(accessToken as string, userIds, ['push']);
    for (const [what, figure] of [
      ['created, in the app', inApp.created],
      ['created and delivered by push', pushed.delivered],
    ] as const)
      table.push({
        round,
        what,
        ours: rate(figure),
        'the queue alone': rate(limit),
        ratio: (figure / limit).toFixed(2),
      });
  }
  console.table(table);
} finally {
  await database.end();
  await platform.stop();
  await sandbox.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
