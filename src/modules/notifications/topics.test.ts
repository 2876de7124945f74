// Every topic has something that notifies its subscribers, within the hourly limit of who announces it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createChatroom,
  createCommunity,
  createProduct,
  deleteChatroom,
  deleteCommunity,
  deleteCourse,
  deleteProduct,
  deleteUser,
  enrollInCourse,
  leaveCourse,
  listNotifications,
  subscribeToTopics,
  updateChatroom,
  updateCommunity,
  updateCourse,
  updateProduct,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { ANNOUNCED_PER_HOUR } from './contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;
type Topic = 'GENERAL' | 'EDUCATION' | 'COMMUNITIES' | 'CHATROOM';

async function subscriberOf(topic: Topic): Promise<Member> {
  const member = await newMember();
  await member.client.call(subscribeToTopics, { body: { topics: [topic] } });
  return member;
}
/** The texts and actions of a member's notifications but the welcome, newest first. */
const toldOf = async ({ client }: Member) =>
  (await client.call(listNotifications)).data
    .filter(({ type }) => type !== 'welcome')
    .map(({ message, metadata }) => [message, metadata.action]);
const told = (member: Member, expected: string[]) =>
  until(
    async () => (await toldOf(member)).map(([message]) => message).join() === expected.join(),
    `${expected}`,
  );

test('a new community is told to the subscribers of COMMUNITIES, until it is deleted', async () => {
  const [ada, fan, other] = [
    await newEducator(platform),
    await subscriberOf('COMMUNITIES'),
    await subscriberOf('CHATROOM'),
  ];
  const body = { name: 'Gold bugs' };
  const { id: communityId } = (await ada.client.call(createCommunity, { body })).data;
  await told(fan, ['Gold bugs']);
  assert.deepEqual((await toldOf(fan))[0]?.[1], 'open-community');
  assert.deepEqual(await toldOf(other), []);
  await ada.client.call(deleteCommunity, { params: { communityId } });
  await told(fan, []);
});

test('a new public chatroom is told to the subscribers of CHATROOM, until it is deleted, and others are not', async () => {
  const [ada, fan] = [await newMember(), await subscriberOf('CHATROOM')];
  await ada.client.call(createChatroom, { body: { name: 'Secret', type: 'private' } });
  const { id: chatroomId } = (
    await ada.client.call(createChatroom, { body: { name: 'Open', type: 'public' } })
  ).data;
  await told(fan, ['Open']);
  await ada.client.call(deleteChatroom, { params: { chatroomId } });
  await told(fan, []);
});

test('a public chatroom is withdrawn when staff rename it, and when it goes with the account of its owner', async () => {
  const [ada, fan] = [await newMember(), await subscriberOf('CHATROOM')];
  const create = async (name: string) =>
    (await ada.client.call(createChatroom, { body: { name, type: 'public' } })).data.id;
  const chatroomId = await create('Rude room');
  await told(fan, ['Rude room']);
  await create('Silver room');
  await told(fan, ['Silver room', 'Rude room']);
  const body = { name: 'Good room', reason: 'Rude' };
  await admin.call(updateChatroom, { params: { chatroomId }, body });
  await told(fan, ['Silver room']);
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await told(fan, []);
});

test('a community that a moderator renames is withdrawn, and one that its creator renames is not', async () => {
  const [ada, fan] = [await newEducator(platform), await subscriberOf('COMMUNITIES')];
  const create = async (name: string) => (await ada.client.call(createCommunity, { body: { name } })).data.id;
  const first = await create('Rude name');
  await told(fan, ['Rude name']);
  const second = await create('Silver bugs');
  await told(fan, ['Silver bugs', 'Rude name']);
  await ada.client.call(updateCommunity, { params: { communityId: second }, body: { name: 'Silver' } });
  const body = { name: 'Good name', reason: 'Rude' };
  await admin.call(updateCommunity, { params: { communityId: first }, body });
  await told(fan, ['Silver bugs']);
});

