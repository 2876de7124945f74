import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  assignPermissions,
  createAnnouncement,
  deleteUser,
  enrollInCourse,
  followEducator,
  getAnnouncementFeed,
  getEducator,
  getFollowStatus,
  getMember,
  listAnnouncementComments,
  listEducators,
  listFeaturedEducators,
  listFollowedEducators,
  listNotifications,
  markEducator,
  presignEducatorUpload,
  rateCourse,
  sendChatMessage,
  subscribeToAllEducators,
  subscribeToEducator,
  unassignPermissions,
  unfollowEducator,
  unsubscribeFromEducator,
  updateEducatorProfile,
} from '../../../sdk/src/index.ts';
import type { Loose } from '../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { SAMPLES } from '../../../test/support/pictures.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../kernel/failures.ts';
import { creatorStays } from '../chat/contract.ts';
import { notEducator, usernameTaken } from '../identity/contract.ts';
import { educatorNotFound } from './contract.ts';
import { followOneself } from './failures.ts';
import { bioTooLong, noProfileFields } from './profiles/profiles.model.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const NOBODY = 'f'.repeat(24);
const of = (id: string, rest = ''): string => `/v1/educators/${id}${rest}`;
const profile = async (id: string): Promise<Loose> =>
  (await ben.client.call(getEducator, { params: { educatorId: id } })).data;

test('operations of educators distinguish malformed ids, unknown users and other members', async () => {
  const asked: [string, string][] = [
    ...(['', '/following', '/announcements', '/stories', '/chatroom'] as const).map(
      (rest): [string, string] => ['GET', rest],
    ),
    ...(
      ['/follow', '/chatroom/join', '/tip', '/notifications/subscribe', '/notifications/unsubscribe'] as const
    ).map((rest): [string, string] => ['POST', rest]),
  ];
  for (const [method, rest] of asked) {
    const send = (id: string) => ben.client.send(method, of(id, rest), rest === '/tip' ? {} : undefined);
    assertRefused(await send('nonsense'), invalidId('educator'), rest);
    assertRefused(await send(NOBODY), educatorNotFound, rest);
    assertRefused(await send(cat.id), notEducator, rest);
  }
});

test('a profile is changed by its educator and by administrators', async () => {
  const path = of(ada.id, '/profile');
  const fields = {
    educator_title: 'Head of Futures',
    educator_bio: 'ü'.repeat(2000),
    specialty: 'Futures',
    skills: ['Risk'],
    socials: { website: 'https://ada.example.com' },
    firstName: 'Ada',
    lastName: 'Lovelace',
    banner_image: 'https://cdn.example.com/banner.png',
  };
  const changed = await ada.client.patch(path, { ...fields, isVerified: true, permissions: ['admin'] });
  assert.equal(changed.status, 200);
  const seen = await profile(ada.id);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(seen[name], value, name);
  assert.deepEqual([seen.isVerified, seen.permissions, seen.email], [false, ['educator'], ada.email]);
  assert.equal(
    (await admin.call(updateEducatorProfile, { params: { educatorId: ada.id }, body: { socials: {} } }))
      .status,
    200,
  );
  const after = await profile(ada.id);
  assert.deepEqual([after.socials, after.specialty], [{}, 'Futures']);
  for (const nothing of [{}, { isVerified: true }, []])
    assertRefused(await ada.client.patch(path, nothing), noProfileFields);
  assertInvalid(await ada.client.patch(path, { educator_bio: 5 }));
  assertRefused(
    await ada.client.attempt(updateEducatorProfile, {
      params: { educatorId: ada.id },
      body: { educator_bio: 'x'.repeat(2001) },
    }),
    bioTooLong,
  );
  assertInvalid(
    await ada.client.attempt(updateEducatorProfile, {
      params: { educatorId: ada.id },
      body: { socials: { myspace: 'https://x.example' } },
    }),
  );
  assertInvalid(
    await ada.client.attempt(updateEducatorProfile, {
      params: { educatorId: ada.id },
      body: { profileImage: 'javascript:alert(1)' },
    }),
  );
  assertRefused(
    await eve.client.attempt(updateEducatorProfile, { params: { educatorId: ada.id }, body: fields }),
    insufficientPermissions,
  );
  assertRefused(
    await ben.client.attempt(updateEducatorProfile, { params: { educatorId: ada.id }, body: fields }),
    notEducator,
  );
  assertRefused(
    await admin.attempt(updateEducatorProfile, { params: { educatorId: NOBODY }, body: fields }),
    educatorNotFound,
  );
});

