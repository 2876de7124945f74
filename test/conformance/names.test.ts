// Names and titles stand beside other texts, which they must not turn around.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createChatroom,
  createCommunity,
  createUser,
  signUp,
  updateProfile,
  updateUser,
} from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';
import { assertInvalid } from '../support/refused.ts';

const platform = await startPlatform();
const { admin, client } = platform;

const NAMES = new Set(['firstName', 'lastName', 'fullName', 'name', 'title']);
/** Names that only administrators see, or only the member, and what services write, whose libraries isolate names. */
const NOT_CHECKED = /^(createApiKey|updateApiKey|registerDevice)\.name$|[nN]otification.*\.title$/;

type Shape = {
  type?: string;
  format?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
};

/** The names and titles that a body takes, with their formats. */
function namesIn({ properties = {}, items, anyOf = [] }: Shape): [string, string | undefined][] {
  const own = Object.entries(properties).filter(([name, { type }]) => NAMES.has(name) && type === 'string');
  const inner = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])];
  return [
    ...own.map(([name, { format }]): [string, string | undefined] => [name, format]),
    ...inner.flatMap(namesIn),
  ];
}

test('every name and title that a body takes is checked as one', () => {
  const found = platform.platform.operations.flatMap(({ id, body }) =>
    namesIn((body ?? {}) as Shape).map(([name, format]) => [`${id}.${name}`, format] as const),
  );
  assert.ok(found.length > 20);
  const others = found.filter(([, format]) => format !== 'name').map(([field]) => field);
  assert.deepEqual(
    others.filter((field) => !NOT_CHECKED.test(field)),
    [],
  );
});

test('names that turn the line around are refused', async () => {
  const ada = await platform.newMember();
  for (const turning of ['\u202emoc.knab', 'Ada\u202d', '\u2067Ada\u2069']) {
    const person = { email: newEmail(), firstName: turning, lastName: 'L' };
    for (const answer of [
      await client.attempt(signUp, { body: { ...person, password: PASSWORD, platform: 'web' } }),
      await admin.attempt(createUser, { body: person }),
      await admin.attempt(updateUser, { params: { userId: ada.id }, body: { lastName: turning } }),
      await ada.client.attempt(updateProfile, { body: { firstName: turning } }),
      await ada.client.attempt(createChatroom, { body: { name: turning, type: 'public' } }),
      await admin.attempt(createCommunity, { body: { name: turning } }),
    ])
      assertInvalid(answer);
  }
  const { data } = await ada.client.call(updateProfile, { body: { firstName: 'عدا', lastName: 'עדה' } });
  assert.deepEqual([data.firstName, data.lastName], ['عدا', 'עדה']);
});
