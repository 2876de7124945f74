// The adapter alone, against everything that the charting platform and its stand-in do wrong.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { freePort } from '../../../test/support/ports.ts';
import { startSandbox } from '../../sandbox/index.ts';
import type { ChartingPlatform } from './port.ts';
import { tradingView } from './tradingview.ts';

const SCRIPT = 'PUB;adapter';

const sandbox = await startSandbox({
  port: 0,
  paymentWebhookSecret: 'whsec_of_the_tests',
  payoutDelay: 3600,
});
after(() => sandbox.close());
const adapter = (timeoutMs: number, url = `${sandbox.url}/charting`) =>
  tradingView({ url, sessionId: 'a session', sessionSign: 'its sign', timeoutMs });
/** More than an answer takes on a busy machine. */
const PATIENCE_MS = 60_000;
const platform = adapter(PATIENCE_MS);
/** For answers that never come. */
const impatient = adapter(400);

async function control(method: 'POST' | 'PUT' | 'GET', body?: object) {
  const response = await fetch(`${sandbox.url}/control/charting`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response.json() as Promise<{ holders: Record<string, string[]> }>;
}
const tell = (mode: string, more: object = {}) => control('POST', { mode, ...more });
const held = async () => (await control('GET')).holders[SCRIPT] ?? [];

const CALLS: Record<string, (of: ChartingPlatform) => Promise<{ kind: string }>> = {
  resolve: (of) => of.resolve('ada'),
  grant: (of) => of.grant(SCRIPT, 'ada'),
  revoke: (of) => of.revoke(SCRIPT, 'ada'),
  look: (of) => of.lookUpHolder(SCRIPT, 'ada'),
  holders: (of) => of.holders(SCRIPT),
  check: (of) => of.check(),
};
/** The kind of the outcome of each call. */
async function kindsOf(of: ChartingPlatform): Promise<Record<string, string>> {
  const kinds: Record<string, string> = {};
  for (const [name, call] of Object.entries(CALLS)) kinds[name] = (await call(of)).kind;
  return kinds;
}
const all = (kind: string) => Object.fromEntries(Object.keys(CALLS).map((name) => [name, kind]));

test('adding a present entry and removing an absent one succeed', async () => {
  await tell('ok');
  assert.deepEqual(await platform.resolve('Ada_T'), { kind: 'known', handle: 'Ada_T' });
  assert.deepEqual(await platform.grant(SCRIPT, 'Ada_T'), { kind: 'done' });
  assert.deepEqual(await platform.grant(SCRIPT, 'ADA_T'), { kind: 'already' });
  assert.deepEqual(await platform.resolve('ada_t'), { kind: 'known', handle: 'Ada_T' }, 'its own spelling');
  assert.deepEqual(await held(), ['Ada_T']);
  assert.deepEqual(await platform.lookUpHolder(SCRIPT, 'ADA_t'), { kind: 'held' });
  assert.deepEqual(await platform.lookUpHolder(SCRIPT, 'ada'), { kind: 'not-held' });
  assert.deepEqual(await platform.lookUpHolder('no script', 'ada'), { kind: 'unknown-script' });
  assert.deepEqual(await platform.revoke(SCRIPT, 'ada_t'), { kind: 'done' });
  assert.deepEqual(await platform.revoke(SCRIPT, 'ada_t'), { kind: 'already' });
  assert.deepEqual(await platform.grant('no script', 'ada'), { kind: 'unknown-script' });
  assert.deepEqual(await platform.check(), { kind: 'done' });
});

test('a failing or nonsensical charting platform never counts as success', async () => {
  await tell('fail');
  assert.deepEqual(await kindsOf(platform), all('fault'));
  await tell('hang');
  assert.deepEqual(await kindsOf(impatient), all('unknown-outcome'));
  await tell('nonsense');
  assert.deepEqual(await kindsOf(platform), all('unknown-outcome'));
  await tell('odd');
  assert.deepEqual(await kindsOf(platform), {
    resolve: 'fault',
    grant: 'unknown-outcome',
    revoke: 'unknown-outcome',
    look: 'fault',
    holders: 'fault',
    check: 'done',
  });
  assert.deepEqual(await held(), []);
});

test('an unknown user is reported as such, by the look-up and when adding', async () => {
  await tell('unknown-user');
  assert.deepEqual(await platform.resolve('nobody'), { kind: 'unknown-user' });
  assert.deepEqual(await platform.grant(SCRIPT, 'nobody'), { kind: 'unknown-user' });
  await tell('unknown-user', { handles: ['NOBODY'] });
  assert.equal((await platform.grant(SCRIPT, 'somebody')).kind, 'done', 'only those are unknown');
  assert.equal((await platform.revoke(SCRIPT, 'somebody')).kind, 'done');
});

test('an expired session is recognized by a 401, a redirect or a sign-in page', async () => {
  await tell('session-expired');
  for (let turn = 0; turn < 3; turn++) {
    for (const [name, call] of Object.entries(CALLS)) {
      if (name === 'resolve') continue;
      assert.deepEqual(await call(platform), { kind: 'session-over' }, `${name}, turn ${turn}`);
    }
    assert.equal((await platform.resolve('ada')).kind, 'known', 'a look-up needs no session');
  }
});

test('a rate limit carries its delay, given in seconds or as a date', async () => {
  await tell('limit');
  for (const call of Object.values(CALLS))
    assert.deepEqual(await call(platform), { kind: 'limited', retryAfterMs: 1000 });
  const until = new Date(Date.now() + 90_000).toUTCString();
  const answers: Record<string, string> = {
    '120': '120',
    date: until,
    past: 'Thu, 01 Jan 1970 00:00:00 GMT',
    odd: 'soon',
  };
  const waits: Record<string, number | undefined> = {};
  for (const [name, value] of Object.entries(answers)) {
    const outcome = await withServer(
      (_request, response) => response.writeHead(429, { 'retry-after': value }).end(),
      (of) => of.grant(SCRIPT, 'ada'),
    );
    assert.equal(outcome.kind, 'limited');
    waits[name] = (outcome as { retryAfterMs?: number }).retryAfterMs;
  }
  assert.deepEqual([waits['120'], waits.past, waits.odd], [120_000, undefined, undefined]);
  assert.ok((waits.date ?? 0) > 60_000 && (waits.date ?? 0) <= 90_000, String(waits.date));
});

test('calls whose answer is lost or comes late have an unknown outcome, and may take effect', async () => {
  await tell('lost');
  assert.equal((await platform.grant(SCRIPT, 'lost')).kind, 'unknown-outcome');
  assert.deepEqual(await held(), ['lost']);
  assert.equal((await platform.revoke(SCRIPT, 'lost')).kind, 'unknown-outcome');
  assert.deepEqual(await held(), []);
  await tell('late', { lateMs: 800 });
  assert.equal((await impatient.grant(SCRIPT, 'late')).kind, 'unknown-outcome');
});

test('a list is read page by page, and a list that breaks off or never ends is rejected', async () => {
  const names = Array.from({ length: 45 }, (_, number) => `holder_${number}`);
  await tell('ok');
  await control('PUT', { holders: { [SCRIPT]: names } });
  const read: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await platform.holders(SCRIPT, cursor);
    assert.equal(page.kind, 'page');
    if (page.kind !== 'page') return;
    read.push(...page.handles);
    cursor = page.next;
  } while (cursor !== undefined);
  assert.deepEqual(read, names);
  await tell('partial');
  const first = await platform.holders(SCRIPT);
  assert.ok(first.kind === 'page' && first.next !== undefined);
  assert.equal((await platform.holders(SCRIPT, first.next)).kind, 'fault');
  await tell('endless');
  for (let place = 0; place < 200; place += 20) {
    const page = await platform.holders(SCRIPT, String(place));
    assert.ok(page.kind === 'page' && page.next !== undefined);
  }
});

