import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  deleteChatMessage,
  deleteChatroom,
  editChatMessage,
  getChatroom,
  joinChatroom,
  leaveChatroom,
  listChatMessages,
  listChatReports,
  listChatroomMembers,
  listChatrooms,
  muteChatMember,
  removeChatroomMember,
  unassignPermissions,
  unbanChatMember,
  unmuteChatMember,
  updateChatroom,
} from '../../../sdk/src/index.ts';
import type { Client, Loose } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../kernel/failures.ts';
import { userNotFound } from '../identity/contract.ts';
import { alreadyReported, alreadyResolved } from '../moderation/contract.ts';
import { banned, creatorStays, notMember, roomNotFound } from './contract.ts';
import { memberNotFound, messageIdReused, messageNotFound, muted, slowMode } from './failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const ROOMS = '/v1/chatrooms';
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];

async function newRoom(
  type: 'public' | 'private' | 'group' = 'public',
  client: Client = ada.client,
): Promise<string> {
  const { status, data } = await client.post(ROOMS, { name: 'Gold', description: 'All about it', type });
  assert.equal(status, 201);
  return data.id;
}
const say = (client: Client, room: string, message: unknown, more: object = {}) =>
  client.post(`${ROOMS}/${room}/messages`, { message, ...more });
const texts = async (client: Client, room: string, query = ''): Promise<string[]> =>
  (await client.get(`${ROOMS}/${room}/messages${query}`)).data.map((one: Loose) => one.message);

test('a chatroom is created, listed, changed and deleted', async () => {
  const { status, data } = await ada.client.post(ROOMS, { name: ' Gold ', type: 'public' });
  assert.equal(status, 201);
  const { id, createdAt, ...rest } = data;
  assert.deepEqual(rest, {
    name: 'Gold',
    description: '',
    rules: [],
    type: 'public',
    memberCount: 1,
    activeNow: 0,
    lastMessageAt: null,
    createdBy: ada.id,
    slowModeSeconds: 0,
    lastSeq: 0,
  });
  assert.match(createdAt, /Z$/);
  assert.deepEqual((await ben.client.call(getChatroom, { params: { chatroomId: id } })).data, data);
  assert.ok((await ben.client.call(listChatrooms)).data.some((room) => room.id === id));
  assertRefused(
    await ben.client.attempt(updateChatroom, { params: { chatroomId: id }, body: { name: 'Mine' } }),
    insufficientPermissions,
  );
  const changed = await ada.client.call(updateChatroom, {
    params: { chatroomId: id },
    body: { name: 'Silver', slowModeSeconds: 5 },
  });
  assert.deepEqual([changed.data.name, changed.data.slowModeSeconds], ['Silver', 5]);
  assert.equal(
    (await admin.call(updateChatroom, { params: { chatroomId: id }, body: { slowModeSeconds: 0 } })).status,
    200,
  );
  assertRefused(
    await ben.client.attempt(deleteChatroom, { params: { chatroomId: id } }),
    insufficientPermissions,
  );
  assert.deepEqual((await ada.client.call(deleteChatroom, { params: { chatroomId: id } })).data, { id });
  assertRefused(await ada.client.attempt(getChatroom, { params: { chatroomId: id } }), roomNotFound);
  assertRefused(await ada.client.attempt(deleteChatroom, { params: { chatroomId: id } }), roomNotFound);
  assertRefused(
    await ada.client.attempt(getChatroom, { params: { chatroomId: 'nonsense' } }),
    invalidId('chatroom'),
  );
  for (const body of [{}, { name: ' ', type: 'public' }, { name: 'x', type: 'secret' }])
    assertInvalid(await ada.client.post(ROOMS, body));
});

