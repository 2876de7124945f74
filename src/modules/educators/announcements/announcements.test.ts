import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createAnnouncement,
  createAnnouncementComment,
  deleteAnnouncement,
  deleteAnnouncementComment,
  followEducator,
  likeAnnouncement,
  listAnnouncements,
  listNotifications,
  unlikeAnnouncement,
  updateAnnouncement,
} from '../../../../sdk/src/index.ts';
import type { Loose } from '../../../../test/support/client.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { LiveClient, until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { notEducator } from '../../identity/contract.ts';
import { announcementNotFound, commentNotFound, tooManyPinned } from '../failures.ts';

const platform = await startPlatform();
const educators = await Promise.all(Array.from({ length: 4 }, () => newEducator(platform)));
const [ada, eve] = educators as [Loose, Loose];
const [ben, cat] = [await platform.newMember(), await platform.newMember()];
const ROOT = '/v1/educators/announcements';

const announce = async (by: Loose, draft: object = {}): Promise<Loose> => {
  const { status, data } = await by.client.call(createAnnouncement, {
    params: { educatorId: by.id },
    body: { title: 'News', content: 'Today.', ...draft },
  });
  assert.equal(status, 201);
  return data;
};
const pageOf = async (path: string): Promise<Loose> => (await ben.client.get(path)).body;
const idsOf = (list: Loose[]): string[] => list.map(({ id }) => id);

test('an announcement is published, changed and deleted by its educator alone', async () => {
  const draft = {
    category: 'market',
    priority: 'high',
    tags: ['gold'],
    multimedia: [{ type: 'image', url: 'https://cdn.example.com/a.png' }],
  };
  const { id, createdAt, updatedAt, ...one } = await announce(ada, draft);
  assert.deepEqual(one, {
    ...draft,
    educatorId: ada.id,
    title: 'News',
    content: 'Today.',
    pinned: false,
    reactions: { likes: 0, comments: 0 },
    liked: false,
  });
  assert.equal(createdAt, updatedAt);
  assert.equal(
    (
      await ada.client.call(updateAnnouncement, {
        params: { announcementId: id },
        body: { title: 'Changed' },
      })
    ).data.title,
    'Changed',
  );
  assertRefused(
    await eve.client.attempt(updateAnnouncement, { params: { announcementId: id }, body: { title: 'Mine' } }),
    insufficientPermissions,
  );
  assertRefused(
    await platform.admin.attempt(deleteAnnouncement, { params: { announcementId: id } }),
    notEducator,
  );
  const body = { title: 'x', content: 'y' };
  for (const [by, status] of [
    [eve, 403],
    [ben, 403],
    [{ client: platform.admin }, 403],
  ] as [Loose, number][])
    assert.equal(
      (await by.client.attempt(createAnnouncement, { params: { educatorId: ada.id }, body })).status,
      status,
    );
  for (const wrong of [
    { priority: 'loud' },
    { multimedia: [{ type: 'image', url: 'http://cdn.example.com/a.png' }] },
    { multimedia: [{ type: 'program', url: 'https://cdn.example.com/a.exe' }] },
    { tags: Array.from({ length: 21 }, () => 'x') },
    { title: ' ' },
  ])
    assertInvalid(
      await ada.client.attempt(createAnnouncement, {
        params: { educatorId: ada.id },
        body: { ...body, ...wrong },
      }),
      JSON.stringify(wrong),
    );
  assert.equal((await ada.client.call(deleteAnnouncement, { params: { announcementId: id } })).status, 200);
  assertRefused(
    await ada.client.attempt(deleteAnnouncement, { params: { announcementId: id } }),
    announcementNotFound,
  );
  assertRefused(
    await ben.client.attempt(likeAnnouncement, { params: { announcementId: id } }),
    announcementNotFound,
  );
});

