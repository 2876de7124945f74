import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  createClient,
  deleteAnnouncement,
  followEducator,
  getAnnouncement,
  getMember,
  likeAnnouncement,
  listAnnouncements,
  memoryStorage,
  type TypesOf,
  unassignPermissions,
  unlikeAnnouncement,
  updateAnnouncement,
  type wire,
} from '../../../../sdk/src/index.ts';
import { announce } from '../../../../test/support/announcements.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { LiveClient, until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator } from '../../identity/contract.ts';
import { announcementNotFound, tooManyPinned } from '../failures.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve, ben] = [
  await newEducator(platform),
  await newEducator(platform),
  await platform.newMember(),
];
const ofAda = { params: { educatorId: ada.id } };

/** The cursor that lists what follows an announcement. */
const placeOf = ({ pinned, id }: wire.Announcement): string => `${pinned}_${id}`;

test('an announcement is published and changed', async () => {
  const draft = {
    category: 'market',
    priority: 'high' as const,
    tags: ['gold'],
    multimedia: [{ type: 'image' as const, url: 'https://cdn.example.com/a.png' }],
  };
  const { id, createdAt, updatedAt, ...one } = await announce(ada, draft);
  const { data: educator } = await ben.client.call(getMember, { params: { id: ada.id } });
  assert.deepEqual(one, {
    ...draft,
    educatorId: ada.id,
    educator,
    title: 'News',
    content: 'Today.',
    pinned: false,
    reactions: { likes: 0, comments: 0 },
    liked: false,
  });
  assert.equal(createdAt, updatedAt);
  const params = { announcementId: id };
  const { data } = await ada.client.call(updateAnnouncement, { params, body: { title: 'Changed' } });
  assert.equal(data.title, 'Changed');
});

test('an announcement is published by its educator alone, and changed and deleted by no other educator', async () => {
  const { id } = await announce(ada);
  const params = { announcementId: id };
  const changed = await eve.client.attempt(updateAnnouncement, { params, body: { title: 'Mine' } });
  assertRefused(changed, insufficientPermissions);
  assertRefused(await ben.client.attempt(deleteAnnouncement, { params }), notEducator);
  const draft = { ...ofAda, body: { title: 'x', content: 'y' } };
  for (const client of [eve.client, ben.client, admin])
    assert.equal((await client.attempt(createAnnouncement, draft)).status, 403);
});

test('an announcement without a title or with an unknown priority or media type is refused', async () => {
  const body = { title: 'x', content: 'y' };
  for (const wrong of [
    { priority: 'loud' },
    { multimedia: [{ type: 'image', url: 'http://cdn.example.com/a.png' }] },
    { multimedia: [{ type: 'program', url: 'https://cdn.example.com/a.exe' }] },
    { tags: Array.from({ length: 21 }, () => 'x') },
    { title: ' ' },
  ])
    assertInvalid(
      await ada.client.raw('POST', `/v1/educators/${ada.id}/announcements`, { ...body, ...wrong }),
      JSON.stringify(wrong),
    );
  const multimedia = ['a', 'b'].map((name) => ({ type: 'image', url: `http://cdn.example.com/${name}.png` }));
  const places = ['multimedia.0.url', 'multimedia.1.url'];
  for (const [wrong, fields] of [
    [{ ...body, multimedia }, places],
    [{ content: 'y', multimedia }, ['title', ...places]],
  ] as const) {
    const answer = await ada.client.raw('POST', `/v1/educators/${ada.id}/announcements`, wrong);
    assert.deepEqual(
      answer.body.errors?.map(({ field }) => field),
      fields,
    );
  }
});

test('a deleted announcement is not found', async () => {
  const { id } = await announce(ada);
  const params = { announcementId: id };
  assert.equal((await ada.client.call(deleteAnnouncement, { params })).status, 200);
  assertRefused(await ada.client.attempt(deleteAnnouncement, { params }), announcementNotFound);
  assertRefused(await ben.client.attempt(likeAnnouncement, { params }), announcementNotFound);
});

test('an announcement is read by its id as in the list, while its educator is visible', async () => {
  const olga = await newEducator(platform);
  const { id } = await announce(olga);
  const params = { announcementId: id };
  await ben.client.call(likeAnnouncement, { params });
  const [listed] = (await ben.client.call(listAnnouncements, { params: { educatorId: olga.id } })).data;
  const { data } = await ben.client.call(getAnnouncement, { params });
  assert.deepEqual(data, listed);
  assert.equal(data.liked, true);
  assert.equal((await eve.client.call(getAnnouncement, { params })).data.liked, false);
  const permissions = { params: { userId: olga.id }, body: { permissions: ['educator'] } };
  await platform.admin.call(unassignPermissions, permissions);
  assertRefused(await ben.client.attempt(getAnnouncement, { params }), announcementNotFound);
  await platform.admin.call(assignPermissions, permissions);
  await olga.client.call(deleteAnnouncement, { params });
  assertRefused(await ben.client.attempt(getAnnouncement, { params }), announcementNotFound);
});

