import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createIndicator, grantIndicatorAccess, signIn } from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, startProgram } from '../support/programs.ts';

// Two processes carry out grants at the same charting platform, each through a proxy of its own. Both must take part,
// and together they must stay within the rate limit.

const RATE = 25;
const MEMBERS = 60;
const { url, drop } = await newDatabase();
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });

/** The time of each call, and the process that made it. */
const calls: { at: number; process: number }[] = [];
const doors = await Promise.all([0, 1].map(openDoor));
async function openDoor(process: number) {
  const server = createServer((request, response) => {
    calls.push({ at: performance.now(), process });
    void answerTo(request).then((body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
/**
 * Knows every name, has no entries, and accepts every call with a delay, so that one process alone could not keep up.
 */
async function answerTo(request: IncomingMessage): Promise<unknown> {
  for await (const _ of request);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { pathname, searchParams } = new URL(request.url as string, 'http://charting');
  if (pathname.endsWith('/list_users/')) return { results: [], next: null };
  const name = searchParams.get('s');
  return name === null ? { status: 'ok' } : [{ username: name }];
}
const programs = await Promise.all(
  doors.map((door) =>
    startProgram(['src/main.js', 'start'], {
      DATABASE_URL: url,
      ...PRODUCTION,
      CHARTING_URL: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
      CHARTING_SESSION_ID: 'a session of the tests',
      CHARTING_RATE: String(RATE),
      CHARTING_CONCURRENCY: '2',
    }),
  ),
);
after(async () => {
  await Promise.all(programs.map(({ end }) => end('SIGTERM')));
  for (const door of doors) {
    door.closeAllConnections();
    door.close();
  }
  await database.close();
  await drop();
});

test('two processes share the work and together keep the rate', async () => {
  const client = new Client(programs[0]?.readyValues.url as string, { 'x-api-key': PRODUCTION.API_KEY });
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = PRODUCTION;
  const { data } = await client.call(signIn, { body: { email, password, platform: 'web' } });
  const admin = client.as(data.accessToken);
  const scanner = (await admin.call(createIndicator, { body: { name: 'I', pineId: 'PUB;pace' } })).data;
  // Written directly: signing up so many members would take longer than the test itself.
  await database.execute(
    `insert into identity.user (id, email, username, first_name, last_name, created_at, updated_at)
     select lpad(to_hex(n), 24, 'e'), 'm' || n || '@example.net', 'm' || n, 'M', 'N', now(), now()
     from generate_series(1, $1::integer) n`,
    [MEMBERS],
  );
  const members = await database.all<{ id: string }>(`select id from identity.user where id like 'eee%'`);
  const before = performance.now();
  for (const [place, { id: userId }] of members.entries()) {
    const granted = await admin.attempt(grantIndicatorAccess, {
      params: { id: scanner.id },
      body: { userId, chartingUsername: `paced_${place}` },
    });
    assert.equal(granted.status, 201);
  }
  const active = () => database.count(`select count(*) from indicators.access where status = 'active'`);
  await until(async () => (await active()) === MEMBERS, 'all grants', 120_000);
  assert.equal(calls.length, 3 * MEMBERS, 'three calls per member: name, access, addition');
  const lastAt = Math.max(...calls.map(({ at }) => at));
  // The calls are paced, so the last one cannot come earlier, however fast or busy the machine is.
  const earliest = ((calls.length - 1) * 1000) / RATE;
  assert.ok(lastAt - before >= earliest, `${calls.length} calls within ${lastAt - before} ms`);
  const shares = [0, 1].map((process) => calls.filter((call) => call.process === process).length);
  assert.ok(Math.min(...shares) > 0, `of two processes ${shares.join(' and ')} calls`);
});
