import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addChatroomMember,
  banChatMember,
  blockMember,
  clearSearchHistory,
  createChatroom,
  createCommunity,
  createCourse,
  createPost,
  deletePost,
  joinChatroom,
  joinCommunity,
  search,
  suggestSearches,
  unblockMember,
  updateChatroom,
  updateUser,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;
const [owner, outsider] = [await newEducator(platform), await newMember()];
const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
await outsider.client.call(joinCommunity, { params: { communityId: community.id } });

const publish = (content: string) =>
  outsider.client.call(createPost, { params: { communityId: community.id }, body: { content } });

/** All that a member can learn of a word by searching for it. */
async function askedOf({ client }: Member, queries: string[], type: 'chatroom' | 'user' = 'chatroom') {
  const ask = async (q: string) => ({
    q,
    found: (await client.call(search, { query: { q } })).data,
    ofType: (await client.call(search, { query: { q, type } })).data,
    suggested: (await client.call(suggestSearches, { query: { q } })).data,
  });
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (const q of queries) answers.push(await ask(q));
  return answers;
}

const letter = fc.constantFrom(...'abdeginorstx');
const word = fc.array(letter, { minLength: 5, maxLength: 7 }).map((letters) => `m${letters.join('')}`);

/** Guesses at a word: its beginnings, each with every letter that may follow, and the word with one mistake. */
function guessesAt(secret: string): string[] {
  const beginnings = Array.from({ length: secret.length - 2 }, (_, place) => secret.slice(0, place + 3));
  const places = Array.from({ length: secret.length }, (_, place) => place);
  const replaced = (place: number, by: string): string =>
    secret.slice(0, place) + by + secret.slice(place + 1);
  return [
    ...beginnings,
    ...beginnings.map((one) => `${one}q`),
    ...places.map((place) => replaced(place, '')),
    ...places.map((place) => replaced(place, 'q')),
    `${secret}q`,
    secret,
  ];
}

let runs = 0;
test('private rooms and drafts do not influence searches of others', async () => {
  await fc.assert(
    fc.asyncProperty(word, letter, async (base, last) => {
      // Words of each run are its own.
      const own = base + String.fromCharCode(97 + (runs++ % 26));
      const secret = own + last;
      // The outsider's own words, as close to the guesses as the secret is, some before it in the alphabet and some after.
      const planted = ['a', 'x', 'y', 'z'].map((end) => own + end).filter((one) => one !== secret);
      for (const one of planted) await publish(`${one} planted`);
      const guesses = guessesAt(secret);
      const queries = [
        ...guesses,
        own,
        ...guesses.slice(-4).map((one) => `planted ${one}`),
        `${own}x ${own}`,
      ];
      const before = await askedOf(outsider, queries);
      const hidden = `Plans of ${secret} and ${secret}s`;
      const room = await owner.client.call(createChatroom, {
        body: {
          name: `${secret} room`,
          description: hidden,
          type: 'private',
        },
      });
      assert.equal(room.status, 201);
      const draft = { title: `${secret} course`, description: hidden, tags: [`${secret}tag`] };
      assert.equal((await owner.client.call(createCourse, { body: draft })).status, 201);
      assert.deepEqual(await askedOf(outsider, queries), before);
      const { data } = await owner.client.call(search, { query: { q: `${secret.slice(0, -1)}q` } });
      assert.equal(data.totalResults > 0, true, `its owner finds ${secret}`);
    }),
    { numRuns: 5 },
  );
});

