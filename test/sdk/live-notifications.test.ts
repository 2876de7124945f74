import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendNotification } from '../../sdk/src/index.ts';
import { faultyNetwork } from '../support/faulty-network.ts';
import { PATIENCE_MS, until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { signedUp } from '../support/sdk-members.ts';

const platform = await startPlatform();
const network = await faultyNetwork(platform.url);
const { key: apiKey } = await platform.newKey('admin');
const signedIn = (baseUrl = platform.url) => signedUp(apiKey, baseUrl);

test('notifications and other messages come to listeners', { timeout: PATIENCE_MS }, async (t) => {
  const { api, user } = await signedIn();
  t.after(() => api.live().close());
  const titles: string[] = [];
  api.live().on('notification:new', ({ title }) => titles.push(title));
  await until(() => api.live().state.name === 'live', 'the connection');
  const admin = await platform.signInAdmin();
  await until(async () => {
    await admin.call(sendNotification, {
      body: {
        userId: user.id,
        type: 'alert',
        title: 'Hello',
        message: 'You.',
      },
    });
    return titles.includes('Hello');
  }, 'the notification');
});

test('notifications that come while the connection is lost follow after it, once each and in order', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const { api, user } = await signedIn(network.url);
  const admin = await platform.signInAdmin();
  const send = (title: string) =>
    admin.call(sendNotification, { body: { userId: user.id, type: 'alert', title, message: 'You.' } });
  await until(async () => (await api.notifications.list()).total === 1, 'the welcome');
  t.after(() => api.live().close());
  const titles: string[] = [];
  const isIn = new Promise<void>((resolve) => api.live().on('subscribe:success', () => resolve()));
  // The welcome is sent live some time after it is in the list.
  api.live().on('notification:new', ({ title, type }) => type !== 'welcome' && titles.push(title));
  await isIn;
  await send('one');
  await until(() => titles.length > 0, 'the first');
  const missed = Array.from({ length: 60 }, (_, number) => `missed ${number}`);
  for (const half of [missed.slice(0, 5), missed.slice(5)]) {
    network.setAway(true);
    await until(() => api.live().state.name !== 'live', 'the loss');
    for (const title of half) await send(title);
    network.setAway(false);
    api.live().reconnect();
    await until(() => titles.includes(half.at(-1) as string), 'the missed ones');
  }
  await send('last');
  await until(() => titles.includes('last'), 'the last');
  assert.deepEqual(titles, ['one', ...missed, 'last']);
});
