// What indicators do a second: webhooks that grant fifty of them, requests answered, and grants carried out with a charting
// platform that answers in 50 ms, beside the limit that its pacing allows; the roster and the worklist at a million grants.
// `npm run bench:indicators`; on two idle cores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { startSandbox } from '../src/sandbox/index.ts';
import { startChild } from './children.ts';

const INDICATORS = 50;
const CUSTOMERS = 200;
const LANES = 8;
const RATE = 50;
const SECRET = 'the webhook secret of the benchmark';

const folder = mkdtempSync(join(tmpdir(), 'platform-bench-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
const sandbox = await startSandbox({ port: 0, paymentWebhookSecret: 'whsec', payoutDelay: 3600 });
await cluster.createDatabase('platform');
const platform = await startChild(['src/main.ts', 'start'], {
  DATABASE_URL: cluster.urlOf('platform'),
  DATA_DIR: folder,
  PORT: '0',
  WEBHOOK_SECRET: SECRET,
  CHARTING_URL: `${sandbox.url}/charting/`,
  CHARTING_SESSION_ID: 'benchmark',
  CHARTING_RATE: String(RATE),
  CHARTING_CONCURRENCY: '16',
});
const database = new pg.Client({ connectionString: cluster.urlOf('platform') });
await database.connect();

async function call(method: string, path: string, body?: object, token?: string) {
  const response = await fetch(platform.said.url + path, {
    method,
    headers: {
      'x-api-key': platform.said.adminApiKey as string,
      'x-webhook-secret': SECRET,
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    body: body && JSON.stringify(body),
  });
  const { success, data, message } = (await response.json()) as {
    success: boolean;
    data: Record<string, unknown>;
    message: string;
  };
  if (!success) throw new Error(`${path}: ${message}`);
  return data;
}

const tell = (body: object) =>
  fetch(`${sandbox.url}/control/charting`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Does something so many times in lanes; returns how many were done a second. */
async function rateOf(count: number, work: (number: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedMs = performance.now();
  const lane = async () => {
    for (let number = next++; number < count; number = next++) await work(number);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return count / ((performance.now() - startedMs) / 1000);
}
const numberOf = async (text: string): Promise<number> => Number((await database.query(text)).rows[0].count);
const shown = (what: string, figure: string) => console.log(`${what.padEnd(64)} ${figure}`);

const account = { email: platform.said.adminEmail, password: platform.said.adminPassword, platform: 'web' };
const admin = (await call('POST', '/v1/auth/signin', account)).accessToken as string;
let scannerId = '';
for (let number = 0; number < INDICATORS; number++) {
  const made = await call(
    'POST',
    '/v1/streams/scanners',
    { name: `I${number}`, pineId: `PUB;b${number}` },
    admin,
  );
  scannerId = made.id as string;
}
await database.query(
  `insert into identity.user (id, email, username, first_name, last_name, customer_id, permissions, educator, is_active, created_at, updated_at)
   select lpad(to_hex(n), 24, '0'), 'm' || n || '@example.com', 'm' || n, 'M', 'N', 'C-' || n, '{}', '{}', true, now(), now()
   from generate_series(1, $1::integer) as n`,
  [CUSTOMERS],
);

// The platform stands still meanwhile: what is measured is the webhook.
await tell({ mode: 'limit' });
const webhook = (action: string) => (number: number) =>
  call('POST', '/v1/streams/webhooks/indicator-access', {
    customer_id: `C-${number + 1}`,
    action,
    charting_username: `trader_${number + 1}`,
  });
const granted = await rateOf(CUSTOMERS, webhook('grant'));
shown(
  `webhooks that grant ${INDICATORS} indicators, ${LANES} at once`,
  `${granted.toFixed(0)}/s, ${(granted * INDICATORS).toFixed(0)} grants/s`,
);
shown('the same repeated', `${(await rateOf(CUSTOMERS, webhook('grant'))).toFixed(0)}/s`);
shown(
  'reads of the catalogue',
  `${(await rateOf(1000, () => call('GET', '/v1/streams/scanners', undefined, admin))).toFixed(0)}/s`,
);

await tell({ mode: 'ok', delay: 50 });
while ((await numberOf("select count(*) from indicators.access where status = 'active'")) < 20)
  await sleep(100);
const before = await numberOf("select count(*) from indicators.access where status = 'active'");
const startedMs = performance.now();
await sleep(20_000);
const after = await numberOf("select count(*) from indicators.access where status = 'active'");
const carried = (after - before) / ((performance.now() - startedMs) / 1000);
shown(
  `grants carried out, answers in 50 ms, pacing of ${RATE} calls/s`,
  `${carried.toFixed(1)}/s (one call of ${INDICATORS + 1} looks the handle up)`,
);

await tell({ mode: 'limit' });
await database.query(`alter table indicators.access disable trigger user`);
await database.query(
  `insert into indicators.access (id, indicator_id, user_id, handle, is_wanted, status, failed_action, source, version, moved_by, moved_why, created_at, updated_at)
   select 'f' || lpad(to_hex(n), 23, '0'), $1, lpad(to_hex(n + 1000000), 24, '0'), 'h' || n, true,
     case when n % 100 = 0 then 'failed' else 'active' end, case when n % 100 = 0 then 'grant' end, 'automated', 1, 'bench', 'bench', now(), now()
   from generate_series(1, 1000000) as n`,
  [scannerId],
);
await database.query(`alter table indicators.access enable trigger user`);
await database.query('vacuum analyze indicators.access');
const get = (path: string) => () => call('GET', path, undefined, admin);
shown(
  'roster, first page of 50, a million grants',
  `${(await rateOf(400, get(`/v1/streams/scanners/${scannerId}/access`))).toFixed(0)}/s`,
);
shown(
  'roster by status',
  `${(await rateOf(400, get(`/v1/streams/scanners/${scannerId}/access?status=active`))).toFixed(0)}/s`,
);
shown(
  'worklist, 10,000 failed of a million',
  `${(await rateOf(400, get('/v1/streams/scanners/access-failures'))).toFixed(0)}/s`,
);

await database.end();
await platform.stop();
await sandbox.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