test('messages are listed newest first, by page and by cursor', async () => {
  const room = await newRoom();
  const sent: Loose[] = [];
  for (let number = 1; number <= 7; number++) sent.push((await say(ben.client, room, `no. ${number}`)).data);
  assert.deepEqual(Object.keys(sent[0]).sort(), [
    'chatroomId',
    'createdAt',
    'id',
    'message',
    'user',
    'userId',
  ]);
  const page = await ada.client.call(listChatMessages, { params: { chatroomId: room }, query: { limit: 3 } });
  assert.deepEqual(page.body.pagination, { page: 1, limit: 3, total: 7, pages: 3 });
  const [newest] = page.data;
  assert.deepEqual([newest?.message, newest?.seq, newest?.userId], ['no. 7', 7, ben.id]);
  assert.deepEqual(await texts(ada.client, room, '?page=3&limit=3'), ['no. 1']);
  const middle = sent[3].id;
  assert.deepEqual(await texts(ada.client, room, `?before=${middle}&limit=2`), ['no. 3', 'no. 2']);
  assert.deepEqual(await texts(ada.client, room, `?after=${middle}&limit=2`), ['no. 6', 'no. 5']);
  assert.deepEqual(await texts(ada.client, room, `?after=${newest?.id}`), []);
  assertRefused(
    await ada.client.attempt(listChatMessages, {
      params: { chatroomId: room },
      query: { before: 'f'.repeat(24) },
    }),
    messageNotFound,
  );
  assertInvalid(
    await ada.client.attempt(listChatMessages, {
      params: { chatroomId: room },
      query: { before: middle, after: middle },
    }),
  );
  assert.equal(
    (await ada.client.call(listChatMessages, { params: { chatroomId: room }, query: { limit: 1000 } })).body
      .pagination.limit,
    100,
  );
  const seen = (await ada.client.call(getChatroom, { params: { chatroomId: room } })).data;
  assert.deepEqual([seen.memberCount, seen.lastSeq], [2, 7], 'he joined by sending');
  assert.equal(seen.lastMessageAt, sent[6].createdAt);
  for (const message of ['', '  \n', 'x'.repeat(4001), 7, undefined])
    assertInvalid(await say(ada.client, room, message));
});

test('messages are edited by their author, and deleted by author, creator and moderators', async () => {
  const room = await newRoom();
  const ids: string[] = [];
  for (let number = 1; number <= 4; number++)
    ids.push((await say(ben.client, room, `no. ${number}`)).data.id);
  const path = (place: number) => `${ROOMS}/${room}/messages/${ids[place]}`;
  assertRefused(
    await ada.client.attempt(editChatMessage, {
      params: { chatroomId: room, messageId: ids[0] as string },
      body: { message: 'not mine' },
    }),
    insufficientPermissions,
  );
  assert.equal(
    (
      await ben.client.call(editChatMessage, {
        params: { chatroomId: room, messageId: ids[0] as string },
        body: { message: 'no. 1, changed' },
      })
    ).data.message,
    'no. 1, changed',
  );
  assertRefused(
    await eve.client.attempt(deleteChatMessage, {
      params: { chatroomId: room, messageId: ids[1] as string },
    }),
    insufficientPermissions,
  );
  assert.deepEqual(
    (await ben.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: ids[1] as string } }))
      .data,
    { id: ids[1] },
  );
  assert.equal(
    (await ada.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: ids[2] as string } }))
      .status,
    200,
    'it is her room',
  );
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
  assert.equal(
    (await eve.client.call(deleteChatMessage, { params: { chatroomId: room, messageId: ids[3] as string } }))
      .status,
    200,
  );
  await admin.call(unassignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
  assertRefused(await ben.client.delete(path(3)), messageNotFound);
  const { data, body } = await ben.client.get(`${ROOMS}/${room}/messages`);
  assert.deepEqual(
    data.map((one: Loose) => one.message),
    ['no. 1, changed'],
  );
  assert.ok(data[0].editedAt);
  assert.equal(body.pagination.total, 1);
});

