// Operations of indicators per second: webhooks that grant fifty of them, access requests, and grants applied at a
// charting platform that answers in 50 ms, beside the limit of its pacing; the roster and the worklist at a million
// grants.
// `npm run bench:indicators`, or one part: `-- webhooks`, `-- requests`, `-- grants`, `-- lists`. On two idle cores.
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
const platform = await startChild(['src/main.js', 'start'], {
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
const clients = Array.from(
  { length: LANES },
  () => new pg.Client({ connectionString: cluster.urlOf('platform') }),
);
for (const client of clients) await client.connect();

async function call(method: string, path: string, body?: object, token?: string) {
  const response = await fetch(platform.readyValues.url + path, {
    method,
    headers: {
      'x-api-key': platform.readyValues.adminApiKey as string,
      'x-webhook-secret': SECRET,
      ...(body ? { 'content-type': 'application/json' } : {}),
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

/** Runs the work `count` times in concurrent lanes; returns the rate per second. */
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
const callCount = async (): Promise<number> => {
  const response = await fetch(`${sandbox.url}/control/charting`);
  return ((await response.json()) as { calls: unknown[] }).calls.length;
};
/** The writes of a webhook, in one bare statement. */
const INSERT_BARE = `insert into bench select lpad(to_hex($1::integer * 1000 + row_number() over ()), 24, '0'), id,
  lpad(to_hex($1::integer), 24, '0'), 'trader', true, 'pending_grant', null, 'automated', null, 1, 0, null, null, 0, now(),
  null, null, null, null, 'service:backoffice', 'bench', now(), now() from indicators.indicator`;
const printFigure = (what: string, figure: string) => console.log(`${what.padEnd(64)} ${figure}`);

const account = {
  email: platform.readyValues.adminEmail,
  password: platform.readyValues.adminPassword,
  platform: 'web',
};
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

// The charting platform accepts no calls until the part that measures it.
await tell({ mode: 'limit' });
const webhook = (action: string) => (number: number) =>
  call('POST', '/v1/streams/webhooks/indicator-access', {
    customer_id: `C-${number + 1}`,
    action,
    charting_username: `trader_${number + 1}`,
  });
const get = (path: string) => () => call('GET', path, undefined, admin);
const countActive = () => numberOf("select count(*) from indicators.access where status = 'active'");

async function webhooks(): Promise<void> {
  const granted = await rateOf(CUSTOMERS, webhook('grant'));
  printFigure(
    `webhooks that grant ${INDICATORS} indicators, ${LANES} at once`,
    `${granted.toFixed(0)}/s, ${(granted * INDICATORS).toFixed(0)} grants/s`,
  );
  await database.query('create table bench as select * from indicators.access limit 0');
  await database.query('alter table bench add primary key (id), add unique (user_id, indicator_id)');
  const limit = await rateOf(
    CUSTOMERS,
    (number) => clients[number % LANES]?.query(INSERT_BARE, [number + 1]) as Promise<unknown>,
  );
  printFigure(
    '  limit: inserting the same rows bare',
    `${limit.toFixed(0)}/s, ratio ${(granted / limit).toFixed(2)}`,
  );
  printFigure('the same repeated', `${(await rateOf(CUSTOMERS, webhook('grant'))).toFixed(0)}/s`);
  printFigure('reads of the catalogue', `${(await rateOf(1000, get('/v1/streams/scanners'))).toFixed(0)}/s`);
}

/** Members submit access requests, each a separate one; then the questions and the queue are read. */
async function requests(): Promise<void> {
  const path = '/v1/streams/marketplace';
  const product = await call(
    'POST',
    `${path}/products`,
    { name: 'P', productType: 'scanner', scannerId },
    admin,
  );
  const tokens: string[] = [];
  for (let number = 0; number < 20; number++) {
    const draft = {
      email: `asker${number}@example.com`,
      password: 'a password for the benchmark',
      platform: 'web',
    };
    const made = await call('POST', '/v1/auth/signup', { ...draft, firstName: 'A', lastName: 'B' });
    tokens.push(made.accessToken as string);
  }
  const ask = (number: number) =>
    call(
      'POST',
      `${path}/access-requests`,
      {
        productId: product.id,
        fullName: 'A B',
        email: `e${number}@example.com`,
        chartingId: `trader_${number}`,
      },
      tokens[number % tokens.length],
    );
  printFigure('access requests submitted, 8 at once', `${(await rateOf(3_000, ask)).toFixed(0)}/s`);
  printFigure('the same corrected', `${(await rateOf(3_000, ask)).toFixed(0)}/s`);
  const status = `${path}/access-requests/status?email=e7%40example.com`;
  const bare = await rateOf(3_000, () =>
    call('GET', '/v1/wallets/balance', undefined, tokens[0]).catch(() => undefined),
  );
  printFigure(
    'statuses read',
    `${(await rateOf(3_000, () => call('GET', status, undefined, tokens[7]))).toFixed(0)}/s`,
  );
  printFigure('  beside: a balance of the same client', `${bare.toFixed(0)}/s`);
  const { rows } = await database.query('select id from marketplace.access_request order by id limit 2000');
  const deny = (number: number) =>
    call('PATCH', `${path}/access-requests/${rows[number].id}`, { status: 'denied' }, admin);
  printFigure('requests decided (denied)', `${(await rateOf(2_000, deny)).toFixed(0)}/s`);
}

async function grants(): Promise<void> {
  await rateOf(CUSTOMERS, webhook('grant'));
  await tell({ mode: 'ok', delay: 50 });
  while ((await countActive()) < 20) await sleep(100);
  const callsBefore = await callCount();
  const before = await countActive();
  const startedMs = performance.now();
  await sleep(30_000);
  const seconds = (performance.now() - startedMs) / 1000;
  const carried = ((await countActive()) - before) / seconds;
  const calls = ((await callCount()) - callsBefore) / seconds;
  printFigure(
    `grants carried out, answers in 50 ms, pacing of ${RATE} calls/s`,
    `${carried.toFixed(1)}/s, ${calls.toFixed(1)} calls/s: ${(calls / RATE).toFixed(2)} of the pacing`,
  );
}

async function lists(): Promise<void> {
  await database.query('alter table indicators.access disable trigger user');
  await database.query(
    `insert into indicators.access (id, indicator_id, user_id, handle, is_wanted, status, failed_action, source, version, moved_by, moved_why, created_at, updated_at)
     select 'f' || lpad(to_hex(n), 23, '0'), $1, lpad(to_hex(n + 1000000), 24, '0'), 'h' || n, true,
       case when n % 100 = 0 then 'failed' else 'active' end, case when n % 100 = 0 then 'grant' end, 'automated', 1, 'bench', 'bench', now(), now()
     from generate_series(1, 1000000) as n`,
    [scannerId],
  );
  await database.query('alter table indicators.access enable trigger user');
  await database.query(
    'insert into indicators.tally select indicator_id, status, 0, count(*) from indicators.access group by 1, 2',
  );
  await database.query('vacuum analyze indicators.access, indicators.tally');
  const path = `/v1/streams/scanners/${scannerId}/access`;
  const pages: [string, string][] = [
    ['roster, first page of 50, a million grants', path],
    ['roster by status', `${path}?status=active`],
    ['roster, page 200', `${path}?page=200`],
    ['worklist, 10,000 failed of a million', '/v1/streams/scanners/access-failures'],
    ['worklist, its last page', '/v1/streams/scanners/access-failures?page=200'],
    ['state of the account, with what waits', '/v1/admin/charting-account'],
  ];
  for (const [what, page] of pages) printFigure(what, `${(await rateOf(400, get(page))).toFixed(0)}/s`);
}

const parts: Record<string, () => Promise<void>> = { webhooks, requests, grants, lists };
const [named] = process.argv.slice(2);
for (const [name, measure] of Object.entries(parts))
  if (named === undefined || named === name) await measure();

for (const client of clients) await client.end();
await database.end();
await platform.stop();
await sandbox.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
