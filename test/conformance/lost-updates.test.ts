import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCommunity,
  createIndicator,
  createLesson,
  createLivestream,
  createProduct,
  createTrade,
  createWebhookEndpoint,
  getAnnouncement,
  getCourse,
  getIndicator,
  getUser,
  likeAnnouncement,
  updateIndicator,
  updateProfile,
} from '../../sdk/src/index.ts';
import { changedMeanwhile } from '../../src/kernel/operations/lost-updates.ts';
import { announce } from '../support/announcements.ts';
import { describedOperations } from '../support/api-contract.ts';
import { newRoom } from '../support/chatrooms.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { descriptions, placeIn, type Reference } from '../support/descriptions.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid, assertRefused } from '../support/refused.ts';

// Of two who change the same record, the second learns that it is no longer as they read it.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember, clock } = platform;
const { owner, course, module, lessons } = await newCourse(platform, { lessons: 2 });
const ben = await newMember();
const lesson = `/v1/lessons/${lessons[0].id}`;

interface Record {
  method?: 'PATCH';
  path: string;
  /** Two states of the record that the same person can save, both other than the first. */
  bodies: [object, object];
}

const titles: Record['bodies'] = [{ title: 'One' }, { title: 'Two' }];
const names: Record['bodies'] = [{ name: 'One' }, { name: 'Two' }];
const inDays = (days: number) => new Date(clock.now() + days * 86_400_000).toISOString();
const quizOf = (text: string) => ({
  passingScore: 50,
  questions: [{ text, options: ['Yes', 'No'], correct: [0] }],
});

const RECORDS: { [operation: string]: () => Promise<Record> | Record } = {
  updateCourse: () => ({ path: `/v1/courses/${course.id}`, bodies: titles }),
  updateCourseModule: () => ({ path: `/v1/courses/${course.id}/modules/${module.id}`, bodies: titles }),
  updateLesson: () => ({ path: lesson, bodies: titles }),
  putQuiz: () => ({ path: `${lesson}/quiz`, bodies: [quizOf('Up?'), quizOf('Down?')] }),
  updateAnnouncement: async () => ({
    path: `/v1/educators/announcements/${(await announce(owner)).id}`,
    bodies: titles,
  }),
  updateEducatorProfile: () => ({
    method: 'PATCH',
    path: `/v1/educators/${owner.id}/profile`,
    bodies: [{ specialty: 'Futures' }, { specialty: 'Options' }],
  }),
  markEducator: () => ({
    path: `/v1/admin/educators/${owner.id}`,
    bodies: [{ isVerified: true }, { featured: true, isVerified: false }],
  }),
  updateUser: () => ({
    path: `/v1/admin/auth/users/${ben.id}`,
    bodies: [{ firstName: 'One' }, { firstName: 'Two' }],
  }),
  updateUserDeprecated: () => ({
    path: `/v1/admin/users/${ben.id}`,
    bodies: [{ lastName: 'One' }, { lastName: 'Two' }],
  }),
  updateCommunity: async () => ({
    path: `/v1/communities/${(await owner.client.call(createCommunity, { body: { name: 'Metals' } })).data.id}`,
    bodies: names,
  }),
  updateTrade: async () => {
    const draft = { symbol: 'ES', direction: 'long', entryPrice: 5000 } as const;
    const { id } = (await owner.client.call(createTrade, { body: draft })).data;
    return { path: `/v1/trades/${id}`, bodies: [{ note: 'One' }, { note: 'Two' }] };
  },
  updateChatroom: async () => ({ path: `/v1/chatrooms/${await newRoom(owner)}`, bodies: names }),
  updateLivestream: async () => {
    const body = { title: 'Live', scheduledStart: inDays(1), scheduledEnd: inDays(1.1) };
    const { id } = (await owner.client.call(createLivestream, { body })).data;
    return { path: `/v1/livestreams/${id}`, bodies: titles };
  },
  updateProduct: async () => {
    const { id } = (await admin.call(createProduct, { body: { name: 'A talk', productType: 'misc' } })).data;
    return { path: `/v1/streams/marketplace/products/${id}`, bodies: names };
  },
  updateIndicator: async () => ({
    path: `/v1/streams/scanners/${(await admin.call(createIndicator, { body: { name: 'Trend' } })).data.id}`,
    bodies: names,
  }),
  updateWebhookEndpoint: async () => {
    const body = { url: 'https://hooks.invalid/x' };
    return {
      method: 'PATCH',
      path: `/v1/webhook-endpoints/${(await admin.call(createWebhookEndpoint, { body })).data.id}`,
      bodies: [{ description: 'One' }, { description: 'Two' }],
    };
  },
};

