import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Client,
  createClient,
  endSessionsOfUser,
  isPlatformError,
  memoryStorage,
  recordPurchase,
  replacePermissions,
  updateUser,
} from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { key: apiKey } = await platform.newKey('admin');
const options = { apiKey, baseUrl: platform.url };
const MINUTE_MS = 60_000;

/** Counts the requests to one path. */
function counting(path: string) {
  const counted = { fetch: (url: string, init: object) => fetch(url, init), count: 0 };
  counted.fetch = (url, init) => {
    if (url.endsWith(path)) counted.count++;
    return fetch(url, init);
  };
  return counted;
}

async function signUp(api: Client) {
  const email = newEmail();
  const names = { firstName: 'Ada', lastName: 'L' };
  return api.auth.signUp({ email, password: PASSWORD, platform: 'web', ...names });
}

test('two tabs with fifty calls each refresh once when the token has expired', async () => {
  const storage = memoryStorage();
  const refreshes = counting('/v1/auth/refresh-token');
  const tab = () => createClient({ ...options, storage, fetch: (url, init) => refreshes.fetch(url, init) });
  const [one, other] = [tab(), tab()];
  const { user } = await signUp(one);
  platform.clock.advance(16 * MINUTE_MS);
  const calls = [one, other].flatMap((api) => Array.from({ length: 50 }, () => api.profile.get()));
  for (const profile of await Promise.all(calls)) assert.equal(profile.id, user.id);
  assert.equal(refreshes.count, 1);
});

test('a client signed out elsewhere is notified once, and later calls fail with the reason', async () => {
  const reasons: string[] = [];
  const api = createClient({ ...options, onSignedOut: (reason) => reasons.push(reason) });
  const { user } = await signUp(api);
  const admin = await platform.signInAdmin();
  await admin.call(endSessionsOfUser, { params: { userId: user.id } });
  const failures = await Promise.allSettled([api.profile.get(), api.profile.get()]);
  for (const one of failures)
    assert.ok(one.status === 'rejected' && isPlatformError(one.reason) && one.reason.status === 401);
  assert.deepEqual(reasons, ['session-ended']);
});

test('a client whose account is deactivated is signed out, and learns why, also when its token has expired', async () => {
  for (const waitMs of [0, 16 * MINUTE_MS]) {
    const reasons: string[] = [];
    const api = createClient({ ...options, onSignedOut: (reason) => reasons.push(reason) });
    const { user } = await signUp(api);
    const admin = await platform.signInAdmin();
    await admin.call(updateUser, { params: { userId: user.id }, body: { isActive: false } });
    platform.clock.advance(waitMs);
    await assert.rejects(api.profile.get(), { code: 'ACCOUNT_INACTIVE' });
    assert.deepEqual(reasons, ['session-ended']);
  }
});

test('signing out ends this device and no other', async () => {
  const email = newEmail();
  const reasons: string[] = [];
  const phone = createClient({ ...options, onSignedOut: (reason) => reasons.push(reason) });
  const laptop = createClient(options);
  const names = { firstName: 'Ada', lastName: 'L' };
  await phone.auth.signUp({ email, password: PASSWORD, platform: 'web', ...names });
  await laptop.auth.signIn({ email, password: PASSWORD, platform: 'web' });
  await phone.signOut();
  assert.deepEqual(reasons, ['signed-out']);
  await assert.rejects(phone.profile.get(), { code: 'AUTHENTICATION_REQUIRED' });
  await laptop.profile.get();
});

test('signing out ends no other device, also if the tokens did not come by a sign-in of this client', async () => {
  const email = newEmail();
  const [phone, laptop] = [createClient(options), createClient(options)];
  await phone.auth.signUp({ email, password: PASSWORD, platform: 'web', firstName: 'Ada', lastName: 'L' });
  await laptop.auth.signIn({ email, password: PASSWORD, platform: 'web' });
  const { refreshToken } = (await phone.session.read()) ?? assert.fail('nobody is signed in');
  await phone.auth.refreshToken({ refreshToken });
  await phone.signOut();
  assert.equal(await phone.session.read(), undefined);
  const { items } = await laptop.auth.listSessions();
  assert.deepEqual(
    items.map(({ isCurrent }) => isCurrent),
    [true],
  );
});

