// Lists with cursors: whatever is added or deleted meanwhile, each remaining item is returned exactly once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  deletePost,
  listTransactions,
  transferKeys,
  unblockMember,
  unfollowEducator,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { describedOperations } from '../support/api-contract.ts';
import { type CursorList, newPeople } from '../support/cursor-lists/cursor-list.ts';
import { listsOfTalk } from '../support/cursor-lists/talk.ts';
import { listsOfTeaching } from '../support/cursor-lists/teaching.ts';
import { audienceOf } from '../support/descriptions.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid } from '../support/refused.ts';

const platform = await startPlatform();
const people = await newPeople(platform);
const { ben, fan, rich } = people;
const { client } = people.ada;
const lists = { ...(await listsOfTalk(platform, people)), ...(await listsOfTeaching(platform, people)) };

/** An item of any of the lists. */
type Item = Record<string, unknown>;

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;
const paged = describedOperations().filter(({ is }) => is['x-pagination']?.cursors);
/** The fields that the cursor of a list consists of. */
const fieldsOf = (id: string): string[] =>
  paged.find((one) => one.id === id)?.is['x-pagination']?.cursorOf ?? [];
const cursorOf = (id: string, item: Item): string =>
  fieldsOf(id)
    .map((name) => item[name])
    .join('_');

async function page(id: string, limit: number, last?: Item): Promise<Item[]> {
  const { reader, path } = lists[id] as CursorList;
  const cursor = last ? `&before=${cursorOf(id, last)}` : '';
  const answer = await reader.raw('GET', withQuery(path, `limit=${limit}${cursor}`));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.pagination?.page, 1);
  return answer.data as Item[];
}

test('every list with a cursor is among those of this test, except those of administrators', () => {
  const ofMembers = paged.filter(
    ({ is }) => !audienceOf(is).every((one: string) => ['administrator', 'operator'].includes(one)),
  );
  const ids = ofMembers.map(({ id }) => id);
  assert.deepEqual(ids.sort(), Object.keys(lists).sort());
});

/** A member may make 60 reports and an educator 60 chatrooms within an hour; two lists are of reports. */
const MOST_ADDED = 20;

for (const [id, { add }] of Object.entries(lists)) {
  test(`${id} skips and repeats nothing while items are added`, async () => {
    let added = 0;
    // At the same instant, so that they cannot be ordered by time alone.
    await Promise.all(Array.from({ length: 9 }, add));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 2)),
        async (limit, additions) => {
          const whole = (await page(id, 50)).map((item) => cursorOf(id, item));
          const seen: string[] = [];
          for (let last: Item | undefined; ; ) {
            const items = await page(id, limit, last);
            seen.push(...items.map((item) => cursorOf(id, item)));
            last = items.at(-1);
            if (items.length < limit) break;
            for (let more = additions.next().value ?? 0; more > 0 && added < MOST_ADDED; more--, added++)
              await add();
          }
          assert.deepEqual(seen.slice(0, whole.length), whole.slice(0, seen.length));
          assert.equal(new Set(seen).size, seen.length);
          assert.ok(whole.length === 50 || seen.length === whole.length);
        },
      ),
      { numRuns: 4 },
    );
  });

  test(`${id} accepts a page or a cursor, and refuses invalid cursors`, async () => {
    const { reader, path } = lists[id] as CursorList;
    const [item] = await page(id, 1);
    const both = await reader.raw('GET', withQuery(path, `page=1&before=${cursorOf(id, item as Item)}`));
    assertInvalid(both);
    assert.deepEqual(both.body.errors, [{ field: 'before', message: 'cannot be combined with page' }]);
    for (const before of ['', 'x', `${cursorOf(id, item as Item)}0`, '%27', '0']) {
      const { status, body } = await reader.raw('GET', withQuery(path, `before=${before}`));
      // A malformed id is 400 everywhere; a cursor of several fields does not count as an id.
      const refusal = fieldsOf(id).length > 1 ? [422, 'VALIDATION_FAILED'] : [400, 'INVALID_ID'];
      assert.deepEqual([status, body.error], refusal, before);
    }
  });
}

test('a list continues after an item that was deleted meanwhile', async () => {
  const [first, second] = (await page('listPosts', 2)) as [Item, Item];
  const rest = await page('listPosts', 3, second);
  await client.call(deletePost, { params: { postId: String(second.id) } });
  assert.deepEqual(await page('listPosts', 3, second), rest);
  assert.deepEqual((await page('listPosts', 3, first))[0], rest[0]);
});

test('a reader who removes each item while reading a list removes all', async () => {
  const readers: [string, (item: Item) => Promise<unknown>][] = [
    ['listBlocks', ({ userId }) => client.call(unblockMember, { params: { userId: String(userId) } })],
    [
      'listFollowedEducators',
      ({ id }) => fan.client.call(unfollowEducator, { params: { educatorId: String(id) } }),
    ],
  ];
  for (const [id, remove] of readers) {
    for (let items = await page(id, 2); items.length > 0; items = await page(id, 2, items.at(-1)))
      for (const item of items) await remove(item);
    assert.deepEqual(await page(id, 50), [], id);
  }
});

test('filters hold after a cursor, and the total is that of the whole list', async () => {
  await rich.client.call(withdrawKeys, { body: { amount: 5 } });
  await ben.client.call(transferKeys, { body: { toUserId: rich.id, amount: 1 } });
  const [newest] = (await rich.client.call(listTransactions)).data;
  const before = newest?.transactionId;
  for (const filter of [
    { type: 'transfer' },
    { type: 'withdrawal' },
    { status: 'completed' },
    { status: 'pending' },
    { type: 'fund' },
  ] as const) {
    const query = { ...filter, limit: 100 };
    const { body: whole } = await rich.client.call(listTransactions, { query });
    const { body: rest } = await rich.client.call(listTransactions, { query: { ...query, before } });
    const [name] = Object.values(filter);
    assert.deepEqual(
      rest.data,
      whole.data.filter((one) => one.transactionId !== before),
      name,
    );
    assert.equal(rest.pagination.total, whole.pagination.total, name);
  }
});

test('a transaction of another wallet is refused as a cursor', async () => {
  const stranger = await platform.newMemberWith(5);
  const [theirs] = (await stranger.client.call(listTransactions)).data;
  const before = theirs?.transactionId;
  for (const reader of [rich, await platform.newMember()])
    assertInvalid(await reader.client.attempt(listTransactions, { query: { before } }));
});
