import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  createChatroom,
  createCommunity,
  deleteChatMessage,
  deleteChatroom,
  editChatMessage,
  getChatroom,
  getEducatorChatroom,
  joinChatroom,
  joinEducatorChatroom,
  leaveChatroom,
  leaveEducatorChatroom,
  listChatMessages,
  listChatroomMembers,
  listChatrooms,
  muteChatMember,
  removeChatroomMember,
  reportChatMessage,
  sendChatMessage,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import type { Client, Loose } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { messageIdReused } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const newRoom = async (type: 'public' | 'private' | 'group' = 'public'): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;
const say = (client: Client, room: string, message: string, more: object = {}) =>
  client.attempt(sendChatMessage, { params: { chatroomId: room }, body: { message, ...more } });

test('an outsider gets the same refusal from every operation of a private room', async () => {
  const room = await newRoom('private');
  const { data: secret } = await say(ada.client, room, 'secret');
  const { client } = ben;
  const answers: [string, Loose][] = [
    ['read', await client.attempt(getChatroom, { params: { chatroomId: room } })],
    ['messages', await client.attempt(listChatMessages, { params: { chatroomId: room } })],
    [
      'cursor',
      await client.attempt(listChatMessages, { params: { chatroomId: room }, query: { after: secret?.id } }),
    ],
    ['say', await say(client, room, 'hello?')],
    ['say under her name', await say(client, room, 'secret', { clientMessageId: 'x' })],
    [
      'edit',
      await client.attempt(editChatMessage, {
        params: { chatroomId: room, messageId: secret?.id as string },
        body: { message: 'mine' },
      }),
    ],
    [
      'delete',
      await client.attempt(deleteChatMessage, {
        params: { chatroomId: room, messageId: secret?.id as string },
      }),
    ],
    [
      'report',
      await client.attempt(reportChatMessage, {
        params: { chatroomId: room, messageId: secret?.id as string },
        body: { reason: 'Spam' },
      }),
    ],
    ['join', await client.attempt(joinChatroom, { params: { chatroomId: room } })],
    ['leave', await client.attempt(leaveChatroom, { params: { chatroomId: room } })],
    ['members', await client.attempt(listChatroomMembers, { params: { chatroomId: room } })],
    [
      'update',
      await client.attempt(updateChatroom, { params: { chatroomId: room }, body: { name: 'Mine' } }),
    ],
    ['remove', await client.attempt(deleteChatroom, { params: { chatroomId: room } })],
    [
      'add',
      await client.attempt(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } }),
    ],
    ['put out', await client.attempt(removeChatroomMember, { params: { chatroomId: room, userId: ada.id } })],
    [
      'mute',
      await client.attempt(muteChatMember, {
        params: { chatroomId: room, userId: ada.id },
        body: { minutes: 1 },
      }),
    ],
    ['unmute', await client.attempt(unmuteChatMember, { params: { chatroomId: room, userId: ada.id } })],
    ['ban', await client.attempt(banChatMember, { params: { chatroomId: room, userId: ada.id } })],
    ['unban', await client.attempt(unbanChatMember, { params: { chatroomId: room, userId: ada.id } })],
  ];
  for (const [what, { status, body }] of answers) {
    assert.equal(status, 403, what);
    assert.equal(body.data, undefined, what);
    assert.ok(!JSON.stringify(body).includes('secret'), what);
  }
  assert.ok(!(await client.call(listChatrooms)).data.some(({ id }) => id === room));
});

test('a private room of an educator shows nothing to outsiders by either path', async () => {
  await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['educator'] } });
  const { data } = await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } });
  await ben.client.call(joinEducatorChatroom, { params: { educatorId: ada.id } });
  await say(ada.client, data.chatroomId, 'secret');
  await ada.client.call(updateChatroom, {
    params: { chatroomId: data.chatroomId },
    body: { type: 'private' },
  });
  assert.equal(
    (await ben.client.call(getEducatorChatroom, { params: { educatorId: ada.id } })).data.lastMessage
      ?.content,
    'secret',
    'he is in it',
  );
  assert.equal(
    (await ben.client.call(leaveEducatorChatroom, { params: { educatorId: ada.id } })).status,
    200,
  );
  for (const answer of [
    await ben.client.attempt(getEducatorChatroom, { params: { educatorId: ada.id } }),
    await ben.client.attempt(joinEducatorChatroom, { params: { educatorId: ada.id } }),
    await ben.client.attempt(leaveEducatorChatroom, { params: { educatorId: ada.id } }),
  ]) {
    assert.deepEqual([answer.status, answer.body.error], [403, 'NOT_A_MEMBER']);
    assert.ok(!JSON.stringify(answer.body).includes('secret'));
  }
});