test('private and group rooms are for those who were added', async () => {
  for (const type of ['private', 'group'] as const) {
    const room = await newRoom(type);
    assertRefused(await ben.client.attempt(getChatroom, { params: { chatroomId: room } }), notMember);
    assertRefused(await ben.client.attempt(listChatMessages, { params: { chatroomId: room } }), notMember);
    assertRefused(await say(ben.client, room, 'hello?'), notMember);
    assertRefused(await ben.client.attempt(joinChatroom, { params: { chatroomId: room } }), notMember);
    assert.ok(
      !(await ben.client.call(listChatrooms, { query: { type } })).data.some((one) => one.id === room),
    );
    assertRefused(
      await ben.client.attempt(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } }),
      insufficientPermissions,
    );
    assertRefused(
      await ada.client.attempt(addChatroomMember, {
        params: { chatroomId: room },
        body: { userId: 'f'.repeat(24) },
      }),
      userNotFound,
    );
    assert.equal(
      (await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } }))
        .data.memberCount,
      2,
    );
    assert.equal(
      (await ada.client.call(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } }))
        .data.memberCount,
      2,
      'once',
    );
    assert.equal((await say(ben.client, room, 'thanks')).status, 201);
    assert.ok(
      (await ben.client.call(listChatrooms, { query: { type } })).data.some((one) => one.id === room),
    );
    const listed = (await ben.client.call(listChatroomMembers, { params: { chatroomId: room } })).data.map(
      (one) => one.user.id,
    );
    assert.deepEqual(listed.sort(), [ada.id, ben.id].sort());
    assert.equal(
      (await ada.client.call(removeChatroomMember, { params: { chatroomId: room, userId: ben.id } })).status,
      200,
    );
    assertRefused(
      await ada.client.attempt(removeChatroomMember, { params: { chatroomId: room, userId: ben.id } }),
      memberNotFound,
    );
    assertRefused(await ben.client.attempt(listChatMessages, { params: { chatroomId: room } }), notMember);
  }
});

test('members join and leave a room once, and the creator cannot leave', async () => {
  const room = await newRoom();
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.call(joinChatroom, { params: { chatroomId: room } })).data.memberCount, 2);
  for (let time = 0; time < 2; time++)
    assert.equal(
      (await ben.client.call(leaveChatroom, { params: { chatroomId: room } })).data.memberCount,
      1,
    );
  assertRefused(await ada.client.attempt(leaveChatroom, { params: { chatroomId: room } }), creatorStays);
  await Promise.all(
    Array.from({ length: 8 }, () => ben.client.call(joinChatroom, { params: { chatroomId: room } })),
  );
  assert.equal((await ben.client.call(getChatroom, { params: { chatroomId: room } })).data.memberCount, 2);
});

test('slow mode, mutes and bans apply to members, but not to moderators and the creator', async () => {
  const room = await newRoom();
  await say(ben.client, room, 'before');
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { slowModeSeconds: 30 } });
  assert.equal((await say(ben.client, room, 'one')).status, 201);
  const named = { clientMessageId: 'slow' };
  const first = await say(eve.client, room, 'named', named);
  assert.equal((await say(eve.client, room, 'named', named)).data.id, first.data.id, 'repeated, not another');
  const slowed = await say(ben.client, room, 'two');
  assertRefused(slowed, () => slowMode(1));
  assert.ok(Number(slowed.headers.get('retry-after')) > 20);
  assert.equal((await say(ada.client, room, 'mine')).status, 201);
  assert.equal((await say(ada.client, room, 'mine')).status, 201);
  await ada.client.call(updateChatroom, { params: { chatroomId: room }, body: { slowModeSeconds: 0 } });
  assertRefused(
    await eve.client.attempt(muteChatMember, {
      params: { chatroomId: room, userId: ben.id },
      body: { minutes: 5 },
    }),
    insufficientPermissions,
  );
  assert.ok(
    (
      await ada.client.call(muteChatMember, {
        params: { chatroomId: room, userId: ben.id },
        body: { minutes: 5 },
      })
    ).data.mutedUntil,
  );
  assertRefused(await say(ben.client, room, 'psst'), muted);
  assert.equal(
    (await ada.client.call(unmuteChatMember, { params: { chatroomId: room, userId: ben.id } })).data
      .mutedUntil,
    null,
  );
  assert.equal((await say(ben.client, room, 'again')).status, 201);
  assert.deepEqual(
    (await ada.client.call(banChatMember, { params: { chatroomId: room, userId: ben.id } })).data,
    { chatroomId: room, userId: ben.id, banned: true },
  );
  for (const refused of [
    await say(ben.client, room, 'hey'),
    await ben.client.attempt(joinChatroom, { params: { chatroomId: room } }),
    await ben.client.attempt(listChatMessages, { params: { chatroomId: room } }),
    await ada.client.attempt(addChatroomMember, { params: { chatroomId: room }, body: { userId: ben.id } }),
  ])
    assertRefused(refused, banned);
  assert.equal(
    (await ada.client.call(unbanChatMember, { params: { chatroomId: room, userId: ben.id } })).status,
    200,
  );
  assert.equal((await say(ben.client, room, 'back')).status, 201);
  assertRefused(
    await admin.attempt(banChatMember, { params: { chatroomId: room, userId: ada.id } }),
    creatorStays,
  );
});

