import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  createChatroom,
  createCourse,
  deleteChatroom,
  deleteCourse,
  deleteUser,
  enrollInCourse,
  getChatroom,
  removeChatroomMember,
  signUp as signUpOperation,
  updateChatroom,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { communityOfTwo, idsOf, search, suggest } from '../../../test/support/search.ts';
import { banned } from '../chat/contract.ts';

const platform = await startPlatform();
const { admin, newMember, client: guest } = platform;
const { ben } = await communityOfTwo(platform);

/** Creates a room whose name is the text to search for. */
const newRoom = async (owner: Member, name: string, type: 'private' | 'public') =>
  (await owner.client.call(createChatroom, { body: { name, type } })).data;

const addTo = (room: { id: string }, owner: Member, member: Member) =>
  owner.client.call(addChatroomMember, { params: { chatroomId: room.id }, body: { userId: member.id } });

test('results, counts, suggestions and corrections contain only what the member may see', async () => {
  const owner = await newEducator(platform);
  const [student, insider, stranger] = [await newMember(), await newMember(), await newMember()];
  const moderator = await newMember();
  await admin.call(assignPermissions, {
    params: { userId: moderator.id },
    body: { permissions: ['moderator'] },
  });
  const draft = (
    await owner.client.call(createCourse, { body: { title: 'Wolverine drafting', description: 'x' } })
  ).data;
  const { course } = await newCourse(platform, { owner, course: { title: 'Wolverine archiving' } });
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  await owner.client.call(deleteCourse, { params: { courseId: course.id } });
  const secret = await newRoom(owner, 'Wolverine secrets', 'private');
  await addTo(secret, owner, insider);
  const open = await newRoom(owner, 'Wolverine agora', 'public');
  await owner.client.call(banChatMember, { params: { chatroomId: open.id, userId: stranger.id } });
  assertRefused(await stranger.client.attempt(getChatroom, { params: { chatroomId: open.id } }), banned);

  const titles = new Map([
    [draft.id, 'Wolverine drafting'],
    [course.id, 'Wolverine archiving'],
    [secret.id, 'Wolverine secrets'],
    [open.id, 'Wolverine agora'],
  ]);
  const visible: [name: string, member: Member, ids: string[]][] = [
    ['owner', owner, [draft.id, course.id, secret.id, open.id]],
    ['student', student, [course.id, open.id]],
    ['insider', insider, [secret.id, open.id]],
    ['stranger', stranger, []],
    ['moderator', moderator, [secret.id, open.id]],
  ];
  for (const [name, { client }, ids] of visible) {
    for (const q of ['wolverine', 'wolverin', 'wolvrine']) {
      const found = await search(client, q);
      assert.deepEqual(idsOf(found).toSorted(), ids.toSorted(), `${name} ${q}`);
      assert.equal(found.totalResults, ids.length);
      if (ids.length === 0) assert.equal(found.corrected, null);
    }
    const known = ids.map((id) => titles.get(id)).toSorted();
    // Queries of many members are suggested in lower case.
    const suggested = async (q: string) =>
      (await suggest(client, q)).filter((one) => one.startsWith('Wolv')).toSorted();
    assert.deepEqual(await suggested('wolv'), known, name);
    assert.deepEqual(await suggested('w'), known, name);
  }
  assert.equal(idsOf(await search(admin, 'wolverine')).length, 4);
});

test('a member who is removed from a private room no longer finds it', async () => {
  const [owner, insider] = [await newEducator(platform), await newMember()];
  const room = await newRoom(owner, 'Pangolin secrets', 'private');
  await addTo(room, owner, insider);
  assert.deepEqual(idsOf(await search(insider.client, 'pangolin secrets')), [room.id]);
  await owner.client.call(removeChatroomMember, { params: { chatroomId: room.id, userId: insider.id } });
  assert.deepEqual(idsOf(await search(insider.client, 'pangolin secrets')), []);
});

test('a room that becomes private is found by its members only, and a deleted one by nobody', async () => {
  const owner = await newEducator(platform);
  const { id } = await newRoom(owner, 'Pangolin agora', 'public');
  assert.deepEqual(idsOf(await search(ben.client, 'pangolin agora')), [id]);
  await owner.client.call(updateChatroom, { params: { chatroomId: id }, body: { type: 'private' } });
  assert.deepEqual(idsOf(await search(ben.client, 'pangolin agora')), []);
  assert.deepEqual(idsOf(await search(owner.client, 'pangolin agora')), [id]);
  await owner.client.call(deleteChatroom, { params: { chatroomId: id } });
  assert.deepEqual(idsOf(await search(owner.client, 'pangolin agora')), []);
});

test('active people are found by name and username, never by e-mail', async () => {
  const signUp = async (firstName: string, lastName: string, email: string) =>
    (
      await guest.call(signUpOperation, {
        body: {
          email,
          password: 'a password for tests',
          firstName,
          lastName,
          platform: 'web',
        },
      })
    ).data.user;
  const zoe = await signUp('Zoë', 'Quartermain', 'hidden.mailbox@example.com');
  assert.deepEqual(idsOf(await search(ben.client, 'zoe quart', { type: 'user' })), [zoe.id]);
  assert.deepEqual(idsOf(await search(ben.client, 'quartermian')), [zoe.id]);
  assert.ok((await suggest(ben.client, 'quarter')).includes('Zoë Quartermain'));
  assert.equal((await search(ben.client, 'example.com', { type: 'user' })).totalResults, 0);
  const rename = (changes: object) => admin.call(updateUser, { params: { userId: zoe.id }, body: changes });
  await rename({ lastName: 'Renamedson' });
  assert.equal((await search(ben.client, 'quartermain')).totalResults, 0);
  assert.deepEqual(idsOf(await search(ben.client, 'renamedson')), [zoe.id]);
  await rename({ isActive: false });
  assert.equal((await search(ben.client, 'renamedson')).totalResults, 0);
  await rename({ isActive: true });
  assert.equal((await search(ben.client, 'renamedson')).totalResults, 1);
  await admin.call(deleteUser, { params: { userId: zoe.id } });
  assert.equal((await search(ben.client, 'renamedson')).totalResults, 0);
  assert.deepEqual(await suggest(ben.client, 'zoe renamed'), []);
});
