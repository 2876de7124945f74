// A search finds exactly the announcements that members may read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createAnnouncement,
  deleteAnnouncement,
  deleteUser,
  listAnnouncementComments,
  listAnnouncements,
  search as searchOperation,
  suggestSearches,
  unassignPermissions,
  updateAnnouncement,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database } = platform;
const reader = await platform.newMember();

type Member = Awaited<ReturnType<typeof newEducator>>;

const announce = async (educator: Member, title: string, content = 'Text.') => {
  const { status, data } = await educator.client.call(createAnnouncement, {
    params: { educatorId: educator.id },
    body: {
      title,
      content,
      tags: ['tagged'],
    },
  });
  assert.equal(status, 201);
  return data;
};
const search = async (q: string) => {
  const { status, data } = await reader.client.call(searchOperation, { query: { q, type: 'announcement' } });
  assert.equal(status, 200);
  return data;
};
const idsOf = async (q: string): Promise<string[]> => (await search(q)).results.map(({ id }) => id);
/** Everything that the search reveals about a word: results, counts, corrections and completions. */
const learnedOf = async (word: string): Promise<unknown[]> => {
  const typo = word.slice(0, -1);
  return [
    (await reader.client.call(searchOperation, { query: { q: word } })).data,
    (await reader.client.call(searchOperation, { query: { q: typo } })).data,
    (await reader.client.call(searchOperation, { query: { q: `${typo}q` } })).data,
    (await reader.client.call(suggestSearches, { query: { q: word.slice(0, 5) } })).data,
  ];
};

test('an announcement is found by its title, its text and its tags as soon as it is published', async () => {
  const educator = await newEducator(platform);
  const { id } = await announce(educator, 'Platinum outlook', 'Beryllium moves sideways.');
  for (const q of ['platinum', 'beryllium', 'platinum tagged']) assert.deepEqual(await idsOf(q), [id], q);
  const [found] = (await search('beryllium')).results;
  assert.deepEqual(
    [found?.type, found?.url, found?.title],
    ['announcement', `/announcements/${id}`, 'Platinum outlook'],
  );
});

test('a changed announcement is found by its new words only, and a deleted one not at all', async () => {
  const educator = await newEducator(platform);
  const { id } = await announce(educator, 'Osmium forecast');
  await educator.client.call(updateAnnouncement, {
    params: { announcementId: id },
    body: { title: 'Iridium forecast' },
  });
  assert.deepEqual(await idsOf('osmium'), []);
  assert.deepEqual(await idsOf('iridium'), [id]);
  await educator.client.call(deleteAnnouncement, { params: { announcementId: id } });
  assert.deepEqual(await idsOf('iridium'), []);
});

const HIDDEN: [string, (educator: Member) => Promise<{ status: number }>][] = [
  [
    'deactivated',
    ({ id }) => admin.attempt(updateUser, { params: { userId: id }, body: { isActive: false } }),
  ],
  [
    'demoted',
    ({ id }) =>
      admin.attempt(unassignPermissions, { params: { userId: id }, body: { permissions: ['educator'] } }),
  ],
  ['deleted', ({ id }) => admin.attempt(deleteUser, { params: { userId: id } })],
];
for (const [place, [how, hide]] of HIDDEN.entries())
  test(`nothing can be learned of the announcements of an educator who was ${how}`, async () => {
    const word = ['rhodochrosite', 'tourmaline', 'labradorite'][place] as string;
    const before = await learnedOf(word);
    const educator = await newEducator(platform);
    // More than are indexed at once.
    const one = await announce(educator, `${word} in the title`, word);
    for (let number = 0; number < 250; number++)
      await database.execute(
        `insert into educators.announcement
         select lpad(lpad(to_hex($2::integer), 4, '0'), 24, '${place + 1}'), educator_id, title, content, category, priority, pinned, tags, multimedia,
           likes, comments, created_at, updated_at from educators.announcement where id = $1`,
        [one.id, number],
      );
    await platform.platform.runJob('search.rebuild');
    assert.equal((await search(word)).totalResults, 251);
    assert.ok((await hide(educator)).status < 300);
    assert.equal(
      (await reader.client.attempt(listAnnouncementComments, { params: { announcementId: one.id } })).status,
      404,
    );
    assert.deepEqual(await learnedOf(word), before);
  });

const activate = ({ id }: Member, isActive: boolean) =>
  admin.attempt(updateUser, { params: { userId: id }, body: { isActive } });
const untilFound = (q: string, ids: string[]): Promise<void> =>
  until(async () => (await idsOf(q)).toSorted().join() === ids.toSorted().join(), `finding of ${q}`);

test('the announcements of an educator who becomes visible again are found again', async () => {
  const educator = await newEducator(platform);
  const { id } = await announce(educator, 'Tellurium returns');
  await activate(educator, false);
  assert.deepEqual(await idsOf('tellurium'), []);
  await activate(educator, true);
  await untilFound('tellurium', [id]);
});

test('showing an educator again does not wait until the announcements have been indexed', async () => {
  const educator = await newEducator(platform);
  const { id } = await announce(educator, 'Scandium returns');
  await activate(educator, false);
  const answer = await holding(database, async (tx) => {
    // A concurrent write of the document now waits for this transaction.
    await tx.execute(
      `insert into search.document
         (type, id, title, body, title_key, audiences, has_name, prominence, created_at, title_words, words)
       values ('announcement', $1, '', '', '', '{}', false, 0, now(), '', '')`,
      [id],
    );
    return activate(educator, true);
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await untilFound('scandium', [id]);
});

test('an announcement deleted while its educator is shown again is not found afterwards', async () => {
  for (const word of ['europium', 'terbium', 'holmium']) {
    const educator = await newEducator(platform);
    const kept = await announce(educator, word);
    const deleted = await announce(educator, word);
    const permission = { params: { userId: educator.id }, body: { permissions: ['educator' as const] } };
    await admin.call(unassignPermissions, permission);
    await admin.call(assignPermissions, permission);
    assert.equal(
      (await educator.client.call(deleteAnnouncement, { params: { announcementId: deleted.id } })).status,
      200,
    );
    await untilFound(word, [kept.id]);
  }
});

test('an announcement published while its educator is being hidden is not found afterwards', async () => {
  for (const word of ['gadolinium', 'dysprosium', 'praseodymium', 'ytterbium', 'lutetium']) {
    const educator = await newEducator(platform);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () =>
        educator.client.attempt(createAnnouncement, {
          params: { educatorId: educator.id },
          body: { title: word, content: 'x' },
        }),
      ),
      untilAvailable(() =>
        admin.attempt(updateUser, { params: { userId: educator.id }, body: { isActive: false } }),
      ),
    ]);
    assert.equal(answers.at(-1)?.status, 200, JSON.stringify(answers.at(-1)?.body));
    assert.deepEqual(await idsOf(word), []);
    await activate(educator, true);
    const listed = await reader.client.call(listAnnouncements, { params: { educatorId: educator.id } });
    await untilFound(
      word,
      listed.data.map(({ id }) => id),
    );
  }
});
