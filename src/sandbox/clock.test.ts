import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createStory,
  getLedgerVerification,
  getStory,
  listCheckouts,
  listTransactions,
  refreshToken,
  signIn,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { PASSWORD } from '../../test/support/client.ts';
import { newEducator } from '../../test/support/courses.ts';
import { startPlatform } from '../../test/support/platform.ts';
import { assertRefused } from '../../test/support/refused.ts';
import { DAY_MS } from '../kernel/time/time.ts';
import { storyNotFound } from '../modules/educators/failures.ts';
import { invalidRefreshToken } from '../modules/identity/sessions/refresh-tokens.ts';
import { startSandbox } from './index.ts';

const platform = await startPlatform();
const { sandboxUrl } = platform;

interface ClockResponse {
  now: string;
  aheadSeconds: number;
  started: Record<string, number>;
  unfinished: string[];
}

async function control(url: string, body?: object) {
  const answer = await fetch(`${url}/control/clock`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: answer.status, body: (await answer.json()) as ClockResponse };
}
const advance = async (by: string) => {
  const { status, body } = await control(sandboxUrl, { advance: by });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('one request moves the clock on by a month, and all work that fell due has finished when it responds', async () => {
  const ada = await newEducator(platform);
  const ben = await platform.newMemberWith(100);
  const story = await ada.client.call(createStory, {
    params: { educatorId: ada.id },
    body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
  });
  await platform.checkout(ben, 10);
  await ben.client.call(withdrawKeys, { body: { amount: 40 } });
  const { email } = ben;
  /** Signs Ben in again, because his access token has expired. */
  const signedIn = async () => {
    const body = { email, password: PASSWORD, platform: 'web' } as const;
    return platform.client.as((await platform.client.call(signIn, { body })).data.accessToken);
  };
  const withdrawal = async () => (await (await signedIn()).call(listTransactions)).data[0]?.status;
  const before = platform.clock.now();

  await advance('30 minutes');
  assert.equal(await withdrawal(), 'pending');
  const { unfinished } = await advance('2 hours');
  assert.equal(await withdrawal(), 'completed');
  assert.deepEqual(unfinished, []);

  const { started, now, aheadSeconds } = await advance('31 days');
  assert.equal(started['wallet.verify'], 31);
  assert.ok(Date.parse(now) >= before + 31 * DAY_MS);
  assert.ok(aheadSeconds >= (31 * DAY_MS) / 1000);
  const { refreshToken: expired } = ben;
  assertRefused(
    await platform.client.attempt(refreshToken, { body: { refreshToken: expired } }),
    invalidRefreshToken,
  );
  assertRefused(
    await (await signedIn()).attempt(getStory, { params: { storyId: story.data.id } }),
    storyNotFound,
  );
  const admin = await platform.signInAdmin();
  const { data: checkouts } = await admin.call(listCheckouts, { query: { userId: ben.id } });
  assert.deepEqual(
    checkouts.map(({ status }) => status),
    ['expired'],
  );
  assert.match(await (await fetch(sandboxUrl)).text(), /ahead of the real one/);
  const { data: proof } = await admin.call(getLedgerVerification);
  assert.ok(Date.parse(now) - Date.parse(proof.at) < DAY_MS);
});

test('with a longer step the schedules run once a step', async () => {
  const before = platform.clock.now();
  const { status, body } = await control(sandboxUrl, { advance: '30 days', step: '2 weeks' });
  assert.equal(status, 200);
  assert.equal(body.started['wallet.verify'], 3);
  assert.ok(platform.clock.now() >= before + 30 * DAY_MS);
});

test('a body without a valid time ahead is refused, and the clock does not move', async () => {
  const { body: before } = await control(sandboxUrl);
  for (const body of [
    {},
    { advance: 5 },
    { advance: '-1 days' },
    { advance: '0 days' },
    { advance: '401 days' },
    { advance: '5 days', step: '1 hour' },
    { advance: '5 days', step: 7 },
  ])
    assert.equal((await control(sandboxUrl, body)).status, 422, JSON.stringify(body));
  const { body: after } = await control(sandboxUrl);
  assert.equal(after.aheadSeconds, before.aheadSeconds);
});

test('the clock cannot be moved without a platform in the same process, and keeps its offset when the sandbox restarts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-clock-'));
  const options = {
    port: 0,
    paymentWebhookSecret: 'unused',
    payoutDelay: 1,
    objectsFolder: folder,
    clockFile: join(folder, 'clock.json'),
  };
  const first = await startSandbox(options);
  assert.equal((await control(first.url, { advance: '1 day' })).status, 409);
  first.catchUpBy(async () => ({ started: [], unfinished: [] }));
  assert.equal((await control(first.url, { advance: '36 hours' })).status, 200);
  await first.close();
  const second = await startSandbox(options);
  assert.equal((await control(second.url)).body.aheadSeconds, 36 * 3600);
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});