test('announcements of an educator are listed with pinned ones first, by page and by cursor', async () => {
  const all = [];
  for (let number = 0; number < 7; number++)
    all.push(await announce(eve, { title: `n${number}`, pinned: number === 1 || number === 4 }));
  const expected = [4, 1, 6, 5, 3, 2, 0].map((number) => `n${number}`);
  const path = `/v1/educators/${eve.id}/announcements`;
  const titles = (list: Loose[]): string[] => list.map(({ title }) => title);
  const { data, pagination } = await pageOf(`${path}?limit=100`);
  assert.deepEqual([titles(data), pagination.total], [expected, 7]);
  for (const limit of [1, 2, 3]) {
    const read: Loose[] = [];
    for (let before = ''; ; ) {
      const { data: part } = await pageOf(`${path}?limit=${limit}${before && `&before=${before}`}`);
      read.push(...part);
      if (part.length < limit) break;
      before = part.at(-1).id;
    }
    assert.deepEqual(titles(read), expected, String(limit));
  }
  const more = Array.from({ length: 12 }, () =>
    eve.client.attempt(createAnnouncement, {
      params: { educatorId: eve.id },
      body: { title: 'p', content: 'p', pinned: true },
    }),
  );
  const statuses = (await Promise.all(more)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, 8);
  assert.deepEqual([...new Set(statuses)].toSorted(), [201, 409]);
  assertRefused(
    await eve.client.attempt(updateAnnouncement, {
      params: { announcementId: all[6].id },
      body: { pinned: true },
    }),
    tooManyPinned,
  );
});

test('the feed equals the announcements of followed educators, by page and by cursor', async () => {
  const published: Loose[] = [];
  const seen: [number, number][] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(2),
      async (followed, authors, limit, gone) => {
        for (const author of authors) published.push(await announce(educators[author]));
        for (const one of published.splice(-gone, gone)) {
          const author = educators.find(({ id }) => id === one.educatorId) as Loose;
          assert.equal(
            (await author.client.call(deleteAnnouncement, { params: { announcementId: one.id } })).status,
            200,
          );
        }
        const wrong = await platform.database.all(
          `select educator_id from educators.tally t where newest_id is distinct from
             (select max(id) from educators.announcement a where a.educator_id = t.educator_id)`,
        );
        assert.deepEqual(wrong, []);
        for (const [place, educator] of educators.entries())
          await ben.client.send(
            followed.includes(place) ? 'POST' : 'DELETE',
            `/v1/educators/${educator.id}/follow`,
          );
        const rows = await platform.database.all<{ id: string }>(
          'select id from educators.announcement where educator_id = any($1) order by id desc',
          [followed.map((place) => educators[place]?.id)],
        );
        const expected = rows.map(({ id }) => id);
        const pages = Math.ceil(expected.length / limit);
        const byPage: string[] = [];
        for (let page = 1; page <= pages && page <= 8; page++) {
          const { data, pagination } = await pageOf(`${ROOT}/feed?limit=${limit}&page=${page}`);
          assert.equal(pagination.total, expected.length);
          byPage.push(...idsOf(data));
        }
        assert.deepEqual(byPage, expected.slice(0, 8 * limit));
        const byCursor: string[] = [];
        for (let before = '', parts = 0; parts < 8; parts++) {
          const { data } = await pageOf(`${ROOT}/feed?limit=${limit}${before && `&before=${before}`}`);
          byCursor.push(...idsOf(data));
          if (data.length < limit) break;
          before = data.at(-1).id;
        }
        assert.deepEqual(byCursor, expected.slice(0, byCursor.length));
        seen.push([followed.length, expected.length]);
      },
    ),
    { numRuns: 6 },
  );
});

test('reading the feed by cursor during publications shows each earlier announcement once', async () => {
  for (const { id } of educators) await ben.client.call(followEducator, { params: { educatorId: id } });
  const before = new Set(idsOf((await pageOf(`${ROOT}/feed?limit=100`)).data));
  let isReading = true;
  const publishing = (async () => {
    while (isReading) await announce(educators[2]);
  })();
  const read: string[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await pageOf(`${ROOT}/feed?limit=3${cursor && `&before=${cursor}`}`);
    read.push(...idsOf(data));
    if (data.length < 3) break;
    cursor = data.at(-1).id;
  }
  isReading = false;
  await publishing;
  assert.equal(new Set(read).size, read.length);
  for (const id of before) assert.ok(read.includes(id));
});

