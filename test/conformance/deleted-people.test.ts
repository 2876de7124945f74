// What others still see of a deleted member, and what happens to messages that are under way to them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createChatroom,
  createCommunity,
  createLivestream,
  createPost,
  deleteUser,
  getChatroom,
  getCommunity,
  getLivestream,
  getPost,
  joinCommunity,
  listChatMessages,
  listChatroomMembers,
  reactToPost,
  registerDevice,
  sendChatMessage,
  startLivestream,
  transferKeys,
} from '../../sdk/src/index.ts';
import { eraseJobs } from '../../src/kernel/records/job-erasure.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;

type Member = Awaited<ReturnType<typeof platform.newMember>>;

const remove = ({ id }: Member) =>
  admin.call(deleteUser, { params: { userId: id }, body: { remainingKeys: 'forfeit' } });

test('a deleted person leaves rooms and communities, while their messages stay', async () => {
  const [ada, gone] = [await platform.newMember(), await platform.newMember()];
  const { data: room } = await ada.client.call(createChatroom, { body: { name: 'Open', type: 'public' } });
  await gone.client.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message: 'good bye' } });
  const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
  await ada.client.call(joinCommunity, { params: { communityId: community.id } });
  await gone.client.call(joinCommunity, { params: { communityId: community.id } });
  const { data: post } = await ada.client.call(createPost, {
    params: { communityId: community.id },
    body: { content: 'hello' },
  });
  assert.equal(
    (await gone.client.call(reactToPost, { params: { postId: post.id }, body: { type: 'like' } })).status,
    200,
  );
  await remove(gone);
  const figures = async () => {
    const [{ data: rooms }, { data: members }, { data: communities }, { data: reacted }] = await Promise.all([
      ada.client.call(getChatroom, { params: { chatroomId: room.id } }),
      ada.client.call(listChatroomMembers, { params: { chatroomId: room.id } }),
      ada.client.call(getCommunity, { params: { communityId: community.id } }),
      ada.client.call(getPost, { params: { postId: post.id } }),
    ]);
    return [rooms.memberCount, members.length, communities.memberCount, reacted.reactionCount];
  };
  await until(async () => `${await figures()}` === '1,1,2,0', 'the counts', 60_000);
  const { data: messages } = await ada.client.call(listChatMessages, { params: { chatroomId: room.id } });
  assert.deepEqual(
    messages.map(({ userId, message }) => [userId, message]),
    [[gone.id, 'good bye']],
  );
});

test('livestreams of a deleted person end, or are cancelled', async () => {
  const member = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId: member.id }, body: { permissions: ['educator'] } });
  const hour = (from: number) => new Date(platform.clock.now() + from * 3_600_000).toISOString();
  const announce = async (title: string) =>
    (
      await member.client.call(createLivestream, {
        body: { title, scheduledStart: hour(1), scheduledEnd: hour(2) },
      })
    ).data.id;
  const [live, scheduled] = [await announce('live'), await announce('scheduled')];
  assert.equal((await member.client.call(startLivestream, { params: { livestreamId: live } })).status, 200);
  await remove(member);
  const statusOf = async (id: string) =>
    (await admin.call(getLivestream, { params: { livestreamId: id } })).data.status;
  await until(async () => (await statusOf(live)) === 'ended', 'the end', 60_000);
  assert.equal(await statusOf(scheduled), 'cancelled');
});

test('deleted persons are notified of nothing, and pending work leaves no data', async () => {
  const [sender, gone] = [await platform.newMemberWith(20), await platform.newMember()];
  const gifts = Array.from({ length: 10 }, () =>
    sender.client.attempt(transferKeys, { body: { toUserId: gone.id, amount: 1 } }),
  );
  const token = (place: number) => `device-${place}-${'x'.repeat(60)}`;
  const registrations = Array.from({ length: 10 }, (_, place) =>
    gone.client.attempt(registerDevice, { body: { token: token(place), platform: 'ios' } }),
  );
  const removing = remove(gone);
  await Promise.all([...gifts, ...registrations, removing]);
  await database.execute(
    `update jobs.job set start_after = now() where name = 'identity.erase-again' and state = 'created'`,
  );
  await until(
    async () => {
      const rows = await database.all(
        `select (select count(*) from notifications.notification where user_id = $1)
           + (select count(*) from notifications.device where user_id = $1)
           + (select count(*) from jobs.job where state < 'completed'
                and name in ('on.identity.user-deleted.notifications', 'identity.erase-again')) as left`,
        [gone.id],
      );
      return rows[0]?.left === 0;
    },
    'the erasure',
    60_000,
  );
});

const always = (name: string) => ({ name, since: 0 });
const LATER = new Date('9999-01-01');

test('a job that names a deleted person without their address is waited for, and then emptied', async () => {
  const userId = (await platform.newMember()).id;
  const person = {
    userId,
    emails: ['nobody-else@gone.example.com'],
    emailsUntil: LATER,
    names: ['Zeb"ulon', 'A', ''].map(always),
  };
  const data = { userId, firstName: 'Zeb"ulon', lastName: 'A' };
  const [name, dead] = ['media.process-video', 'media.process-video.dead'];
  await database.execute(
    `insert into jobs.job (name, data, start_after, policy, retry_limit)
     values ($1, $3, now() + interval '1 day', 'standard', 0), ($2, $3, now(), 'standard', 0)`,
    [name, dead, JSON.stringify(data)],
  );
  // Jobs of the sign-up may still run, but they contain no names.
  const left = () =>
    database.count(`select count(*) from jobs.job where data->>'userId' = $1 and name = any($2)`, [
      userId,
      [name, dead],
    ]);
  assert.equal(await eraseJobs(database, person), true);
  assert.equal(await left(), 1, 'the dead letter is deleted, and the job that waits is not');
  await database.execute(
    `update jobs.job set state = 'completed', completed_on = now() where data->>'userId' = $1`,
    [userId],
  );
  assert.equal(await eraseJobs(database, person), false);
  assert.equal(await left(), 0);
});

test('a job that has only the id of a deleted person is not waited for', async () => {
  const userId = (await platform.newMember()).id;
  await database.execute(
    `insert into jobs.job (name, data, start_after, policy, retry_limit)
     values ('media.process-video', $1, now() + interval '1 day', 'standard', 0)`,
    [JSON.stringify({ userId, sealed: 'AAAA' })],
  );
  const person = {
    userId,
    emails: ['nobody-else@gone.example.com'],
    emailsUntil: LATER,
    names: ['Zebulon', 'A', ''].map(always),
  };
  assert.equal(await eraseJobs(database, person), false);
  await database.execute(`delete from jobs.job where data->>'userId' = $1`, [userId]);
});
