// What members wrote in a request that was refused is in no error report.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  getErrorAsAdmin,
  reportChatMessage,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import { newRoom, say, trySending } from '../../../test/support/chatrooms.ts';
import { LiveClient } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const SAID = 'only-for-the-two-of-us';
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const ada = await platform.newMember();

/** Asserts that a request was refused, and that no report repeats what it said; returns the body in its own report. */
async function assertNotRepeated(
  { status, body }: { status: number; body: { errorId?: unknown } },
  expected: number,
): Promise<unknown> {
  assert.equal(status, expected);
  const params = { errorId: String(body.errorId) };
  const { data } = await admin.call(getErrorAsAdmin, { params });
  const reports = await database.all('select report::text from gateway.error_report');
  assert.ok(!JSON.stringify(reports).includes(SAID));
  return data.request.body;
}

const raw = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown, by: Member = ada) =>
  by.client.raw(method, path, body);

test('a report of a refused message says how long it was, and not what it said', async () => {
  const room = await newRoom(ada, 'private');
  const { id } = await say(ada, room, 'Good morning');
  const [messages, message] = [`/v1/chatrooms/${room}/messages`, `/v1/chatrooms/${room}/messages/${id}`];
  const long = SAID.padEnd(4_001, '.');
  const hidden = (length: number) => `[REDACTED: ${length} characters]`;
  for (const [method, path] of [
    ['POST', messages],
    ['PUT', message],
  ] as const)
    assert.deepEqual(await assertNotRepeated(await raw(method, path, { message: long }), 422), {
      message: hidden(4_001),
    });
  assert.deepEqual(
    await assertNotRepeated(await raw('POST', messages, { message: [SAID], text: SAID }), 422),
    {
      message: '[REDACTED]',
      [hidden(4)]: hidden(SAID.length),
    },
  );
  const stranger = await platform.newMember();
  await assertNotRepeated(await trySending(stranger, room, SAID), 403);
  assert.deepEqual(await assertNotRepeated(await raw('PATCH', messages, { message: SAID }), 405), {
    [hidden(7)]: hidden(SAID.length),
  });
  await assertNotRepeated(await raw('POST', `/v1/chatrooms/${room}/mesages`, [SAID]), 404);
  await assertNotRepeated(await raw('POST', messages, { [SAID]: 1 }), 422);
  const query = new URLSearchParams({ message: SAID });
  await assertNotRepeated(await raw('POST', `${messages}?${query}`, {}), 422);
});

test('nor does a report of a message that comes too fast', async () => {
  const room = await newRoom(ada, 'private');
  const params = { chatroomId: room };
  const ben = await platform.newMember();
  await ada.client.call(updateChatroom, { params, body: { slowModeSeconds: 600 } });
  await ada.client.call(addChatroomMember, { params, body: { userId: ben.id } });
  await say(ben, room, 'Good morning');
  await assertNotRepeated(await trySending(ben, room, SAID), 429);
});

test('nor do reports of a refused room or of a refused report', async () => {
  const texts = { description: SAID, rules: [SAID, SAID] };
  const room = { name: `${SAID}\u202E`, type: 'private', ...texts };
  const body = await assertNotRepeated(await raw('POST', '/v1/chatrooms', room), 422);
  assert.equal((body as { type: string }).type, 'private');
  const chatroomId = await newRoom(ada, 'private');
  const ofRoom = `/v1/chatrooms/${chatroomId}`;
  await assertNotRepeated(await raw('PUT', ofRoom, { ...texts, slowModeSeconds: -1 }), 422);
  await assertNotRepeated(await raw('PUT', ofRoom, { ...texts, rules: SAID }), 422);
  const ofNothing = { params: { chatroomId, messageId: 'f'.repeat(24) }, body: { reason: SAID } };
  await assertNotRepeated(await ada.client.attempt(reportChatMessage, ofNothing), 404);
  const report = { kind: 'post', subjectId: 'f'.repeat(24), reason: SAID };
  await assertNotRepeated(await raw('POST', '/v1/reports', report), 404);
});

test('nor does anything that is stored of a message that is refused over the live channel', async () => {
  const [room, eve] = [await newRoom(ada, 'private'), await platform.newMember()];
  const socket = await LiveClient.open(platform.url, eve.accessToken);
  const long = SAID.padEnd(4_001, '.');
  for (const message of [SAID, long]) assert.equal((await socket.say(room, message)).type, 'error');
  socket.close();
  await assertNotRepeated(await trySending(eve, room, SAID), 403);
});