test('a picture is uploaded, and must be of the educator who saves it', async () => {
  const presign = (by: Loose, body: object) =>
    by.client.attempt(presignEducatorUpload, {
      params: { educatorId: ada.id },
      body: { fileName: 'me.png', ...body },
    });
  const { status, data } = await presign(ada, { fileSize: SAMPLES.png.length, contentType: 'image/png' });
  assert.equal(status, 201);
  const { method, headers } = data.instructions;
  const sent = await fetch(data.uploadUrl, { method, headers, body: new Uint8Array(SAMPLES.png) });
  assert.equal(sent.status, 200);
  const picture = { profileImage: data.publicUrl };
  assert.equal(
    (await ada.client.call(updateEducatorProfile, { params: { educatorId: ada.id }, body: picture })).data
      .profileImage,
    data.publicUrl,
  );
  assertInvalid(
    await eve.client.attempt(updateEducatorProfile, { params: { educatorId: eve.id }, body: picture }),
  );
  assert.equal((await fetch(data.publicUrl)).headers.get('content-type'), 'image/png');
  assertInvalid(await presign(ada, { fileSize: 10, contentType: 'image/svg+xml' }));
  assertInvalid(await presign(ada, { fileSize: 11 * 1024 ** 2, contentType: 'image/png' }));
  assertRefused(await presign(eve, { fileSize: 10, contentType: 'image/png' }), insufficientPermissions);
});

test('administrators verify, feature and rename educators', async () => {
  const marks = { isVerified: true, featured: true, rankBadgeUrl: 'https://cdn.example.com/gold.png' };
  const { status, data } = await admin.call(markEducator, {
    params: { educatorId: eve.id },
    body: {
      ...marks,
      username: 'eve.trades',
    },
  });
  assert.deepEqual(
    [status, data.isVerified, data.featured, data.rankBadgeUrl, data.username],
    [200, true, true, marks.rankBadgeUrl, 'eve.trades'],
  );
  const featured = (await ben.client.call(listFeaturedEducators, { query: { limit: 99 } })).data;
  assert.deepEqual(
    featured.map((one) => one.id),
    [eve.id],
  );
  assert.equal((await ben.client.call(listEducators, { query: { featured: false } })).data[0]?.id, ada.id);
  const taken = await admin.attempt(markEducator, {
    params: { educatorId: ada.id },
    body: { username: 'eve.trades' },
  });
  assertRefused(taken, usernameTaken);
});

test('the list is searched by name and username, typing mistakes and accents forgiven', async () => {
  const names = async (search: string): Promise<string[]> =>
    (await ben.client.call(listEducators, { query: { search } })).data.map((one) => one.id);
  await eve.client.call(updateEducatorProfile, {
    params: { educatorId: eve.id },
    body: { firstName: 'Éva', lastName: 'Kovács' },
  });
  for (const search of ['Lovelace', 'lovelase', 'Lovlace', 'ADA', 'love'])
    assert.equal((await names(search))[0], ada.id, search);
  for (const search of ['eva kovacs', 'Kovács', 'kovaks', 'eve.trades'])
    assert.equal((await names(search))[0], eve.id, search);
  assert.deepEqual(await names('zzzzqqq'), []);
  assert.deepEqual(await names('100%_\\'), []);
  const { body } = await ben.client.call(listEducators, { query: { limit: 1000 } });
  assert.deepEqual([body.pagination.limit, body.pagination.total], [50, 2]);
});