test('tokens that a program has refreshed by itself are those of the same sign-in', async () => {
  const api = createClient(options);
  await signUp(api);
  const former = (await api.session.read()) ?? assert.fail('nobody is signed in');
  api.session.listeners.add(() => assert.fail('nobody else has signed in'));
  await api.auth.refreshToken({ refreshToken: former.refreshToken });
  const { id, platform, device, refreshToken } = (await api.session.read()) ?? assert.fail('signed out');
  assert.deepEqual([id, platform, device], [former.id, former.platform, former.device]);
  assert.notEqual(refreshToken, former.refreshToken);
});

test('a list is one page when it is awaited, and everything when it is iterated', async () => {
  const api = createClient(options);
  await signUp(api);
  const room = await api.chatrooms.create({ name: 'Gold', type: 'public' });
  for (let number = 0; number < 5; number++)
    await api.chatrooms.sendMessage(room.id, { message: `no. ${number}` });
  const page = await api.chatrooms.listMessages(room.id, { limit: 2 });
  assert.deepEqual([page.items.length, page.total, page.pages], [2, 5, 3]);
  assert.equal((await page.next())?.items.length, 2);
  const texts: string[] = [];
  for await (const { message } of api.chatrooms.listMessages(room.id, { limit: 2 })) texts.push(message);
  assert.deepEqual(texts, ['no. 4', 'no. 3', 'no. 2', 'no. 1', 'no. 0']);
  const numbered: string[] = [];
  for await (const { message } of api.chatrooms.listMessages(room.id, { limit: 2, page: 2 }))
    numbered.push(message);
  assert.deepEqual(numbered, ['no. 2', 'no. 1', 'no. 0']);
});

test('a list that is begun with `after` goes on to what is newer, oldest first', async () => {
  const api = createClient(options);
  await signUp(api);
  const room = await api.chatrooms.create({ name: 'Gold', type: 'public' });
  const ids: string[] = [];
  for (let number = 0; number < 6; number++)
    ids.push((await api.chatrooms.sendMessage(room.id, { message: `no. ${number}` })).id);
  for (const limit of [2, 5]) {
    const read: string[] = [];
    for await (const { id } of api.chatrooms.listMessages(room.id, { after: ids[1] as string, limit }))
      read.push(id);
    assert.deepEqual(read, ids.slice(2));
  }
  const page = await api.chatrooms.listMessages(room.id, { after: ids[0] as string, limit: 3 });
  assert.deepEqual(
    [page, await page.next()].map((one) => one?.items.map(({ id }) => id)),
    [ids.slice(1, 4), ids.slice(4)],
  );
});

test('fields that are called otherwise on the wire have one kind of name here, in both directions', async () => {
  const api = createClient(options);
  const { user } = await signUp(api);
  const admin = await platform.signInAdmin();
  await admin.call(replacePermissions, { params: { userId: user.id }, body: { permissions: ['educator'] } });
  const changed = await api.educators.updateProfile(user.id, {
    educatorTitle: 'Head of Futures',
    firstName: 'Eda',
  });
  assert.deepEqual([changed.educatorTitle, changed.firstName], ['Head of Futures', 'Eda']);
  assert.ok('bannerImage' in changed.pictureSizes && !('banner_image' in changed));
});

test('single sign-on to another platform leaves the session as it is, again and again', async () => {
  const reasons: string[] = [];
  const [web, live] = [undefined, undefined].map(() =>
    createClient({ ...options, onSignedOut: (reason) => reasons.push(reason) }),
  ) as [Client, Client];
  const { user } = await signUp(web);
  const admin = await platform.signInAdmin();
  const purchase = {
    sku: 'XHSET303',
    product_name: 'All of it',
    last_purchased_date: new Date(platform.clock.now()).toISOString(),
  };
  await admin.call(recordPurchase, { params: { userId: user.id }, body: purchase });
  for (const device of ['first', 'first', 'second']) {
    const { accessToken, refreshToken } = (await web.session.read()) ?? assert.fail('nobody is signed in');
    const tokens = { userId: user.id, accessToken, refreshToken, device };
    await web.auth.signInSso({ ...tokens, platform: 'app' });
    const { redirectUrl = '' } = await web.auth.signInSso({ ...tokens, platform: 'livestream' });
    await live.auth.redeemSsoToken({ token: new URL(redirectUrl).searchParams.get('token') as string });
    assert.equal((await web.session.read())?.platform, 'web');
    platform.clock.advance(16 * MINUTE_MS);
    await live.profile.get();
    await web.profile.get();
  }
  assert.deepEqual(reasons, []);
});
