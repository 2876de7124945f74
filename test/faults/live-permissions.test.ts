import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createChatroom, sendChatMessage, signOut, signUp, updateChatroom } from '../../sdk/src/index.ts';
import { redisBus } from '../../src/kernel/distributed/redis-bus.ts';
import { USER_CHANGED_CHANNEL } from '../../src/modules/identity/contract.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { LiveClient } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';

const redis = await startRedis();

test('permissions removed in one process end at once in the other', {
  skip: redis ? false : 'no redis-server here',
}, async () => {
  if (!redis) return;
  const { url: databaseUrl, drop } = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-permissions-'));
  const start = () =>
    startProgram(['src/main.js', 'start'], {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      ROLE: 'api',
      REDIS_URL: redis.url,
    });
  const [one, two] = [await start(), await start()];
  const bus = await redisBus(redis.url, () => undefined);
  after(async () => {
    await bus.close();
    for (const program of [one, two]) await program.end('SIGKILL');
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const api = new Client(one.readyValues.url as string, {
    'x-api-key': one.readyValues.adminApiKey as string,
  });
  const newMember = async () => {
    const { accessToken, user } = (
      await api.call(signUp, {
        body: { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
      })
    ).data;
    return { token: accessToken, id: user.id, client: api.as(accessToken) };
  };
  const [ada, ben] = [await newMember(), await newMember()];
  const room = (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;
  const say = (message: string) =>
    ada.client.attempt(sendChatMessage, { params: { chatroomId: room }, body: { message } });
  const his = await LiveClient.open(two.readyValues.url as string, ben.token);
  await his.enter(room);
  await say('open');
  await his.next(({ data }) => data.message === 'open');
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { type: 'private' } });
  await say('secret');
  assert.equal((await his.next(({ type }) => type === 'unsubscribed')).data.reason, 'NOT_ALLOWED');

  const notifications = { type: 'subscribe', channel: 'notifications', userId: ben.id };
  assert.equal((await his.ask(notifications)).type, 'subscribe:success');
  await ben.client.call(signOut);
  await bus.publish(USER_CHANGED_CHANNEL, ben.id);
  assert.deepEqual(await his.closing(), { code: 4401, reason: 'the session has ended' });
  assert.deepEqual(his.messageTexts(), ['open']);
});
