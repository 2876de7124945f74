import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  closeLiveConnection,
  getOverview,
  listAudit,
  listLiveConnections,
  listLiveNodes,
} from '../../../sdk/src/index.ts';
import { newRoom } from '../../../test/support/chatrooms.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import { CLOSES } from './closing.ts';
import { connectionNotFound } from './live-administration.ts';

const platform = await startPlatform();
const { admin, url } = platform;
const list = async (userId?: string) =>
  (await admin.call(listLiveConnections, { query: userId === undefined ? {} : { userId } })).data;

test('nodes and connections are listed, those of one member alone too', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const room = await newRoom(ada);
  const [first, second] = [
    await LiveClient.open(url, ada.accessToken),
    await LiveClient.open(url, ben.accessToken),
  ];
  await first.enter(room);
  const [node, ...others] = (await admin.call(listLiveNodes)).data;
  assert.deepEqual([node?.connections, node?.rooms, node?.slow, node?.bus, others], [2, 1, 0, true, []]);
  assert.ok((node?.framesPerSecond ?? 0) > 0, 'answers are frames');
  const all = await list();
  assert.deepEqual(all.map(({ userId }) => userId).sort(), [ada.id, ben.id].sort());
  const [own, ...more] = await list(ada.id);
  assert.deepEqual(
    [own?.user?.email, own?.node, own?.rooms, own?.device, more],
    [ada.email, node?.id, [room], 'web, unnamed', []],
  );
  assert.equal((await list(ada.id))[0]?.id, own?.id, 'an id stays');
  assert.equal((await admin.call(getOverview)).data.liveConnections, 2);
  first.close();
  second.close();
  await until(async () => (await list()).length === 0, 'the connections are closed');
});

test('a connection is closed, with the reason in the log, and the client may come back', async () => {
  const ada = await platform.newMember();
  const client = await LiveClient.open(url, ada.accessToken);
  const id = (await list(ada.id))[0]?.id ?? '';
  const chosen = { params: { id }, body: { reason: 'Floods the room' } };
  assert.deepEqual((await admin.call(closeLiveConnection, chosen)).data, { id, userId: ada.id });
  const { code, reason } = CLOSES.byOperator;
  assert.deepEqual(await client.closing(), { code, reason });
  assertRefused(await admin.attempt(closeLiveConnection, chosen), connectionNotFound);
  const { data: log } = await admin.call(listAudit, { query: { action: 'live.connection-closed' } });
  assert.deepEqual([log[0]?.target, log[0]?.reason], [ada.id, 'Floods the room']);
  const again = await LiveClient.open(url, ada.accessToken);
  assert.equal((await list(ada.id)).length, 1);
  again.close();
});

test('only administrators see connections, and ids are checked', async () => {
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(listLiveNodes), insufficientPermissions);
  assertRefused(await ada.client.attempt(listLiveConnections), insufficientPermissions);
  const params = { id: 'f'.repeat(24) };
  assertRefused(await ada.client.attempt(closeLiveConnection, { params }), insufficientPermissions);
  assertRefused(await admin.attempt(closeLiveConnection, { params }), connectionNotFound);
  assert.equal((await admin.raw('DELETE', '/v1/admin/live/connections/x')).status, 400);
  assert.equal((await admin.raw('GET', '/v1/admin/live/connections?userId=x')).status, 400);
  assert.deepEqual(await list('f'.repeat(24)), []);
});