test('the profile shows courses and their ratings', async () => {
  const { course } = await newCourse(platform, { owner: eve });
  await ben.client.call(enrollInCourse, { params: { courseId: course.id } });
  await ben.client.call(rateCourse, { params: { courseId: course.id }, body: { rating: 4 } });
  const { courseCount, rating } = await profile(eve.id);
  assert.deepEqual([courseCount, rating], [1, 4]);
  await newCourse(platform, { owner: eve });
  assert.equal((await profile(eve.id)).courseCount, 2);
});

test('following is idempotent both ways and counted exactly', async () => {
  const first = await ben.client.attempt(followEducator, { params: { educatorId: ada.id } });
  assert.deepEqual([first.status, first.data?.educatorId, first.data?.userId], [201, ada.id, ben.id]);
  const again = await ben.client.attempt(followEducator, { params: { educatorId: ada.id } });
  assert.deepEqual([again.status, again.data], [200, first.data]);
  const { data: follower } = await ada.client.call(getMember, { params: { id: ben.id } });
  assert.deepEqual(first.data?.user, follower);
  const { data: status } = await ben.client.call(getFollowStatus, { params: { educatorId: ada.id } });
  assert.deepEqual(status, { isFollowing: true, followedAt: first.data?.followedAt });
  const { data } = await ben.client.call(listFollowedEducators);
  assert.deepEqual(
    data.map((one) => [one.id, one.followedAt]),
    [[ada.id, first.data?.followedAt]],
  );
  assert.deepEqual([(await profile(ada.id)).followerCount, (await profile(ada.id)).subscriberCount], [1, 1]);
  for (let time = 0; time < 2; time++)
    assert.equal(
      (await ben.client.call(unfollowEducator, { params: { educatorId: ada.id } })).data.isFollowing,
      false,
    );
  assert.equal((await profile(ada.id)).followerCount, 0);
  const own = await ada.client.attempt(followEducator, { params: { educatorId: ada.id } });
  assertRefused(own, followOneself);
});

test('concurrent follows are counted exactly', async () => {
  const crowd = await Promise.all(Array.from({ length: 6 }, () => platform.newMember()));
  const isFollowing = new Map<string, boolean>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.integer({ min: 0, max: 5 }), follows: fc.boolean() }), { maxLength: 20 }),
      async (steps) => {
        // Steps of one member are in their order; members go at once.
        await Promise.all(
          crowd.map(async ({ client, id }, place) => {
            for (const { who, follows } of steps) {
              if (who !== place) continue;
              await client.send(follows ? 'POST' : 'DELETE', of(eve.id, '/follow'));
              isFollowing.set(id, follows);
            }
          }),
        );
        const expected = [...isFollowing.values()].filter(Boolean).length;
        assert.equal((await profile(eve.id)).followerCount, expected);
      },
    ),
    { numRuns: 8 },
  );
  const member = crowd[0] as Member;
  await Promise.all(
    Array.from({ length: 8 }, () => member.client.call(followEducator, { params: { educatorId: eve.id } })),
  );
  const stored = await platform.database.count(
    'select count(*) from educators.follow where educator_id = $1',
    [eve.id],
  );
  assert.equal((await profile(eve.id)).followerCount, stored);
});