test('a published course is told to the subscribers of EDUCATION once, until it is hidden or deleted', async () => {
  const fan = await subscriberOf('EDUCATION');
  const { owner, course } = await newCourse(platform, { course: { title: 'Zinc for beginners' } });
  const deleted = await newCourse(platform, { course: { title: 'Tin' } });
  await until(async () => (await toldOf(fan)).length === 2, 'both are told');
  await deleted.owner.client.call(deleteCourse, { params: { courseId: deleted.course.id } });
  await told(fan, ['Zinc for beginners']);
  const turn = (status: 'draft' | 'published') =>
    owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status } });
  await turn('draft');
  await told(fan, []);
  await turn('published');
  await newCourse(platform, { course: { title: 'Lead' } });
  await told(fan, ['Lead']);
});

test('a course that has or had students and was taken back before announcements were recorded is not told again, and a new one is', async () => {
  const fan = await subscriberOf('EDUCATION');
  const courses = [
    await newCourse(platform, { course: { title: 'Iron' } }),
    await newCourse(platform, { course: { title: 'Nickel' } }),
    await newCourse(platform, { course: { title: 'Cobalt' } }),
  ] as const;
  const turn = async (status: 'draft' | 'published') => {
    for (const { owner, course } of courses)
      await owner.client.call(updateCourse, { params: { courseId: course.id }, body: { status } });
  };
  // Told late, the first publication would count as the second one.
  await until(async () => (await toldOf(fan)).length === 3, 'all are told');
  const student = await newMember();
  for (const { course } of [courses[0], courses[2]])
    await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  await student.client.call(leaveCourse, { params: { courseId: courses[2].course.id } });
  await turn('draft');
  await told(fan, []);
  await database.execute('update education.course set announced_at = null where id = any($1)', [
    courses.map(({ course }) => course.id),
  ]);
  for (const name of ['0014-announced-drafts', '0015-announced-drafts-of-former-students']) {
    const migration = new URL(`../education/migrations/${name}.sql`, import.meta.url);
    await database.all(readFileSync(migration, 'utf8'));
  }
  await turn('published');
  await told(fan, ['Nickel']);
});

test('a product that the marketplace offers is told to the subscribers of GENERAL once it is active', async () => {
  const fan = await subscriberOf('GENERAL');
  const body = { name: 'Trend Pulse', productType: 'misc' as const, isActive: false };
  const { id: productId } = (await admin.call(createProduct, { body })).data;
  await admin.call(createProduct, { body: { ...body, name: 'Range Finder', isActive: true } });
  await told(fan, ['Range Finder']);
  for (let time = 0; time < 2; time++)
    await admin.call(updateProduct, { params: { id: productId }, body: { isActive: true } });
  await told(fan, ['Trend Pulse', 'Range Finder']);
});

test('a product is told once, until it is no longer offered', async () => {
  const fan = await subscriberOf('GENERAL');
  const create = async (name: string) =>
    (await admin.call(createProduct, { body: { name, productType: 'misc' } })).data.id;
  const [first, second] = [await create('Swing Finder'), await create('Gap Finder')];
  await until(async () => (await toldOf(fan)).length === 2, 'both are told');
  await admin.call(updateProduct, { params: { id: first }, body: { isActive: false } });
  await told(fan, ['Gap Finder']);
  await admin.call(updateProduct, { params: { id: first }, body: { isActive: true } });
  await admin.call(deleteProduct, { params: { id: second } });
  await create('Volume Finder');
  await told(fan, ['Volume Finder']);
});

test('beyond the hourly limit nobody is told of a new community', async () => {
  const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
  const create = ({ client }: Member, name: string) => client.call(createCommunity, { body: { name } });
  for (let made = 0; made < ANNOUNCED_PER_HOUR.educator; made++) await create(ada, `No. ${made}`);
  const delivered = async () => (await database.count('select count(*) from kernel.outbox')) === 0;
  await until(delivered, 'the earlier ones are told');
  const fan = await subscriberOf('COMMUNITIES');
  await create(ada, 'Late');
  await create(eve, 'Later');
  await until(async () => (await toldOf(fan)).some(([message]) => message === 'Later'), 'the other one');
  assert.ok(!(await toldOf(fan)).some(([message]) => message === 'Late'));
});
