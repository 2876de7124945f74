import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteUser,
  getEducator,
  getMember,
  getProfile,
  listAudit,
  presignProfilePicture,
  signIn,
  updateEducatorProfile,
  updateProfile,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { newEducator } from '../../../../test/support/courses.ts';
import { untilAvailable } from '../../../../test/support/holding.ts';
import { SAMPLES } from '../../../../test/support/pictures.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { tooManyProfileChanges, usernameTaken } from '../contract.ts';
import { PROFILE_CHANGES, tooManyUsernameChanges } from './profile.ts';

const platform = await startPlatform();
const { admin, client, clock, database } = platform;
const PICTURE = { fileName: 'me.png', fileSize: SAMPLES.png.length, contentType: 'image/png' } as const;

type Member = Awaited<ReturnType<typeof platform.newMember>>;

/** Returns the address of a picture that the member has uploaded. */
async function uploaded(by: Member): Promise<string> {
  const { data } = await by.client.call(presignProfilePicture, { body: PICTURE });
  const { headers } = data.instructions;
  const put = await fetch(data.uploadUrl, { method: 'PUT', headers, body: SAMPLES.png as never });
  assert.equal(put.status, 200);
  return data.publicUrl;
}

let names = 0;
const newName = (): string => {
  names += 1;
  return `ada.${Date.now().toString(36)}.${names}`;
};

test('a new profile has no picture, biography, time zone or locale', async () => {
  const ada = await platform.newMember();
  const { bio, avatar, timeZone, locale, id } = (await ada.client.call(getProfile)).data;
  assert.deepEqual(
    { id, bio, avatar, timeZone, locale },
    {
      id: ada.id,
      bio: null,
      avatar: null,
      timeZone: null,
      locale: null,
    },
  );
});

test('a change is returned and kept, fields that are left out keep their values, null clears', async () => {
  const ada = await platform.newMember();
  const changes = {
    firstName: ' Augusta ',
    lastName: 'King',
    username: newName(),
    bio: 'Wrote the first program.',
    avatar: 'https://cdn.example.com/ada.jpg',
    timeZone: 'Europe/London',
    locale: 'EN-gb',
  };
  const before = (await ada.client.call(getProfile)).data;
  const changed = await ada.client.call(updateProfile, { body: changes });
  const expected = { ...before, ...changes, firstName: 'Augusta', name: 'Augusta King', locale: 'en-GB' };
  assert.deepEqual({ ...changed.data, updatedAt: before.updatedAt }, expected);
  assert.deepEqual((await ada.client.call(getProfile)).data, changed.data);
  const other = await ada.client.call(updateProfile, { body: { lastName: 'Byron' } });
  assert.deepEqual(
    { ...other.data, updatedAt: before.updatedAt },
    { ...expected, lastName: 'Byron', name: 'Augusta Byron' },
  );
  const cleared = { bio: null, avatar: null, timeZone: null, locale: null };
  const { data } = await ada.client.call(updateProfile, { body: cleared });
  assert.deepEqual({ ...data, ...cleared }, data);
});

test('invalid names, usernames, addresses, time zones and languages are refused', async () => {
  const ada = await platform.newMember();
  for (const [field, value] of Object.entries({
    firstName: ' ',
    lastName: 'x'.repeat(101),
    username: 'Ada Lovelace',
    bio: 'x'.repeat(2001),
    avatar: 'javascript:alert(1)',
    timeZone: 'Europe/Atlantis',
    locale: 'english please',
  })) {
    const answer = await ada.client.attempt(updateProfile, { body: { [field]: value } });
    assertInvalid(answer, field);
    assert.deepEqual(
      answer.body.errors?.map((one: { field: string }) => one.field),
      [field],
    );
  }
});

test('picture and biography are the same in the educator profile and the own profile, whichever changes them', async () => {
  const ada = await newEducator(platform);
  const avatar = await uploaded(ada);
  await ada.client.call(updateProfile, { body: { avatar, bio: 'Since 1843' } });
  const { data: educator } = await ada.client.call(getEducator, { params: { educatorId: ada.id } });
  assert.deepEqual([educator.profileImage, educator.educator_bio], [avatar, 'Since 1843']);
  assert.equal((await ada.client.call(getMember, { params: { id: ada.id } })).data.avatar, avatar);
  await ada.client.call(updateEducatorProfile, {
    params: { educatorId: ada.id },
    body: { profileImage: null, educator_bio: 'Retired' },
  });
  const { data: own } = await ada.client.call(getProfile);
  assert.deepEqual([own.avatar, own.bio], [null, 'Retired']);
});

