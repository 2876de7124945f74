import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  addChatroomMember,
  assignPermissions,
  banChatMember,
  clearSearchHistory,
  createChatroom,
  createCommunity,
  createCourse,
  createPost,
  deleteChatroom,
  deleteCourse,
  deletePost,
  deleteUser,
  enrollInCourse,
  getChatroom,
  joinCommunity,
  listSearchHistory,
  removeChatroomMember,
  search as searchOperation,
  signUp as signUpOperation,
  suggestSearches,
  updateChatroom,
  updateCourse,
  updateUser,
} from '../../../sdk/src/index.ts';
import type { TypesOf } from '../../../sdk/src/operation.ts';
import type { Client, Loose } from '../../../test/support/client.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { banned } from '../chat/contract.ts';
import { courseNotReady } from '../education/failures.ts';

const platform = await startPlatform();
const { admin, database, newMember, client: guest } = platform;
type Member = Awaited<ReturnType<typeof newMember>>;

const [ada, ben] = [await newMember(), await newMember()] as [Member, Member];
let community: Loose;
before(async () => {
  community = (await admin.call(createCommunity, { body: { name: 'All' } })).data;
  for (const { client } of [ada, ben])
    await client.call(joinCommunity, { params: { communityId: community.id } });
});

const post = async (content: string, by: Member = ada) =>
  (await by.client.call(createPost, { params: { communityId: community.id }, body: { content } })).data;
const search = async (
  client: Client,
  q: string,
  more: Partial<TypesOf<typeof searchOperation>['query']> = {},
) => {
  const { status, data, body } = await client.call(searchOperation, { query: { ...more, q } });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.pagination.total, data.totalResults);
  return data;
};
const idsOf = ({ results }: Loose): string[] => results.map(({ id }: Loose) => id);
const suggest = async (client: Client, q: string): Promise<string[]> =>
  (await client.call(suggestSearches, { query: { q } })).data;

test('a new post is found by words, word forms and prefixes, ignoring accents and case', async () => {
  const one = await post('Przełęcz ŁÓDŹ: Fibonacci retracements on GOLD are <b>bold</b> & breakouts too.');
  for (const q of [
    'fibonacci',
    'FIBONACCI gold',
    'retracement',
    'retracem',
    'lodz',
    'Łódź',
    'przelecz fib',
    'breakout',
    'gold breakouts',
  ])
    assert.ok(idsOf(await search(ben.client, q)).includes(one.id), q);
  const { results } = await search(ben.client, 'gold');
  const found = results.find(({ id }) => id === one.id);
  assert.equal(found?.type, 'post');
  assert.equal(found?.url, `/posts/${one.id}`);
  assert.ok(found?.excerpt.includes('<mark>GOLD</mark>'), found?.excerpt);
  assert.ok(found?.excerpt.includes('&#60;b&#62;bold'), found?.excerpt);
  for (const q of ['gold silver', 'fibonacci & | !', "'); drop table", '((()))', '*', ':*', '\\', '%'])
    assert.equal((await ben.client.call(searchOperation, { query: { q } })).status, 200, q);
  await ada.client.call(deletePost, { params: { postId: one.id } });
  assert.equal((await search(ben.client, 'fibonacci')).totalResults, 0);
});

test('a limit above 100 is lowered to 100, and an invisible query is refused', async () => {
  for (let number = 0; number < 101; number++) await post(`Lowered ${number}`);
  const { body } = await ben.client.call(searchOperation, { query: { q: 'lowered', limit: 1000 } });
  assert.deepEqual([body.pagination.limit, body.data.results.length], [100, 100]);
  for (const q of [' ', '\u200b', '\u200b \u00ad', '\t\n']) {
    const { status, body } = await ben.client.attempt(searchOperation, { query: { q } });
    assert.deepEqual([status, body.errors?.[0]?.field], [422, 'q'], q);
  }
  assert.equal((await ben.client.call(searchOperation, { query: { q: '...' } })).status, 200);
});

