import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrollInCourse,
  getEducator,
  listEducators,
  listFeaturedEducators,
  markEducator,
  presignEducatorUpload,
  rateCourse,
  updateEducatorProfile,
  updateUser,
  type wire,
} from '../../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../../test/support/courses.ts';
import { SAMPLES } from '../../../../test/support/pictures.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions, invalidId } from '../../../kernel/failures.ts';
import { notEducator, usernameTaken } from '../../identity/contract.ts';
import { educatorNotFound } from '../contract.ts';
import { bioTooLong, noProfileFields } from './profiles.model.ts';

const platform = await startPlatform();
const { admin } = platform;
const [ada, eve] = [await newEducator(platform), await newEducator(platform)];
const ben = await platform.newMember();

const profileOf = async ({ id }: Member): Promise<wire.Educator> =>
  (await ben.client.call(getEducator, { params: { educatorId: id } })).data;
const change = (
  { client }: Pick<Member, 'client'>,
  body: wire.UpdateEducatorProfileBody,
  educatorId = ada.id,
) => client.attempt(updateEducatorProfile, { params: { educatorId }, body });

const FIELDS = {
  educator_title: 'Head of Futures',
  educator_bio: 'ü'.repeat(2000),
  specialty: 'Futures',
  skills: ['Risk'],
  socials: { website: 'https://ada.example.com' },
  firstName: 'Ada',
  lastName: 'Lovelace',
  banner_image: 'https://cdn.example.com/banner.png',
};

test('a profile is changed by its educator and by administrators, field by field', async () => {
  assert.equal((await change(ada, FIELDS)).status, 200);
  const seen = await profileOf(ada);
  const { educator_title, educator_bio, specialty, skills, socials, firstName, lastName, banner_image } =
    seen;
  assert.deepEqual(
    { educator_title, educator_bio, specialty, skills, socials, firstName, lastName, banner_image },
    FIELDS,
  );
  assert.equal((await change({ client: admin }, { socials: {} })).status, 200);
  const after = await profileOf(ada);
  assert.deepEqual([after.socials, after.specialty], [{}, 'Futures']);
});

test('a profile is not changed by others', async () => {
  assertRefused(await change(eve, FIELDS), insufficientPermissions);
  assertRefused(await change(ben, FIELDS), notEducator);
  assertRefused(await change({ client: admin }, FIELDS, 'f'.repeat(24)), educatorNotFound);
});

test('an educator cannot verify themselves or change their permissions', async () => {
  const path = `/v1/educators/${ada.id}/profile`;
  const marks = { specialty: 'Options', isVerified: true, permissions: ['admin'] };
  assert.equal((await ada.client.raw('PATCH', path, marks)).status, 200);
  const { specialty, isVerified, permissions, email } = await profileOf(ada);
  assert.deepEqual([specialty, isVerified, permissions, email], ['Options', false, ['educator'], ada.email]);
  for (const nothing of [{}, { isVerified: true }, [], { expectedUpdatedAt: '2020-01-01' }, { reason: 'x' }])
    assertRefused(await ada.client.raw('PATCH', path, nothing), noProfileFields);
});

test('unknown fields and wrong types are refused in a profile', async () => {
  const path = `/v1/educators/${ada.id}/profile`;
  for (const body of [{ educator_bio: 5 }, { profileImage: 'javascript:alert(1)' }]) {
    const refused = await ada.client.raw('PATCH', path, body);
    assertRefused(refused, noProfileFields);
    assert.deepEqual(
      refused.body.errors?.map(({ field }) => field),
      Object.keys(body),
    );
  }
  assertRefused(await change(ada, { educator_bio: 'x'.repeat(2001) }), bioTooLong);
});

test('what is wrong with the social networks of a profile is 422, alone and beside other faults', async () => {
  const path = `/v1/educators/${ada.id}/profile`;
  const unknown = { socials: { myspace: 'https://x.example' } };
  for (const [body, fields] of [
    [unknown, ['socials']],
    [{ ...unknown, specialty: 'Bonds' }, ['socials']],
    [{ ...unknown, skills: 'Risk' }, ['skills', 'socials']],
    [{ socials: { website: 'javascript:alert(1)' } }, ['socials.website']],
    [{ socials: 'https://x.example' }, ['socials']],
  ] as const) {
    const { status, body: refused } = await ada.client.raw('PATCH', path, body);
    assert.deepEqual(
      [status, refused.error, refused.message],
      [422, 'VALIDATION_FAILED', 'Validation failed'],
    );
    assert.deepEqual(refused.errors?.map(({ field }) => field).sort(), fields);
  }
  assert.notEqual((await profileOf(ada)).specialty, 'Bonds');
});

const UPLOAD = { fileName: 'me.png', fileSize: 10, contentType: 'image/png' as const };