test('a message is reported once by each member, and resolved by moderators', async () => {
  const room = await newRoom();
  const { data: message } = await say(ben.client, room, 'buy my course');
  const report = (client: Client) =>
    client.post(`${ROOMS}/${room}/messages/${message.id}/report`, { reason: 'Spam' });
  const { status, data } = await report(ada.client);
  assert.deepEqual(
    [status, data.status, data.message, data.messageUserId],
    [201, 'open', 'buy my course', ben.id],
  );
  assertRefused(await report(ada.client), alreadyReported);
  await report(eve.client);
  assertRefused(await ada.client.attempt(listChatReports), insufficientPermissions);
  const open = async () =>
    (await admin.get(`${ROOMS}/reports?status=open`)).data.filter((one: Loose) => one.chatroomId === room);
  assert.equal((await open()).length, 2);
  const resolve = () => admin.post(`${ROOMS}/reports/${data.id}/resolve`, { outcome: 'removed' });
  assert.equal((await resolve()).data.status, 'removed');
  assertRefused(await resolve(), alreadyResolved);
  assert.equal((await open()).length, 0);
  assert.deepEqual(await texts(ada.client, room), []);
});

test('a repeated clientMessageId returns the same message', async () => {
  const room = await newRoom();
  const twice = { clientMessageId: 'mine' };
  const all = await Promise.all(Array.from({ length: 6 }, () => say(ben.client, room, 'once', twice)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [201]);
  assert.equal(new Set(all.map(({ data }) => data.id)).size, 1);
  assertRefused(await say(ben.client, room, 'other', twice), messageIdReused);
  assert.equal((await say(ada.client, room, 'her own', twice)).status, 201, 'names are each member’s own');
  assert.deepEqual(await texts(ada.client, room), ['her own', 'once']);
});

test('concurrent messages get distinct consecutive numbers', async () => {
  const room = await newRoom();
  const speakers = [ada, ben, eve];
  const all = await Promise.all(
    Array.from({ length: 60 }, (_, number) =>
      say((speakers[number % 3] as typeof ada).client, room, `no. ${number}`),
    ),
  );
  assert.ok(all.every(({ status }) => status === 201));
  const { data } = await ada.client.get(`${ROOMS}/${room}/messages?limit=100`);
  assert.deepEqual(
    data.map((one: Loose) => one.seq),
    Array.from({ length: 60 }, (_, place) => 60 - place),
  );
  assert.equal((await ada.client.call(getChatroom, { params: { chatroomId: room } })).data.memberCount, 3);
});

test('a member sends at most a hundred messages a minute', async () => {
  const fay = await platform.newMember();
  const room = await newRoom();
  platform.clock.set(Math.ceil(platform.clock.now() / 60_000) * 60_000 + 1000);
  const statuses: number[] = [];
  for (let number = 0; number < 101; number++)
    statuses.push((await say(fay.client, room, 'on and on')).status);
  assert.deepEqual(statuses, [...Array(100).fill(201), 429]);
  const refused = await say(fay.client, room, 'more');
  assert.equal(refused.body.error, 'RATE_LIMIT_EXCEEDED');
  assert.ok(Number(refused.headers.get('retry-after')) <= 60);
});