/** Each with one mistake: a letter too few, too many, another, or two exchanged. */
const JUDGED: [string, string][] = [
  ['consolidation', 'consolidtion'],
  ['consolidation', 'consolidattion'],
  ['divergence', 'divergense'],
  ['divergence', 'divregence'],
  ['liquidity', 'liqudity'],
  ['liquidity', 'likuidity'],
  ['momentum', 'momemtum'],
  ['momentum', 'omentum'],
  ['resistance', 'resistence'],
  ['resistance', 'resitance'],
  ['candlestick', 'candelstick'],
  ['volatility', 'volatilty'],
  ['volatility', 'volatillity'],
  ['stochastic', 'stochasitc'],
  ['arbitrage', 'abritrage'],
  ['pivot', 'piovt'],
  ['short squeeze', 'short sqeeze'],
  ['head shoulders', 'haed shoulders'],
];

test('one typing mistake in each longer word is corrected and reported', async () => {
  const right = [...new Set(JUDGED.map(([title]) => title))];
  const posts = new Map<string, string>();
  for (const title of right) posts.set(title, (await post(`A word about ${title} in markets`)).id);
  const missed: string[] = [];
  for (const [title, mistaken] of JUDGED) {
    const found = await search(ben.client, mistaken);
    if (idsOf(found)[0] !== posts.get(title)) missed.push(mistaken);
    else assert.equal(found.corrected, title, mistaken);
  }
  assert.deepEqual(missed, []);
  assert.equal((await search(ben.client, 'pivot')).corrected, null);
  assert.equal((await search(ben.client, 'zzzzqqqq')).totalResults, 0);
});

test('results are ranked by exact title, title prefix, words in the title, and words anywhere', async () => {
  const owner = await newEducator(platform);
  const make = async (title: string, description: string) =>
    (await newCourse(platform, { owner, course: { title, description } })).course.id as string;
  const anywhere = await make('Another course', 'Teaches quantum scalping at length.');
  const inTitle = await make('Modern quantum and other scalping', 'Text.');
  const beginning = await make('Quantum scalping for experts', 'Text.');
  const exact = await make('Quantum Scalping', 'Text.');
  const { results } = await search(ben.client, 'quantum scalping', { type: 'course' });
  assert.deepEqual(
    results.map(({ id }) => id),
    [exact, beginning, inTitle, anywhere],
  );
  const scores = results.map(({ score }) => score);
  assert.deepEqual(
    scores,
    scores.toSorted((a: number, b: number) => b - a),
  );
  const second = await search(ben.client, 'quantum scalping', { type: 'course', page: 2, limit: 3 });
  assert.deepEqual(idsOf(second), [anywhere]);
  assert.equal(second.totalResults, 4);
});