test('concurrent likes are counted exactly', async () => {
  const one = await announce(ada);
  const crowd = await Promise.all(Array.from({ length: 8 }, () => platform.newMember()));
  await Promise.all(
    crowd.flatMap(({ client }) => [
      client.call(likeAnnouncement, { params: { announcementId: one.id } }),
      client.call(likeAnnouncement, { params: { announcementId: one.id } }),
      client.call(likeAnnouncement, { params: { announcementId: one.id } }),
    ]),
  );
  await Promise.all(
    crowd
      .slice(0, 3)
      .map(({ client }) => client.call(unlikeAnnouncement, { params: { announcementId: one.id } })),
  );
  const answer = await (crowd[7] as Loose).client.call(likeAnnouncement, {
    params: { announcementId: one.id },
  });
  assert.deepEqual(answer.data, { announcementId: one.id, liked: true, likes: 5 });
  const { data } = await (crowd[7] as Loose).client.call(listAnnouncements, {
    params: { educatorId: ada.id },
    query: { limit: 1 },
  });
  assert.deepEqual([data[0].reactions.likes, data[0].liked], [5, true]);
  const stored = await platform.database.count(
    'select count(*) from educators.announcement_like where announcement_id = $1',
    [one.id],
  );
  assert.equal(stored, 5);
  await ada.client.call(deleteAnnouncement, { params: { announcementId: one.id } });
  await until(
    async () =>
      (await platform.database.count(
        'select count(*) from educators.announcement_like where announcement_id = $1',
        [one.id],
      )) === 0,
    'the end of the likes',
  );
});

test('comments are counted, listed, and deleted by their author, the educator and moderators', async () => {
  const one = await announce(ada);
  const path = `${ROOT}/${one.id}/comments`;
  const said = [];
  for (const content of ['a', 'b', 'c']) {
    const { status, data } = await ben.client.call(createAnnouncementComment, {
      params: { announcementId: one.id },
      body: { content },
    });
    assert.equal(status, 201);
    said.push(data);
  }
  assert.deepEqual([said[0]?.user.name, said[0]?.userId], ['Test Member', ben.id]);
  // What has been deleted before its notification is not notified of.
  await until(
    async () =>
      (await ada.client.call(listNotifications, { query: { type: 'comment_reply' } })).body.pagination
        .total === 3,
    'the notifications of the educator',
  );
  const contents = async (query = ''): Promise<string[]> =>
    (await pageOf(path + query)).data.map((comment: Loose) => comment.content);
  assert.deepEqual(await contents(), ['c', 'b', 'a']);
  assert.deepEqual(await contents(`?before=${said[2]?.id}`), ['b', 'a']);
  const remove = (by: Loose, comment: Loose) =>
    by.client.attempt(deleteAnnouncementComment, { params: { commentId: comment.id } });
  assertRefused(await remove(cat, said[0]), insufficientPermissions);
  assert.equal((await remove(ben, said[0])).status, 200);
  assert.equal((await remove(ada, said[1])).status, 200);
  assert.equal((await remove({ client: platform.admin }, said[2])).status, 200);
  assertRefused(await remove(ben, said[2]), commentNotFound);
  assert.equal((await pageOf(path)).pagination.total, 0);
});

test('connected followers are notified live, up to the hourly limit', async () => {
  const live = await LiveClient.open(platform.url, cat.accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: cat.id });
  const author = educators[3] as Loose;
  await cat.client.call(followEducator, { params: { educatorId: author.id } });
  await announce(author, { title: 'Live' });
  // Announcements of the tests before may still arrive.
  await live.next(({ type, data }) => type === 'notification:new' && /: Live$/.test(data.title));
  live.close();
  let last: Loose;
  for (let number = 0; number < 61; number++)
    last = await author.client.call(createAnnouncement, {
      params: { educatorId: author.id },
      body: { title: 'More', content: 'x' },
    });
  assert.deepEqual([last.status, /nobody was notified/.test(last.body.message)], [201, true]);
  assertInvalid(
    await author.client.attempt(createAnnouncement, { params: { educatorId: author.id }, body: {} }),
  );
});