/** Calls a platform that answers as it likes. */
async function withServer<T>(
  listener: RequestListener,
  work: (of: ChartingPlatform) => Promise<T>,
): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await work(adapter(PATIENCE_MS, `http://127.0.0.1:${port}`));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const json =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

test('responses that only look like a success are rejected', async () => {
  const lies: [string, number, unknown][] = [
    ['an error inside a 200', 200, { error: 'User not found', code: 'username_recip_not_found' }],
    ['a status in capitals', 200, { status: 'OK' }],
    ['a list', 200, [{ status: 'ok' }]],
    ['null', 200, null],
    ['a number', 201, 1],
    ['a success in a text', 200, '{"status":"ok"}'],
  ];
  for (const [what, status, body] of lies) {
    const { kind } = await withServer(json(status, body), (of) => of.grant(SCRIPT, 'ada'));
    assert.equal(kind, 'unknown-outcome', what);
  }
  const failed = await withServer(json(400, { status: 'ok' }), (of) => of.grant(SCRIPT, 'ada'));
  assert.equal(failed.kind, 'refused');
});

test('a look-up accepts only the requested name', async () => {
  const lookUp = (body: unknown) => withServer(json(200, body), (of) => of.resolve('ada'));
  assert.deepEqual(await lookUp([{ username: 'ada_lovelace' }, { username: 'ADA' }]), {
    kind: 'known',
    handle: 'ADA',
  });
  for (const body of [[], [{ username: 'adä' }], [{ username: null }], [null, 'ada'], [{ name: 'ada' }]])
    assert.deepEqual(await lookUp(body), { kind: 'unknown-user' });
  for (const body of [{ username: 'ada' }, 'ada', null]) assert.equal((await lookUp(body)).kind, 'fault');
});