test('results, counts, suggestions and corrections contain only what the member may see', async () => {
  const owner = await newEducator(platform);
  const student = await newMember();
  const insider = await newMember();
  const stranger = await newMember();
  const moderator = await newMember();
  await admin.call(assignPermissions, {
    params: { userId: moderator.id },
    body: { permissions: ['moderator'] },
  });
  const everyone = { owner, student, insider, stranger, moderator };

  const draft = (
    await owner.client.call(createCourse, { body: { title: 'Wolverine drafting', description: 'x' } })
  ).data;
  const { course } = await newCourse(platform, { owner, course: { title: 'Wolverine archiving' } });
  await student.client.call(enrollInCourse, { params: { courseId: course.id } });
  await owner.client.call(deleteCourse, { params: { courseId: course.id } });
  const room = async (name: string, type: 'private' | 'public' | 'group') =>
    (await owner.client.call(createChatroom, { body: { name, type } })).data;
  const secret = await room('Wolverine secrets', 'private');
  await owner.client.call(addChatroomMember, {
    params: { chatroomId: secret.id },
    body: { userId: insider.id },
  });
  const open = await room('Wolverine agora', 'public');
  await owner.client.call(banChatMember, { params: { chatroomId: open.id, userId: stranger.id } });

  const visible: Record<keyof typeof everyone, string[]> = {
    owner: [draft.id, course.id, secret.id, open.id],
    student: [course.id, open.id],
    insider: [secret.id, open.id],
    stranger: [],
    moderator: [secret.id, open.id],
  };
  assertRefused(await stranger.client.attempt(getChatroom, { params: { chatroomId: open.id } }), banned);
  const titles: Record<string, string> = {
    [draft.id]: 'Wolverine drafting',
    [course.id]: 'Wolverine archiving',
    [secret.id]: 'Wolverine secrets',
    [open.id]: 'Wolverine agora',
  };
  for (const [name, { client }] of Object.entries(everyone)) {
    const expected = visible[name as keyof typeof everyone].toSorted();
    for (const q of ['wolverine', 'wolverin', 'wolvrine']) {
      const found = await search(client, q);
      assert.deepEqual(idsOf(found).toSorted(), expected, `${name} ${q}`);
      assert.equal(found.totalResults, expected.length);
      if (expected.length === 0) assert.equal(found.corrected, null);
    }
    const known = expected.map((id) => titles[id] as string).toSorted();
    // What many members have searched for is suggested in lower case.
    const names = (await suggest(client, 'wolv')).filter((one) => one.startsWith('Wolv'));
    assert.deepEqual(names.toSorted(), known, name);
    assert.deepEqual((await suggest(client, 'w')).filter((one) => one.startsWith('Wolv')).toSorted(), known);
  }
  assert.equal(idsOf(await search(admin, 'wolverine')).length, 4);

  await owner.client.call(removeChatroomMember, { params: { chatroomId: secret.id, userId: insider.id } });
  assert.deepEqual(idsOf(await search(insider.client, 'wolverine secrets')), []);
  await owner.client.call(updateChatroom, { params: { chatroomId: open.id }, body: { type: 'private' } });
  assert.deepEqual(idsOf(await search(student.client, 'wolverine agora')), []);
  await owner.client.call(deleteChatroom, { params: { chatroomId: secret.id } });
  assert.deepEqual(idsOf(await search(owner.client, 'wolverine secrets')), []);
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

test('names that grow when normalized are stored and found', async () => {
  const owner = await newEducator(platform);
  // Each stands for a word of three to six letters of three bytes each.
  const letters = Array.from({ length: 200 }, () =>
    String.fromCodePoint(0x3300 + Math.floor(Math.random() * 0x58)),
  );
  const title = letters.join('');
  const { status, data } = await owner.client.call(createCourse, { body: { title, description: 'x' } });
  assert.equal(status, 201);
  assert.deepEqual(idsOf(await search(owner.client, letters.slice(0, 30).join(''))), [data.id]);
  assert.deepEqual(idsOf(await search(owner.client, title)), [data.id]);
  assert.equal(
    (
      await owner.client.call(updateCourse, {
        params: { courseId: data.id },
        body: { title: '\u{1F4B0}'.repeat(200) },
      })
    ).status,
    200,
  );
  const signs = (
    await owner.client.call(createCourse, {
      body: {
        title: '\u{20BB7}\u{20BB7} '.repeat(60).trim(),
        description: 'x',
      },
    })
  ).data;
  assert.ok(idsOf(await search(owner.client, '\u{20BB7}')).includes(signs.id));
});

test('a change that was rolled back is not searchable', async () => {
  const owner = await newEducator(platform);
  const { data } = await owner.client.call(createCourse, {
    body: { title: 'Marsupial draft', description: 'x' },
  });
  const refused = await owner.client.attempt(updateCourse, {
    params: { courseId: data.id },
    body: {
      title: 'Kangaroo published',
      status: 'published',
    },
  });
  assertRefused(refused, courseNotReady);
  assert.equal((await search(owner.client, 'kangaroo')).totalResults, 0);
  assert.equal((await search(owner.client, 'marsupial')).totalResults, 1);
});

test('the search history keeps the newest hundred queries, each once, and can be deleted', async () => {
  const { client } = await newMember();
  await post('history of platypus');
  await search(client, 'Platypus');
  await search(client, 'nothing at all');
  await search(client, 'plátypus ');
  const { data } = await client.call(listSearchHistory);
  assert.deepEqual(
    data.map(({ query, resultCount }) => [query, resultCount]),
    [
      ['plátypus', 1],
      ['nothing at all', 0],
    ],
  );
  for (let number = 0; number < 102; number++) await search(client, `query number ${number}`);
  const long = (await client.call(listSearchHistory)).data;
  assert.equal(long.length, 100);
  assert.equal(long[0]?.query, 'query number 101');
  assert.equal((await client.call(clearSearchHistory)).status, 200);
  assert.deepEqual((await client.call(listSearchHistory)).data, []);
  assert.equal((await ben.client.call(listSearchHistory)).data.length > 0, true);
});

test('a query is suggested while at least five members have it in their history', async () => {
  const five = await Promise.all(Array.from({ length: 5 }, () => newMember()));
  for (const [place, { client }] of five.entries()) {
    assert.deepEqual(await suggest(ben.client, 'axolo'), [], `after ${place}`);
    await search(client, 'axolotl trading');
    await search(client, 'axolotl trading');
  }
  assert.deepEqual(await suggest(ben.client, 'axolo'), ['axolotl trading']);
  await five[0]?.client.call(clearSearchHistory);
  assert.deepEqual(await suggest(ben.client, 'axolo'), []);
});

test('rebuilding the index repairs missing and stale documents and changes no others', async () => {
  const documents = () =>
    database.all<Loose>(
      `select type, id, title, body, audiences, has_name, title_words::text, words::text from search.document
       order by type, id`,
    );
  const one = await post('to be found again');
  const before = await documents();
  await database.execute('delete from search.document where id = $1', [one.id]);
  await database.execute(
    `insert into search.document select 'post', repeat('f', 24), title, body, title_key, audiences, has_name,
       prominence, created_at, title_words, words from search.document limit 1`,
  );
  await platform.platform.runJob('search.rebuild');
  assert.deepEqual(await documents(), before);
});

test('documents whose indexing an update changed are indexed again at the next start', async () => {
  await post('A post about zymurgistic matters');
  await database.execute('delete from search.deletion');
  await database.execute('delete from search.word');
  await database.execute(`insert into search.word (word) values ('zymurgistic')`);
  await platform.platform.runJob('search.catch-up');
  assert.equal((await search(ben.client, 'zymurgstic')).totalResults, 0);
  await database.execute('insert into search.outdated default values');
  await platform.platform.runJob('search.catch-up');
  const found = await search(ben.client, 'zymurgstic');
  assert.deepEqual([found.totalResults, found.corrected], [1, 'zymurgistic']);
  assert.equal(await database.count(`select count(*) from search.word where audience = ''`), 0);
  assert.equal(await database.count('select count(*) from search.outdated'), 0);
});

test('words that no document has any longer are deleted by the rebuild of the night', async () => {
  const { id } = await post('A post about xylographic matters');
  const words = (word: string) => database.count('select count(*) from search.word where word = $1', [word]);
  const forms = () => database.count(`select count(*) from search.deletion where word = 'xylographic'`);
  assert.equal(await words('xylographic'), 1);
  assert.equal((await ada.client.call(deletePost, { params: { postId: id } })).status, 200);
  await platform.platform.runJob('search.rebuild');
  assert.deepEqual([await words('xylographic'), await forms()], [0, 0]);
  assert.equal(await words('zymurgistic'), 1);
});

test('deleting a member removes their search history', async () => {
  const { client, id } = await newMember();
  await search(client, 'my private matter');
  await admin.call(deleteUser, { params: { userId: id } });
  await until(
    async () => (await database.count('select count(*) from search.history where user_id = $1', [id])) === 0,
    'the erasure',
  );
});