test('an educator has one chatroom, created on first use', async () => {
  const path = of(ada.id, '/chatroom');
  const all = await Promise.all(Array.from({ length: 6 }, () => ben.client.get(path)));
  const ids = new Set(all.map(({ data }) => data.chatroomId));
  assert.equal(ids.size, 1);
  const [chatroomId] = ids;
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/join`)).data.memberCount, 2);
  const said = await ben.client.call(sendChatMessage, {
    params: { chatroomId },
    body: { message: 'Hello!' },
  });
  const { data } = await eve.client.get(path);
  assert.deepEqual(data, {
    educatorId: ada.id,
    chatroomId,
    name: 'Ada Lovelace',
    description: '',
    rules: [],
    memberCount: 2,
    isActive: true,
    lastMessage: { content: 'Hello!', timestamp: said.data.createdAt },
  });
  for (let time = 0; time < 2; time++)
    assert.equal((await ben.client.post(`${path}/leave`)).data.memberCount, 1);
  assertRefused(await ada.client.post(`${path}/leave`), creatorStays);
});

test('subscribers are notified of the announcements that they chose', async () => {
  const announce = async (by: Member, title: string): Promise<void> => {
    const { status } = await by.client.call(createAnnouncement, {
      params: { educatorId: by.id },
      body: { title, content: 'News.' },
    });
    assert.equal(status, 201);
  };
  const told = async (): Promise<string[]> =>
    (await cat.client.call(listNotifications, { query: { type: 'announcement' } })).data.map(
      (one) => one.title,
    );
  assert.deepEqual((await cat.client.call(subscribeToEducator, { params: { educatorId: ada.id } })).data, {
    educatorId: ada.id,
    subscribed: true,
  });
  await announce(ada, 'one');
  await until(async () => (await told()).includes('Ada Lovelace: one'), 'the first');
  assert.equal(
    (await cat.client.call(unsubscribeFromEducator, { params: { educatorId: ada.id } })).data.subscribed,
    false,
  );
  for (let time = 0; time < 2; time++)
    assert.equal((await cat.client.call(subscribeToAllEducators)).data.count, 2);
  await announce(ada, 'two');
  await announce(eve, 'three');
  await until(async () => (await told()).includes('Éva Kovács: three'), 'the third');
  // Of a new educator only those hear who subscribe after that.
  const dan = await newEducator(platform);
  await announce(dan, 'four');
  await announce(eve, 'five');
  await until(async () => (await told()).includes('Éva Kovács: five'), 'the fifth');
  assert.deepEqual(
    (await told()).toSorted(),
    ['Ada Lovelace: one', 'Éva Kovács: five', 'Éva Kovács: three'].toSorted(),
  );
  await cat.client.call(followEducator, { params: { educatorId: ada.id } });
  await announce(ada, 'six');
  await until(async () => (await told()).includes('Ada Lovelace: six'), 'the sixth');
});

test('an educator without the permission disappears at once and returns with it', async () => {
  const dan = await newEducator(platform);
  await ben.client.call(followEducator, { params: { educatorId: dan.id } });
  const published = await dan.client.call(createAnnouncement, {
    params: { educatorId: dan.id },
    body: { title: 'Hi', content: 'All.' },
  });
  const lists = async (): Promise<boolean[]> => [
    (await ben.client.call(listEducators, { query: { limit: 50 } })).data.some((one) => one.id === dan.id),
    (await ben.client.call(listFollowedEducators)).data.some((one) => one.id === dan.id),
    (await ben.client.call(getAnnouncementFeed)).data.some((one) => one.educatorId === dan.id),
    (await ben.client.attempt(listAnnouncementComments, { params: { announcementId: published.data.id } }))
      .status === 200,
  ];
  assert.deepEqual(await lists(), [true, true, true, true]);
  await admin.call(unassignPermissions, { params: { userId: dan.id }, body: { permissions: ['educator'] } });
  assert.deepEqual(await lists(), [false, false, false, false]);
  assertRefused(await ben.client.attempt(getEducator, { params: { educatorId: dan.id } }), notEducator);
  await admin.call(assignPermissions, { params: { userId: dan.id }, body: { permissions: ['educator'] } });
  assert.deepEqual(await lists(), [true, true, true, true]);
  await admin.call(unassignPermissions, { params: { userId: dan.id }, body: { permissions: ['educator'] } });
  assert.equal((await ben.client.call(unfollowEducator, { params: { educatorId: dan.id } })).status, 200);
  await admin.call(deleteUser, { params: { userId: eve.id } });
  assertRefused(await ben.client.attempt(getEducator, { params: { educatorId: eve.id } }), educatorNotFound);
});

test('the repair job restores a changed copy of a user', async () => {
  await platform.database.execute(`update educators.educator set first_name = 'Wrong' where id = $1`, [
    ada.id,
  ]);
  await platform.platform.runJob('educators.rebuild');
  assert.equal((await profile(ada.id)).firstName, 'Ada');
});
