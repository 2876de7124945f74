import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getChatroom, listNotifications, trackEvents, transferKeys } from '../../sdk/src/index.ts';
import type { Envelope } from '../support/answer.ts';
import { describedOperations } from '../support/api-contract.ts';
import { MAIL_LINKS } from '../support/mail-links.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await platform.newMemberWith(100);
const ben = await platform.newMember();

/** Operations that people open as links, to which mail programs and advertisers add parameters. */
const LINKS = ['signInSsoByLink', ...MAIL_LINKS];

const faultsOf = ({ errors = [] }: Envelope): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

test('a parameter that an operation does not know is 422, together with every other fault', async () => {
  const client = ada.client;
  const two = await client.raw('GET', '/v1/notifications?limt=5&read=perhaps');
  assert.equal(two.status, 422);
  assert.deepEqual(faultsOf(two.body).sort(), ['limt: Unknown parameter', 'read: must be boolean']);
  for (const [method, path] of [
    ['GET', '/v1/wallets/balance?zzz=1'],
    ['GET', '/v1/notifications/unread-count?zzz=1'],
    ['GET', '/v1/search?q=gold&zzz='],
    ['PUT', '/v1/notifications/read-all?zzz=1&zzz=2'],
  ] as const) {
    const { status, body } = await client.raw(method, path);
    assert.deepEqual([path, status, faultsOf(body)], [path, 422, ['zzz: Unknown parameter']]);
  }
  assert.equal((await client.call(listNotifications, { query: { limit: 5 } })).status, 200);
});

test('a parameter that is sent twice is called so, and not of the wrong type', async () => {
  const { status, body } = await ada.client.raw('GET', '/v1/notifications?limit=5&limit=6&read=perhaps');
  assert.equal(status, 422);
  assert.deepEqual(faultsOf(body).sort(), ['limit: must be sent once', 'read: must be boolean']);
  const text = await ada.client.raw('GET', '/v1/search?q=gold&q=oil');
  assert.deepEqual([text.status, faultsOf(text.body)], [422, ['q: must be sent once']]);
});

test('missing records and missing rights take precedence over unknown parameters', async () => {
  assert.equal(
    (await ada.client.attempt(getChatroom, { params: { chatroomId: 'nonsense' }, query: { zzz: '1' } }))
      .status,
    400,
  );
  assert.equal(
    (await ada.client.raw('GET', `/v1/educators/${'f'.repeat(24)}/announcements?zzz=1`)).status,
    404,
  );
  assert.equal((await ada.client.raw('GET', '/v1/wallets/all?zzz=1')).status, 403);
});

test('every operation but links refuses an unknown parameter, and none accepts it', async () => {
  const accepting: string[] = [];
  for (const { id, method, path } of describedOperations()) {
    const concrete = path.replaceAll(/\{\w+\}/g, ada.id);
    const { status, body } = await admin.raw(method, `${concrete}?zzz=1`, method === 'GET' ? undefined : {});
    if (status < 400) accepting.push(id);
    else if (status === 422 && !LINKS.includes(id)) {
      assert.ok(
        ['q', 'zzz'].some((name) => JSON.stringify(body.errors).includes(name)),
        `${id}: ${body.message}`,
      );
    }
    if (LINKS.includes(id)) assert.ok(!JSON.stringify(body).includes('Unknown parameter'), id);
  }
  assert.deepEqual(accepting, []);
});

test('null for an optional field is absence, and not named as ignored; for an unknown field it is', async () => {
  const before = (await ada.client.raw('GET', '/v1/user/profile')).data;
  const profile = await ada.client.raw('PATCH', '/v1/user/profile', {
    firstName: null,
    bio: null,
    nick: null,
  });
  assert.deepEqual([profile.status, profile.body.meta.ignored], [200, ['nick']]);
  assert.deepEqual(profile.data, before);
  const course = { title: 'Gold', description: null, tags: null, trailerUrl: null };
  const made = await admin.raw('POST', '/v1/courses', course);
  assert.deepEqual([made.status, made.body.meta.ignored], [201, undefined]);
  const product = {
    name: 'A talk',
    productType: 'misc',
    requestFields: [{ label: 'Why?', type: null, x: null }],
  };
  const nested = await admin.raw('POST', '/v1/streams/marketplace/products', product);
  assert.deepEqual([nested.status, nested.body.meta.ignored], [201, ['requestFields.0.x']]);
});

test('fields of a body that an operation does not know are ignored and named', async () => {
  const transfer = (more: object) =>
    ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1, ...more } });
  const named = await transfer({ note: 'Hi', metadata: { gift: true, any: 1 } });
  assert.deepEqual([named.status, named.body.meta.ignored], [201, ['note']]);
  assert.ok(!('ignored' in (await transfer({})).body.meta));
  const withoutBody = await ada.client.raw('POST', '/v1/wallets', { amount: 1 });
  assert.deepEqual([withoutBody.status, withoutBody.body.meta.ignored], [200, ['amount']]);
  const cut = await transfer({ [`x${'😀'.repeat(200)}`]: 1 });
  assert.deepEqual(cut.body.meta.ignored, [`x${'😀'.repeat(99)}\ufffd`]);
  const events = Array.from({ length: 30 }, () => ({
    eventName: 'page.view',
    eventType: 'navigation',
    when: 1,
  }));
  const tracked = await ada.client.call(trackEvents, { body: { events, ['x'.repeat(500)]: 1 } });
  assert.equal(tracked.status, 202);
  assert.deepEqual(
    tracked.body.meta.ignored,
    Array.from({ length: 20 }, (_, index) => `events.${index}.when`),
  );
});