test('a handle is found only by its exact name, and an incomplete list proves nothing', async () => {
  const look = async (body: unknown) =>
    (await withServer(json(200, body), (of) => of.lookUpHolder(SCRIPT, 'ada'))).kind;
  assert.equal(
    await look({ results: [{ username: 'ada_lovelace' }, { username: 'ADA' }], next: null }),
    'held',
  );
  assert.equal(await look({ results: [{ username: 'ada_lovelace' }], next: null }), 'not-held');
  const goesOn = { results: [{ username: 'ben' }], next: '/pine_perm/list_users/?c=2' };
  assert.equal(await look(goesOn), 'unknown-outcome');
});

test('malformed lists are rejected, and huge responses are not read', async () => {
  const list = (body: unknown) => withServer(json(200, body), (of) => of.holders(SCRIPT));
  for (const results of [
    [{ username: 7 }],
    [{}],
    [null],
    [{ username: '' }],
    [{ username: 'x'.repeat(101) }],
  ])
    assert.equal((await list({ results, next: null })).kind, 'unknown-outcome');
  assert.deepEqual(await list({ results: [{ username: 'a\0' }, { username: 'b\ud800' }], next: null }), {
    kind: 'page',
    handles: ['a\ufffd', 'b\ufffd'],
    next: undefined,
  });
  assert.equal((await list({ results: [], next: 7 })).kind, 'unknown-outcome');
  assert.equal((await list({ detail: 'no' })).kind, 'fault');
  let sent = 0;
  const huge = await withServer(
    (request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
      const more = () => {
        while (!request.socket.destroyed && sent < 1e9 && response.write('x'.repeat(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    },
    (of) => of.grant(SCRIPT, 'ada'),
  );
  assert.equal(huge.kind, 'unknown-outcome');
  assert.ok(sent < 100e6, `${sent} bytes were taken`);
});

test('an unreachable platform has certainly not received the call', async () => {
  const away = adapter(PATIENCE_MS, `http://127.0.0.1:${await freePort()}`);
  assert.deepEqual(await kindsOf(away), all('fault'));
});
