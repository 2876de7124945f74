import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
for (const { id } of [ada, eve])
  await admin.post(`/v1/user/${id}/permissions/assign`, { permissions: ['educator'] });
const failing = ({ status, body }: Loose): [number, string] => [status, body.message];

test('an educator has one chatroom, made on first use', async () => {
  const path = `/v1/educators/${ada.id}/chatroom`;
  const all = await Promise.all(Array.from({ length: 6 }, () => ben.client.get(path)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  const ids = new Set(all.map(({ data }) => data.chatroomId));
  assert.equal(ids.size, 1);
  const [chatroomId] = ids;
  const { data } = await ben.client.get(path);
  assert.deepEqual(data, {
    ...{ educatorId: ada.id, chatroomId, name: 'Test Member', description: '', rules: [] },
    ...{ memberCount: 1, isActive: true, lastMessage: null },
  });
  const changes = { rules: ['Be kind.'], description: 'Ask me.' };
  assert.equal((await ada.client.put(`/v1/chatrooms/${chatroomId}`, changes)).status, 200);
  const changed = (await ben.client.get(path)).data;
  assert.deepEqual([changed.rules, changed.description], [['Be kind.'], 'Ask me.']);
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/join`)).data.memberCount, 2);
  const said = await ben.client.post(`/v1/chatrooms/${chatroomId}/messages`, { message: 'Hello!' });
  assert.deepEqual((await eve.client.get(path)).data.lastMessage, {
    content: 'Hello!',
    timestamp: said.data.createdAt,
  });
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/leave`)).data.memberCount, 1);
  assert.equal((await ada.client.post(`${path}/leave`)).status, 409);
  const of = (id: string) => ben.client.get(`/v1/educators/${id}/chatroom`);
  assert.deepEqual(failing(await of('nonsense')), [400, 'Invalid educator ID']);
  assert.deepEqual(failing(await of('f'.repeat(24))), [404, 'Educator not found']);
  assert.deepEqual(failing(await of(ben.id)), [403, 'User does not have educator permission']);
});

test('who subscribes to an educator is told of what they announce; to all, of all', async () => {
  const tell = async (educatorId: string, subject: string): Promise<void> => {
    const message = { type: 'announcement' as const, title: subject, message: 'New.', subject };
    await platform.database.transaction((tx) =>
      platform.platform.notifications.notifyTopic(tx, `educator:${educatorId}`, message),
    );
  };
  const told = async (): Promise<string[]> =>
    (await ben.client.get('/v1/notifications?type=announcement')).data.map((one: Loose) => one.title);
  const path = `/v1/educators/${ada.id}/notifications`;
  assert.deepEqual((await ben.client.post(`${path}/subscribe`)).data, {
    educatorId: ada.id,
    subscribed: true,
  });
  await tell(ada.id, 'one');
  await until(async () => (await told()).includes('one'), 'the first');
  assert.deepEqual((await ben.client.post(`${path}/unsubscribe`)).data.subscribed, false);
  assert.ok((await ben.client.post('/v1/educators/notifications/subscribe-all')).data.count >= 2);
  await tell(eve.id, 'two');
  await until(async () => (await told()).includes('two'), 'the second');
  assert.deepEqual(
    (await ben.client.post('/push-notifications/subscribe', { topics: ['GENERAL'] })).data.topics,
    ['GENERAL'],
  );
  assert.equal((await ben.client.post(`/v1/educators/${ben.id}/notifications/subscribe`)).status, 403);
});