test('announcements of an educator are listed with pinned ones first, by page and by cursor', async () => {
  for (let number = 0; number < 7; number++)
    await announce(eve, { title: `n${number}`, pinned: number === 1 || number === 4 });
  const expected = [4, 1, 6, 5, 3, 2, 0].map((number) => `n${number}`);
  const pageOf = async (query: TypesOf<typeof listAnnouncements>['query']) =>
    (await ben.client.call(listAnnouncements, { params: { educatorId: eve.id }, query })).body;
  const { data, pagination } = await pageOf({ limit: 100 });
  assert.deepEqual([data.map(({ title }) => title), pagination.total], [expected, 7]);
  for (const cursorOf of [placeOf, ({ id }: wire.Announcement) => id])
    for (const limit of [1, 2, 3]) {
      const titles: string[] = [];
      for (let last: wire.Announcement | undefined; ; ) {
        const { data: part } = await pageOf({ limit, ...(last && { before: cursorOf(last) }) });
        titles.push(...part.map(({ title }) => title));
        if (part.length < limit) break;
        last = part.at(-1);
      }
      assert.deepEqual(titles, expected, `${cursorOf.name} ${limit}`);
    }
});

test('reading announcements goes on after one that was deleted, pinned or unpinned meanwhile', async () => {
  const dan = await newEducator(platform);
  const params = { educatorId: dan.id };
  for (let number = 0; number < 6; number++)
    await announce(dan, { title: `n${number}`, pinned: number === 2 || number === 3 });
  const after = async (last: wire.Announcement, before = placeOf(last)) => {
    const query = { limit: 2, before };
    return (await ben.client.call(listAnnouncements, { params, query })).data.map(({ title }) => title);
  };
  const { data: all } = await ben.client.call(listAnnouncements, { params });
  const [n3, n2, n5, n4] = all as [
    wire.Announcement,
    wire.Announcement,
    wire.Announcement,
    wire.Announcement,
  ];
  const change = ({ id }: wire.Announcement, pinned: boolean) =>
    dan.client.call(updateAnnouncement, { params: { announcementId: id }, body: { pinned } });
  await change(n3, false);
  assert.deepEqual(await after(n3), ['n2', 'n5']);
  await dan.client.call(deleteAnnouncement, { params: { announcementId: n2.id } });
  assert.deepEqual(await after(n2), ['n5', 'n4']);
  await change(n4, true);
  assert.deepEqual(await after(n4), ['n3', 'n1']);
  await dan.client.call(deleteAnnouncement, { params: { announcementId: n5.id } });
  assert.deepEqual(await after(n5), ['n3', 'n1']);
  assert.deepEqual(await after(n5, n5.id), ['n3', 'n1'], 'by its id alone');
});

test('an educator who deletes each announcement while reading them deletes all', async () => {
  const dan = await newEducator(platform);
  for (let number = 0; number < 5; number++) await announce(dan, { pinned: number % 2 === 0 });
  const api = createClient({
    apiKey: (await platform.newKey('admin')).key,
    baseUrl: platform.url,
    storage: memoryStorage(),
  });
  await api.auth.signIn({ email: dan.email, password: PASSWORD, platform: 'web' });
  let deleted = 0;
  for await (const { id } of api.announcements.list(dan.id, { limit: 2 })) {
    await api.announcements.delete(id);
    deleted++;
  }
  assert.equal(deleted, 5);
});

test('an educator pins at most ten announcements, also concurrently', async () => {
  const dan = await newEducator(platform);
  const { id } = await announce(dan);
  const pinned = { params: { educatorId: dan.id }, body: { title: 'p', content: 'p', pinned: true } };
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => untilAvailable(() => dan.client.attempt(createAnnouncement, pinned))),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 10);
  assert.deepEqual([...new Set(statuses)].toSorted(), [201, 409]);
  assertRefused(
    await dan.client.attempt(updateAnnouncement, { params: { announcementId: id }, body: { pinned: true } }),
    tooManyPinned,
  );
});

test('concurrent likes are counted exactly', async () => {
  const { id } = await announce(ada);
  const params = { announcementId: id };
  const crowd = await Promise.all(Array.from({ length: 8 }, () => platform.newMember()));
  await Promise.all(
    crowd.flatMap(({ client }) => [1, 2, 3].map(() => client.callPatiently(likeAnnouncement, { params }))),
  );
  await Promise.all(
    crowd.slice(0, 3).map(({ client }) => client.callPatiently(unlikeAnnouncement, { params })),
  );
  const { client } = crowd[7] as Member;
  const answer = await client.call(likeAnnouncement, { params });
  assert.deepEqual(answer.data, { announcementId: id, liked: true, likes: 5 });
  const { data } = await client.call(listAnnouncements, { ...ofAda, query: { limit: 1 } });
  assert.deepEqual([data[0]?.reactions.likes, data[0]?.liked], [5, true]);
  const stored = () =>
    platform.database.count('select count(*) from educators.announcement_like where announcement_id = $1', [
      id,
    ]);
  assert.equal(await stored(), 5);
  await ada.client.call(deleteAnnouncement, { params });
  await until(async () => (await stored()) === 0, 'the end of the likes');
});

test('connected followers are notified live', async () => {
  const [dan, cat] = [await newEducator(platform), await platform.newMember()];
  const live = await LiveClient.open(platform.url, cat.accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: cat.id });
  await cat.client.call(followEducator, { params: { educatorId: dan.id } });
  await announce(dan, { title: 'Live' });
  await live.next(({ type, data }) => type === 'notification:new' && /: Live$/.test(data.title));
  live.close();
});

test('announcements beyond the hourly limit notify nobody', async () => {
  const dan = await newEducator(platform);
  const draft = { params: { educatorId: dan.id }, body: { title: 'More', content: 'x' } };
  const messages: string[] = [];
  for (let number = 0; number < 62; number++)
    messages.push((await dan.client.call(createAnnouncement, draft)).body.message);
  assert.match(messages.at(-1) as string, /nobody was notified/);
  assertInvalid(await dan.client.raw('POST', `/v1/educators/${dan.id}/announcements`, {}));
});