test('every operation that takes expectedUpdatedAt is tested here, and declares its failure', () => {
  const { api } = descriptions();
  const resolved = <Value extends Reference>(one: Value): Value =>
    one.$ref === undefined ? one : (placeIn(api, one.$ref) as Value);
  const guarded = describedOperations().filter(({ is }) => {
    const body = is.requestBody?.content['application/json']?.schema;
    return body && 'expectedUpdatedAt' in (resolved(body).properties ?? {});
  });
  assert.deepEqual(guarded.map(({ id }) => id).sort(), Object.keys(RECORDS).sort());
  for (const { id, is } of guarded)
    assert.ok(JSON.stringify(resolved(is.responses['409'] ?? {})).includes(changedMeanwhile.code), id);
});

for (const [id, recordOf] of Object.entries(RECORDS))
  test(`${id} refuses a change of what somebody else has changed meanwhile`, async () => {
    const {
      method = 'PUT',
      path,
      bodies: [one, two],
    } = await recordOf();
    const attempt = (body: object, expectedUpdatedAt?: string) => {
      clock.advance(1_000);
      return admin.raw(method, path, { ...body, ...(expectedUpdatedAt && { expectedUpdatedAt }) });
    };
    const save = async (body: object, expected?: string) => {
      const answer = await attempt(body, expected);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.equal(answer.body.meta.ignored, undefined);
      return answer.body.data as { updatedAt: string };
    };
    const read = (await save(one)).updatedAt;
    const second = await save(two, read);
    assert.notEqual(second.updatedAt, read);
    assertRefused(await attempt(one, read), changedMeanwhile);
    assert.deepEqual(await save(two, read), second, 'what it is already is no change');
    assert.ok([400, 422].includes((await attempt(one, '2026-02-30T00:00:00Z')).status));
    await save(one, second.updatedAt);

    const { updatedAt } = await save(two);
    const third = { ...two, ...one };
    const [first, other] = await Promise.all([attempt(third, updatedAt), attempt(one, updatedAt)]);
    // What both save alike is saved once, and the second finds it done.
    assert.ok([first.status, other.status].includes(200));
    assertRefused(await attempt(two, updatedAt), changedMeanwhile);

    // Of another process, whose clock is behind.
    const before = (await save(two)).updatedAt;
    clock.step(-60_000);
    assert.ok((await save(one)).updatedAt > before, 'no two states have the same time');
    clock.step(60_000);
  });

test('of two who save differently at once, one succeeds', async () => {
  const { id, updatedAt } = (await admin.call(createIndicator, { body: { name: 'At once' } })).data;
  const answers = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map((name) =>
      admin.attempt(updateIndicator, { params: { id }, body: { name, expectedUpdatedAt: updatedAt } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
});

test('an instant is compared as the API shows it, whatever its zone', async () => {
  const { id } = (await admin.call(createIndicator, { body: { name: 'Exact' } })).data;
  const params = { id };
  await database.execute(
    `update indicators.indicator set updated_at = '2026-03-01T12:00:00.123987Z' where id = $1`,
    [id],
  );
  const { updatedAt } = (await admin.call(getIndicator, { params })).data;
  assert.equal(updatedAt, '2026-03-01T12:00:00.123Z');
  const saved = await admin.call(updateIndicator, {
    params,
    body: { name: 'Exacter', expectedUpdatedAt: '2026-03-01T13:00:00.123+01:00' },
  });
  assert.equal(saved.data.name, 'Exacter');
  assertInvalid(
    await admin.attempt(updateIndicator, { params, body: { name: 'X', expectedUpdatedAt: 'yesterday' } }),
  );
});

test('what a member’s app sends by itself does not move the time of the member', async () => {
  const read = async () => (await admin.call(getUser, { params: { userId: ben.id } })).data.updatedAt;
  const before = await read();
  clock.advance(1_000);
  await ben.client.call(updateProfile, { body: { timeZone: 'Europe/Berlin', locale: 'de' } });
  assert.equal(await read(), before);
  await ben.client.call(updateProfile, { body: { timeZone: 'Europe/Paris', bio: 'I trade' } });
  assert.ok((await read()) > before);
});

test('what is no edit of a record does not move its time', async () => {
  const educator = await newEducator(platform);
  const { course, module } = await newCourse(platform, { owner: educator });
  const { id: announcementId } = await announce(educator);
  const read = async () => [
    (await admin.call(getCourse, { params: { courseId: course.id } })).data.updatedAt,
    (await admin.call(getAnnouncement, { params: { announcementId } })).data.updatedAt,
    (await admin.call(getUser, { params: { userId: educator.id } })).data.updatedAt,
  ];
  const before = await read();
  clock.advance(1_000);
  const draft = { moduleId: module.id, title: 'One more', status: 'published', duration: 60 } as const;
  await educator.client.call(createLesson, { body: draft });
  await ben.client.call(likeAnnouncement, { params: { announcementId } });
  const mail = await platform.mailTo(educator.email, 'email.verification');
  const code = /\b\d{6}\b/.exec(mail.text)?.[0];
  const verified = await educator.client.raw('POST', '/v1/auth/verify-email', { code });
  assert.equal(verified.status, 200, JSON.stringify(verified.body));
  assert.deepEqual(await read(), before);
});
