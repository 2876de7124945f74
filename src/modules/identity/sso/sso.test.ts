import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import {
  endSessionsOfUser,
  getProfile,
  listSessions,
  recordPurchase,
  redeemSsoToken,
  signInSso,
  signInSsoByLink,
  updateUser,
  type wire,
} from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { authenticationFailed } from '../../../external/directory/port.ts';
import { invalidToken } from '../../../kernel/operations/access.ts';
import { invalidSsoToken } from './sso-tokens.ts';

const platform = await startPlatform();
const { client, admin } = platform;
const SSO = '/v1/auth/signin-sso';

async function newBuyer() {
  const member = await platform.newMember();
  const purchase = {
    sku: 'XHSET303',
    product_name: 'All of it',
    last_purchased_date: new Date(platform.clock.now()).toISOString(),
  };
  await admin.call(recordPurchase, { params: { userId: member.id }, body: purchase });
  return member;
}
type Buyer = Awaited<ReturnType<typeof newBuyer>>;
const requestOf = (
  { id, accessToken, refreshToken }: Buyer,
  more: Partial<wire.SignInSsoBody> = {},
): wire.SignInSsoBody => ({
  userId: id,
  platform: 'livestream',
  device: 'hop',
  accessToken,
  refreshToken,
  ...more,
});

test('single sign-on returns a redirectUrl by POST and a 302 by GET', async () => {
  const ada = await newBuyer();
  const posted = await client.call(signInSso, { body: requestOf(ada) });
  assert.equal(posted.status, 200);
  assert.equal(posted.data.user.id, ada.id);
  assert.ok(posted.data.accessToken && posted.data.refreshToken);
  const url = new URL(String(posted.data.redirectUrl));
  assert.equal(`${url.origin}${url.pathname}`, 'https://live.example.com/sso');
  assert.equal(url.searchParams.get('from'), 'platform', 'the query of the configured address is kept');

  const linked = await client.call(signInSsoByLink, { query: requestOf(ada) });
  assert.equal(linked.status, 302);
  assert.match(
    linked.headers.get('location') ?? '',
    /^https:\/\/live\.example\.com\/sso\?from=platform&token=/,
  );
  assert.equal(linked.headers.get('referrer-policy'), 'no-referrer');
  assert.equal((await ada.client.call(getProfile)).status, 200, 'the session one came with lives on');
  const onWeb = await client.call(signInSso, { body: requestOf(ada, { platform: 'web' }) });
  assert.equal(onWeb.data.redirectUrl, undefined);
});

test('single sign-on to the platform and device of the session one came with replaces that session', async () => {
  const ada = await newBuyer();
  const { data: first } = await client.call(signInSso, { body: requestOf(ada) });
  const { data: second } = await client.call(signInSso, { body: requestOf({ ...ada, ...first }) });
  assertRefused(await client.as(first.accessToken).attempt(getProfile), invalidToken);
  assert.equal((await client.as(second.accessToken).call(getProfile)).status, 200);
});

/** Signs a buyer in on the live platform, and returns the token that the redirect carries too. */
async function hop(buyer: Buyer) {
  const { data } = await client.call(signInSso, { body: requestOf(buyer) });
  return { ...data, token: new URL(String(data.redirectUrl)).searchParams.get('token') as string };
}
const redeem = (token: string) => client.attempt(redeemSsoToken, { body: { token } });

test('a single sign-on token names its user and reveals no secrets', async () => {
  const ada = await newBuyer();
  const { token, accessToken, refreshToken } = await hop(ada);
  const claims = decodeJwt(token);
  assert.equal((claims.exp as number) - (claims.iat as number), 300);
  assert.deepEqual([claims.aud, claims.userId, claims.sub], ['live-platform', ada.id, ada.id]);
  assert.equal((claims.user as { email: string }).email, ada.email);
  const open = JSON.stringify(claims);
  assert.ok(!open.includes(refreshToken) && !open.includes(accessToken));
});

test('a single sign-on token is redeemed once, for the session that it was given for', async () => {
  const ada = await newBuyer();
  const { token, accessToken, refreshToken } = await hop(ada);
  const both = await Promise.all([redeem(token), redeem(token)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
  const data = both.find(({ status }) => status === 200)?.data;
  assert.ok(data);
  assert.deepEqual([data.userId, data.accessToken, data.refreshToken], [ada.id, accessToken, refreshToken]);
  const { data: sessions } = await client.as(data.accessToken).call(listSessions);
  assert.equal(sessions.find(({ isCurrent }) => isCurrent)?.id, data.sessionId);
});

test('a single sign-on token is valid for five minutes, and is no access token', async () => {
  const { token: late, accessToken } = await hop(await newBuyer());
  platform.clock.advance(5 * 60_000 + 1000);
  assertRefused(await redeem(late), invalidSsoToken);
  for (const bad of [accessToken, `${late}x`, 'nonsense']) assertRefused(await redeem(bad), invalidSsoToken);
  assertRefused(await client.as(late).attempt(getProfile), invalidToken, 'it is no access token');
});

test('single sign-on requires tokens of an active session', async () => {
  const [ada, ben] = [await newBuyer(), await newBuyer()];
  const tries = {
    'another user': requestOf(ada, { userId: ben.id }),
    'tokens of two sessions': requestOf(ada, { refreshToken: ben.refreshToken }),
    'unknown customer': requestOf(ada, { customerId: 'C-nobody' }),
    'made-up tokens': requestOf(ada, { accessToken: 'x', refreshToken: 'y' }),
  };
  for (const [name, request] of Object.entries(tries)) {
    assertRefused(await client.attempt(signInSso, { body: request }), authenticationFailed, name);
  }
  await admin.call(endSessionsOfUser, { params: { userId: ada.id } });
  assertRefused(
    await client.attempt(signInSso, { body: requestOf(ada) }),
    authenticationFailed,
    'the session has ended',
  );
});

test('single sign-on requires a platform that exists, a user and a token', async () => {
  const request = requestOf(await newBuyer());
  assertInvalid(await client.raw('POST', SSO, { ...request, userId: undefined }));
  assertInvalid(await client.raw('POST', SSO, { ...request, accessToken: undefined }));
  const nowhere = await client.raw('POST', SSO, { ...request, platform: undefined });
  assert.equal(nowhere.body.error, 'PLATFORM_REQUIRED');
  assert.equal((await client.raw('GET', `${SSO}?platform=tv`)).body.error, 'INVALID_PLATFORM');
});

test('single sign-on finds users by customer id and requires platform access', async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { customerId: `C-${ada.id}` } });
  const { userId: _, ...rest } = requestOf(ada);
  const request = { ...rest, customerId: `C-${ada.id}` };
  const refused = await client.attempt(signInSso, { body: request });
  assert.deepEqual([refused.status, refused.body.statusCode], [403, 403]);
  assert.equal((await client.call(signInSso, { body: { ...request, platform: 'web' } })).status, 200);
});