test('invisible messages, names, rules and reasons are refused', async () => {
  const room = await newRoom();
  const { data: message } = await say(ben.client, room, 'something');
  for (const nothing of ['\u200b\u200b', '\u202e \u2066', '\ufeff', '\u3164', '\u0007', ' \u00a0\n']) {
    const body = { message: nothing };
    const refused = [
      await ben.client.attempt(sendChatMessage, { params: { chatroomId: room }, body }),
      await ben.client.attempt(editChatMessage, {
        params: { chatroomId: room, messageId: message?.id as string },
        body,
      }),
      await ada.client.attempt(createChatroom, { body: { name: nothing, type: 'public' } }),
      await ada.client.attempt(updateChatroom, { params: { chatroomId: room }, body: { name: nothing } }),
      await ada.client.attempt(updateChatroom, { params: { chatroomId: room }, body: { rules: [nothing] } }),
      await ada.client.attempt(reportChatMessage, {
        params: { chatroomId: room, messageId: message?.id as string },
        body: { reason: nothing },
      }),
      await admin.attempt(createCommunity, { body: { name: nothing } }),
    ];
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], [422], JSON.stringify(nothing));
  }
  assert.equal((await say(ben.client, room, '\u200f👩‍🚀')).status, 201);
});

test('a repeated clientMessageId returns the same message after an edit or a deletion', async () => {
  const room = await newRoom();
  const named = { clientMessageId: 'mine' };
  const { data: first } = await say(ben.client, room, 'Gold breaks out', named);
  for (const message of ['Gold breaks out!', 'Silver breaks out!'])
    assert.equal(
      (
        await ben.client.call(editChatMessage, {
          params: { chatroomId: room, messageId: first?.id as string },
          body: { message },
        })
      ).status,
      200,
    );
  const again = await say(ben.client, room, 'Gold breaks out', named);
  assert.deepEqual(
    [again.status, again.data?.id, again.data?.message],
    [201, first?.id, 'Silver breaks out!'],
    'as it reads now',
  );
  const other = await say(ben.client, room, 'Silver breaks out!', named);
  assertRefused(other, messageIdReused, 'it was not sent so');
  await ben.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: first?.id as string } });
  const gone = await say(ben.client, room, 'Gold breaks out', named);
  assert.deepEqual([gone.status, gone.data?.id, gone.data?.message], [201, first?.id, 'Gold breaks out']);
  assert.deepEqual((await ada.client.call(listChatMessages, { params: { chatroomId: room } })).data, []);
});

test('slow mode also applies to members who join, concurrently too', async () => {
  const room = await newRoom();
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { slowModeSeconds: 30 } });
  const all = await Promise.all(
    Array.from({ length: 12 }, (_, number) => say(ben.client, room, `no. ${number}`)),
  );
  const statuses = all.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 1);
  assert.equal(statuses.filter((status) => status === 429).length, 11);
  const { data } = await ada.client.call(getChatroom, { params: { chatroomId: room } });
  assert.deepEqual([data.memberCount, data.lastSeq], [2, 1]);
});

test('edits have a limit of their own, like that of messages', async () => {
  const [fay, room] = [await platform.newMember(), await newRoom()];
  const { data } = await say(fay.client, room, 'no. 0');
  const statuses: number[] = [];
  for (let number = 1; number <= 101; number++) {
    statuses.push(
      (
        await fay.client.attempt(editChatMessage, {
          params: { chatroomId: room, messageId: data?.id as string },
          body: { message: `no. ${number}` },
        })
      ).status,
    );
  }
  assert.deepEqual(statuses, [...Array(100).fill(200), 429]);
  assert.equal((await say(fay.client, room, 'still')).status, 201);
});

test('the message limit holds in every interval of a minute', async () => {
  const [fay, room] = [await platform.newMember(), await newRoom()];
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 - 20_000);
  const burst = async (size: number): Promise<number> => {
    const all = await Promise.all(Array.from({ length: size }, () => say(fay.client, room, 'on and on')));
    return all.filter(({ status }) => status === 201).length;
  };
  assert.equal(await burst(60), 60);
  platform.clock.advance(30_000);
  assert.equal(await burst(60), 40);
  platform.clock.advance(31_000);
  assert.equal(await burst(80), 60, 'the first sixty are a minute old');
});