test('a picture is uploaded, and must be of the educator who saves it', async () => {
  const { status, data } = await ada.client.call(presignEducatorUpload, {
    params: { educatorId: ada.id },
    body: { ...UPLOAD, fileSize: SAMPLES.png.length },
  });
  assert.equal(status, 201);
  const { method, headers } = data.instructions;
  const sent = await fetch(data.uploadUrl, { method, headers, body: new Uint8Array(SAMPLES.png) });
  assert.equal(sent.status, 200);
  const picture = { profileImage: data.publicUrl };
  assert.equal((await change(ada, picture)).data?.profileImage, data.publicUrl);
  assertInvalid(await change(eve, picture, eve.id));
  assert.equal((await fetch(data.publicUrl)).headers.get('content-type'), 'image/png');
});

test('an upload of an educator is a picture of at most 10 MiB, for themselves', async () => {
  const path = `/v1/educators/${ada.id}/uploads/presign`;
  for (const wrong of [{ contentType: 'image/svg+xml' }, { fileSize: 11 * 1024 ** 2 }])
    assertInvalid(await ada.client.raw('POST', path, { ...UPLOAD, ...wrong }), JSON.stringify(wrong));
  const hers = { params: { educatorId: ada.id }, body: UPLOAD };
  assertRefused(await eve.client.attempt(presignEducatorUpload, hers), insufficientPermissions);
});

test('administrators verify, feature and rename educators', async () => {
  const marks = {
    isVerified: true,
    featured: true,
    rankBadgeUrl: 'https://cdn.example.com/gold.png',
    username: 'eve.trades',
  };
  const { data } = await admin.call(markEducator, { params: { educatorId: eve.id }, body: marks });
  const { isVerified, featured, rankBadgeUrl, username } = data;
  assert.deepEqual({ isVerified, featured, rankBadgeUrl, username }, marks);
  const listed = (await ben.client.call(listFeaturedEducators, { query: { limit: 99 } })).data;
  assert.deepEqual(
    listed.map(({ id }) => id),
    [eve.id],
  );
  const { data: others } = await ben.client.call(listEducators, { query: { featured: false } });
  assert.equal(others[0]?.id, ada.id);
  const taken = await admin.attempt(markEducator, {
    params: { educatorId: ada.id },
    body: { username: 'eve.trades' },
  });
  assertRefused(taken, usernameTaken);
});

test('changed names are stored without the spaces around them', async () => {
  await change(ada, { firstName: ' Ada ' });
  await admin.call(updateUser, { params: { userId: ada.id }, body: { lastName: '\tLovelace ' } });
  const { firstName, lastName, name } = await profileOf(ada);
  assert.deepEqual([firstName, lastName, name], ['Ada', 'Lovelace', 'Ada Lovelace']);
});

test('the list is searched by name and username, typing mistakes and accents forgiven', async () => {
  const found = async (search: string): Promise<string[]> =>
    (await ben.client.call(listEducators, { query: { search } })).data.map(({ id }) => id);
  await change(ada, { firstName: 'Ada', lastName: 'Lovelace' });
  await change(eve, { firstName: 'Éva', lastName: 'Kovács' }, eve.id);
  await admin.call(markEducator, { params: { educatorId: eve.id }, body: { username: 'eve.trades' } });
  for (const search of ['Lovelace', 'lovelase', 'Lovlace', 'ADA', 'love'])
    assert.equal((await found(search))[0], ada.id, search);
  for (const search of ['eva kovacs', 'Kovács', 'kovaks', 'eve.trades'])
    assert.equal((await found(search))[0], eve.id, search);
  assert.deepEqual(await found('zzzzqqq'), []);
  assert.deepEqual(await found('100%_\\'), []);
});

test('a page of educators has at most 50', async () => {
  const { body } = await ben.client.call(listEducators, { query: { limit: 1000 } });
  assert.deepEqual([body.pagination.limit, body.pagination.total], [50, 2]);
});

test('the profile shows courses and their ratings', async () => {
  const { course } = await newCourse(platform, { owner: eve });
  const params = { courseId: course.id };
  await ben.client.call(enrollInCourse, { params });
  await ben.client.call(rateCourse, { params, body: { rating: 4 } });
  const { courseCount, rating } = await profileOf(eve);
  assert.deepEqual([courseCount, rating], [1, 4]);
  await newCourse(platform, { owner: eve });
  assert.equal((await profileOf(eve)).courseCount, 2);
});

test('on the routes of an owner a malformed id is 400 before the permission is asked for, and after the credentials', async () => {
  for (const [method, path, thing] of [
    ['PATCH', '/v1/educators/x/profile', 'educator'],
    ['GET', '/v1/educators/x/tips', 'educator'],
    ['POST', '/v1/educators/x/announcements', 'educator'],
    ['DELETE', '/v1/educators/stories/x', 'story'],
    ['PUT', '/v1/courses/x', 'course'],
    ['PUT', '/v1/livestreams/x', 'livestream'],
  ] as const) {
    assertRefused(await ben.client.raw(method, path, {}), invalidId(thing));
    assertRefused(await ben.client.raw(method, path.replace('x', 'f'.repeat(24)), {}), notEducator);
    const { status } = await platform.client.raw(method, path, {});
    assert.equal(status, 401, path);
  }
});