test('a picture that somebody else uploaded is refused', async () => {
  const [ada, eve] = await Promise.all([platform.newMember(), platform.newMember()]);
  const avatar = await uploaded(ada);
  for (const stolen of [{ avatar }, { bio: `See ${avatar}` }])
    assertInvalid(await eve.client.attempt(updateProfile, { body: stolen }), Object.keys(stolen)[0]);
  await ada.client.call(updateProfile, { body: { avatar } });
});

test('only images can be uploaded for a profile', async () => {
  const ada = await platform.newMember();
  const film = { fileName: 'me.mp4', fileSize: 1000, contentType: 'video/mp4' };
  assertInvalid(await ada.client.raw('POST', '/v1/user/uploads/presign', film));
});

test('a username belongs to one member, also when two ask for it at once', async () => {
  const [ada, grace] = await Promise.all([platform.newMember(), platform.newMember()]);
  const username = newName();
  const answers = await Promise.all(
    [ada, grace].map((member) =>
      untilAvailable(() => member.client.attempt(updateProfile, { body: { username } })),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assertRefused(answers.find(({ status }) => status === 409) as (typeof answers)[0], usernameTaken);
});

test('a member changes the username twice in 30 days; failures, repetitions and administrators do not count', async () => {
  const ada = await platform.newMember();
  const { username: taken } = (await admin.call(getProfile)).data;
  const rename = (username: string, by = ada.client) => by.attempt(updateProfile, { body: { username } });
  for (const username of [taken, taken, taken]) assertRefused(await rename(username), usernameTaken);
  const first = newName();
  for (const username of [first, first, first]) assert.equal((await rename(username)).status, 200);
  clock.advance(60_000);
  await admin.call(updateUser, { params: { userId: ada.id }, body: { username: newName() } });
  assert.equal((await rename(newName())).status, 200);
  const third = await rename(newName());
  assertRefused(third, () => tooManyUsernameChanges(1));
  const waitMs = Number(third.headers.get('retry-after')) * 1000;
  assert.ok(waitMs <= 30 * DAY_MS - 60_000 && waitMs > 29 * DAY_MS, String(waitMs));
  assert.equal(
    (await ada.client.call(updateProfile, { body: { firstName: 'Ada' } })).status,
    200,
    'other fields can change',
  );

  clock.advance(waitMs);
  const { data } = await client.call(signIn, {
    body: { email: ada.email, password: PASSWORD, platform: 'web' },
  });
  const later = client.as(data.accessToken);
  assert.equal((await rename(newName(), later)).status, 200, 'the first change has left the period');
  assertRefused(await rename(newName(), later), () => tooManyUsernameChanges(1));
  clock.advance(-waitMs - 60_000);
});

test('of many renamings at once only two succeed', async () => {
  const ada = await platform.newMember();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => {
      const body = { username: newName() };
      return untilAvailable(() => ada.client.attempt(updateProfile, { body }));
    }),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 200, 429, 429, 429, 429, 429, 429]);
});

test('a change is in the audit log; one that changes nothing is not', async () => {
  const ada = await platform.newMember();
  const { data } = await ada.client.call(updateProfile, {
    body: { username: newName(), timeZone: 'Asia/Tokyo' },
  });
  const { firstName, lastName, username, timeZone, bio } = data;
  const same = await ada.client.call(updateProfile, {
    body: { firstName, lastName, username, timeZone, bio },
  });
  assert.equal(same.data.updatedAt, data.updatedAt);
  assert.equal((await ada.client.call(updateProfile, { body: {} })).status, 200);
  const { data: entries } = await admin.call(listAudit, {
    query: { target: ada.id, action: 'user.profile-changed' },
  });
  assert.deepEqual(
    entries.map(({ actor, changes, details }) => [actor, changes.username?.[1], details]),
    [[ada.id, username, {}]],
  );
});

test('deleting an account erases the fields of its profile', async () => {
  const ada = await platform.newMember();
  const changes = { username: newName(), bio: 'Gone', timeZone: 'Asia/Tokyo', locale: 'ja' };
  await ada.client.call(updateProfile, { body: changes });
  await admin.call(deleteUser, { params: { userId: ada.id } });
  const row = await database.first(
    'select educator, time_zone, locale, username_changes from identity.user where id = $1',
    [ada.id],
  );
  assert.deepEqual(row, { educator: {}, timeZone: null, locale: null, usernameChanges: [] });
});

test('a member changes their profile sixty times an hour at most', async () => {
  const { client } = await platform.newMember();
  const change = (number: number) => client.attempt(updateProfile, { body: { bio: `Version ${number}` } });
  for (let number = 0; number < PROFILE_CHANGES.limit; number++)
    assert.equal((await change(number)).status, 200);
  assertRefused(await change(60), () => tooManyProfileChanges(3_600));
});