test('words of a private room are not used for corrections, nor for a banned member', async () => {
  const room = async (name: string) =>
    (await owner.client.call(createChatroom, { body: { name, type: 'public' } })).data;
  const [closing, open] = [await room('Zyzzogeton'), await room('Quokkatron')];
  const correctedOf = async (q: string): Promise<string | null> =>
    (await outsider.client.call(search, { query: { q } })).data.corrected;
  assert.equal(await correctedOf('zyzzogetn'), 'zyzzogeton');
  assert.equal(await correctedOf('quokkatrn'), 'quokkatron');
  await owner.client.call(updateChatroom, { params: { chatroomId: closing.id }, body: { type: 'private' } });
  await outsider.client.call(joinChatroom, { params: { chatroomId: open.id } });
  const banned = await owner.client.call(banChatMember, {
    params: { chatroomId: open.id, userId: outsider.id },
  });
  assert.equal(banned.status < 300, true, JSON.stringify(banned.body));
  assert.equal(await correctedOf('zyzzogetn'), null);
  assert.equal(await correctedOf('quokkatrn'), null);
  assert.equal(
    await database.count(`select count(*) from search.word where word = 'zyzzogeton' and audience = 'all'`),
    0,
  );
});

test('a block keeps either member out of the searches of the other, by every number and every suggestion', async () => {
  const [hopper, reader] = [await newMember(), await newMember()];
  const queries = [
    'brunhildegard',
    'brunh',
    'brunhildgard',
    'brunhildegard quux',
    'quux brunhildgard',
    'bru',
  ];
  const ask = (member: Member) => askedOf(member, queries, 'user');
  const unknown = await ask(reader);
  const rename = (firstName: string) =>
    admin.call(updateUser, { params: { userId: hopper.id }, body: { firstName, lastName: 'Quux' } });
  await rename('Brunhildegard');
  const known = await ask(reader);
  assert.deepEqual(
    known[0]?.found.results.map(({ id }) => id),
    [hopper.id],
  );
  assert.equal(known[2]?.found.corrected, 'brunhildegard');
  assert.deepEqual(known[1]?.suggested, ['Brunhildegard Quux']);
  const parts = [
    { by: hopper, params: { userId: reader.id } },
    { by: reader, params: { userId: hopper.id } },
  ];
  for (const { by, params } of parts) {
    await by.client.call(blockMember, { params });
    assert.deepEqual(await ask(reader), unknown);
    await by.client.call(unblockMember, { params });
    assert.deepEqual(await ask(reader), known);
  }
  assert.notDeepEqual(await ask(outsider), unknown, 'a block of others changes nothing');
});

test('words of a deleted post do not influence searches', async () => {
  // A member from whom no ban hides a room.
  const stranger = await newMember();
  for (const content of ['Wagnerite hallowtid', 'Wagnerita hallowtid']) await publish(content);
  const queries = ['wagnerite hallowtik', 'wagnerite hallowtike', 'hallowtik', 'hallowtik wagnerite'];
  const before = await askedOf(stranger, queries);
  const { data: secret } = await publish('Hallowtike');
  assert.notDeepEqual(await askedOf(stranger, queries), before);
  assert.equal((await outsider.client.call(deletePost, { params: { postId: secret.id } })).status, 200);
  assert.deepEqual(await askedOf(stranger, queries), before);
});

test('searches for content of private rooms are not suggested to others', async () => {
  const { data: room } = await owner.client.call(createChatroom, {
    body: {
      name: 'Vermilion syndicate',
      type: 'private',
    },
  });
  const insiders = await Promise.all(Array.from({ length: 6 }, () => newMember()));
  for (const { id } of insiders)
    await owner.client.call(addChatroomMember, { params: { chatroomId: room.id }, body: { userId: id } });
  const suggested = async (): Promise<string[]> =>
    (await outsider.client.call(suggestSearches, { query: { q: 'vermil' } })).data;
  for (const { client } of insiders) {
    const { data } = await client.call(search, { query: { q: 'vermilion syndicate' } });
    assert.equal(data.totalResults, 1);
  }
  assert.deepEqual(await suggested(), []);
  // Once there is something that everybody may find, each search for it counts, and each is taken back when forgotten.
  await publish('The vermilion syndicate in public');
  for (const { client } of insiders) await client.call(search, { query: { q: 'vermilion syndicate' } });
  assert.deepEqual(await suggested(), ['vermilion syndicate']);
  for (const { client } of insiders.slice(0, 2)) await client.call(clearSearchHistory);
  assert.deepEqual(await suggested(), []);
});
