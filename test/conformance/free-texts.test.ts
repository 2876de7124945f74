// A text that people read is visible, and one that may be left out or empty is visible or empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom, createCourse, updateProfile } from '../../sdk/src/index.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid } from '../support/refused.ts';

const platform = await startPlatform();

/**
 * Fields whose texts nobody reads as such: secrets and what programs make, words that are compared with stored ones, and addresses,
 * which are checked by what is done with them.
 */
const NOT_READ =
  /\.(password|currentPassword|newPassword|token|refreshToken|code|mfaCode|p256dh|auth|email|search|List-Unsubscribe|chartingId)$/;
const PROGRAMS =
  /\.(transports\[\]|authenticatorAttachment|secret|currency|key|device|deviceId|customerId|accessToken|fileName|fileKey|clientMessageId|chartingUsername|url|types\[\]|metadata\.\w+Id)$/;

type Shape = Record<string, unknown> & {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
};

/** The texts that a body takes of which nothing is asked but lengths. */
function anyTexts(shape: Shape, place: string): string[] {
  const { type, properties = {}, items, anyOf = [] } = shape;
  const isChecked = ['format', 'pattern', 'enum', 'const'].some((name) => name in shape);
  return [
    ...(type === 'string' && !isChecked ? [place] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => anyTexts(inner, `${place}.${name}`)),
    ...anyOf.flatMap((inner) => anyTexts(inner, place)),
    ...(items ? anyTexts(items, `${place}[]`) : []),
  ];
}

test('every text that a body takes for people to read is visible, or empty', () => {
  const found = platform.platform.operations.flatMap(({ id, body }) => anyTexts((body ?? {}) as Shape, id));
  assert.deepEqual(
    found.filter((field) => !NOT_READ.test(field) && !PROGRAMS.test(field)),
    [],
  );
});

test('texts of spaces and invisible characters are refused where an empty one is accepted', async () => {
  const [ada, host] = [await platform.newMember(), await newEducator(platform)];
  const room = { name: 'Gold', type: 'private' as const };
  for (const blank of [' ', '\u200b', ' \u2060\n']) {
    assertInvalid(await ada.client.attempt(createChatroom, { body: { ...room, description: blank } }));
    assertInvalid(await ada.client.attempt(updateProfile, { body: { bio: blank } }));
    assertInvalid(await host.client.attempt(createCourse, { body: { title: 'Gold', description: blank } }));
  }
  assert.equal(
    (await ada.client.attempt(createChatroom, { body: { ...room, description: '' } })).status,
    201,
  );
  assert.equal((await ada.client.attempt(updateProfile, { body: { bio: '' } })).status, 200);
});

/** What every member may read once it is accepted, and what administrators read of members and their Keys in any case. */
const PUBLISHED =
  /^(create|update)(Livestream|Course|CourseModule|Lesson|Community|Post|Comment|Trade|Announcement|AnnouncementComment)\.|^(putQuiz|rateCourse)\.|^trackEvents?\./;
const READ_BY_ADMINISTRATORS =
  /^(signUp|updateProfile|updateEducatorProfile|addPasskey|renamePasskey|registerDevice|transferKeys|withdrawKeys|tipEducator|submitAccessRequest)\.|^(signIn|signInByPasskey|signInSso)\.device$/;

/** The texts of a body that people write, and that the reports of refused requests repeat. */
function repeatedTexts(shape: Shape, place: string): string[] {
  const { format, isPrivate, properties = {}, items, anyOf = [] } = shape;
  if (isPrivate) return [];
  return [
    ...(['visible', 'visible-or-empty', 'name'].includes(String(format)) ? [place] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => repeatedTexts(inner, `${place}.${name}`)),
    ...anyOf.flatMap((inner) => repeatedTexts(inner, place)),
    ...(items ? repeatedTexts(items, `${place}[]`) : []),
  ];
}

test('what members write for some alone is confidential, so that reports of refused requests do not repeat it', () => {
  const OPERATORS = new Set(['administrator', 'moderator', 'operator', 'service', 'backoffice', 'provider']);
  const ofMembers = platform.platform.operations.filter(
    ({ access: { audience } }) => !audience.every((one) => OPERATORS.has(one)),
  );
  const repeated = ofMembers.flatMap(({ id, body, reasonIsExtra }) =>
    repeatedTexts((body ?? {}) as Shape, id).filter((text) => !(reasonIsExtra && text === `${id}.reason`)),
  );
  assert.deepEqual(
    repeated.filter((text) => !PUBLISHED.test(text) && !READ_BY_ADMINISTRATORS.test(text)),
    [],
  );
});
