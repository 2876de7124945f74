import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom } from '../../../sdk/src/index.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();

test('a refusal names the room and the message that it concerns, unless these are invalid', async () => {
  const { admin, url } = platform;
  const ben = await platform.newMember();
  const { id } = (await admin.call(createChatroom, { body: { name: 'Gold', type: 'private' } })).data;
  const client = await LiveClient.open(url, ben.accessToken);
  const { type, data } = await client.say(id, 'hello', { clientMessageId: 'm1' });
  assert.deepEqual(
    [type, data.code, data.chatroomId, data.clientMessageId],
    ['error', 'NOT_A_MEMBER', id, 'm1'],
  );
  const refused = await client.enter(id);
  assert.deepEqual([refused.type, refused.data.chatroomId], ['subscribe:error', id]);
  for (const clientMessageId of ['', 'x'.repeat(65), 'a\0', 5]) {
    const { data } = await client.say('nonsense', 'hello', { clientMessageId });
    assert.deepEqual([data.chatroomId, data.clientMessageId], [undefined, undefined]);
  }
  client.close();
});
