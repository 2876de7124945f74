import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  deleteAnnouncement,
  followEducator,
  getAnnouncementFeed,
  type TypesOf,
  unfollowEducator,
  type wire,
} from '../../../../sdk/src/index.ts';
import { announce } from '../../../../test/support/announcements.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform();
const { database } = platform;
const educators = await Promise.all(Array.from({ length: 4 }, () => newEducator(platform)));
const ben = await platform.newMember();
/** At most so many pages are read. */
const MAX_PAGES = 8;

const feed = async (query: TypesOf<typeof getAnnouncementFeed>['query']) =>
  (await ben.client.call(getAnnouncementFeed, { query })).body;

async function readByPage(limit: number, total: number): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; page <= Math.ceil(total / limit) && page <= MAX_PAGES; page++) {
    const { data, pagination } = await feed({ limit, page });
    assert.equal(pagination.total, total);
    ids.push(...data.map(({ id }) => id));
  }
  return ids;
}

async function readByCursor(limit: number, maxPages: number): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const { data } = await feed({ limit, ...(before && { before }) });
    ids.push(...data.map(({ id }) => id));
    if (data.length < limit) break;
    before = data.at(-1)?.id;
  }
  return ids;
}

/** Asserts that the newest announcement of each educator is the one that is noted. */
async function assertNewestNoted(): Promise<void> {
  const wrong = await database.all(
    `select educator_id from educators.tally t where newest_id is distinct from
       (select max(id) from educators.announcement a where a.educator_id = t.educator_id)`,
  );
  assert.deepEqual(wrong, []);
}

test('the feed equals the announcements of followed educators, by page and by cursor', async () => {
  const published: wire.Announcement[] = [];
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { maxLength: 4 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(2),
      async (followed, authors, limit, gone) => {
        for (const author of authors) published.push(await announce(educators[author] as Member));
        for (const { id, educatorId } of published.splice(-gone, gone)) {
          const author = educators.find((one) => one.id === educatorId) as Member;
          await author.client.call(deleteAnnouncement, { params: { announcementId: id } });
        }
        await assertNewestNoted();
        for (const [place, { id }] of educators.entries())
          await ben.client.call(followed.includes(place) ? followEducator : unfollowEducator, {
            params: { educatorId: id },
          });
        const rows = await database.all<{ id: string }>(
          'select id from educators.announcement where educator_id = any($1) order by id desc',
          [followed.map((place) => educators[place]?.id)],
        );
        const expected = rows.map(({ id }) => id);
        assert.deepEqual(await readByPage(limit, expected.length), expected.slice(0, MAX_PAGES * limit));
        assert.deepEqual(await readByCursor(limit, MAX_PAGES), expected.slice(0, MAX_PAGES * limit));
      },
    ),
    { numRuns: 6 },
  );
});

test('reading the feed by cursor during publications shows each earlier announcement once', async () => {
  for (const { id } of educators) await ben.client.call(followEducator, { params: { educatorId: id } });
  const earlier = (await feed({ limit: 100 })).data.map(({ id }) => id);
  let isReading = true;
  const publishing = (async () => {
    while (isReading) await announce(educators[2] as Member);
  })();
  const read = await readByCursor(3, Infinity);
  isReading = false;
  await publishing;
  assert.equal(new Set(read).size, read.length);
  for (const id of earlier) assert.ok(read.includes(id));
});
