import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  refreshToken as refreshTokens,
  signIn,
  signInSso,
  stepUp,
  transferKeys,
} from '../../../../sdk/src/index.ts';
import { addKey, authenticator, newChallenge, trySignIn } from '../../../../test/support/authenticator.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { elevate, withApp } from '../../../../test/support/factors.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { stepUpRequired } from '../../../kernel/operations/step-up.ts';
import { HOUR_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform();
const { client } = platform;

test('sessions that single sign-on has passed on send no more together than the one that they come from', async () => {
  const [ada, ben] = [
    await withApp(platform, await platform.newMemberWith(5_000)),
    await platform.newMember(),
  ];
  const transfer = (from: typeof client, amount: number) =>
    from.attempt(transferKeys, { body: { toUserId: ben.id, amount } });
  const passOn = async (tokens: { accessToken: string; refreshToken: string }, device: string) => {
    const { accessToken, refreshToken } = tokens;
    const body = { userId: ada.id, platform: 'web' as const, device, accessToken, refreshToken };
    return (await client.call(signInSso, { body })).data;
  };
  const child = await passOn(ada, 'child');
  const grandchild = await passOn(child, 'grandchild');
  assert.equal((await transfer(client.as(grandchild.accessToken), 600)).status, 201);
  assert.equal((await transfer(client.as(child.accessToken), 400)).status, 201);
  for (const { accessToken } of [ada, child, grandchild, await passOn(child, 'last')])
    assertRefused(await transfer(client.as(accessToken), 1), stepUpRequired);
  await elevate(ada);
  assert.equal((await transfer(ada.client, 2_000)).status, 201);
});

test('beside a passkey a password opens sessions that send nothing until they have shown it once', async () => {
  const [ada, ben] = [await platform.newMemberWith(5_000), await platform.newMember()];
  const transfer = (from: typeof client, amount: number) =>
    from.attempt(transferKeys, { body: { toUserId: ben.id, amount } });
  const signInOn = async (device: string) => {
    const body = { email: ada.email, password: PASSWORD, platform: 'web' as const, device };
    return (await client.call(signIn, { body })).data;
  };
  const { made } = await addKey(ada.client, authenticator({ counts: false }));
  assert.equal((await transfer(ada.client, 1_000)).status, 201, 'the session that added it is as before');
  const tokens = await signInOn('thief');
  const thief = client.as(tokens.accessToken);
  assertRefused(await transfer(thief, 1), stepUpRequired);
  const { accessToken, refreshToken } = tokens;
  const request = { userId: ada.id, platform: 'web' as const, device: 'another', accessToken, refreshToken };
  const passedOn = client.as((await client.call(signInSso, { body: request })).data.accessToken);
  assertRefused(await transfer(passedOn, 1), stepUpRequired);
  const byKey = client.as((await trySignIn(client, made)).data?.accessToken as string);
  assert.equal(
    (await transfer(byKey, 1_000)).status,
    201,
    'a passkey signs in with the allowance of an hour',
  );
  const own = client.as((await signInOn('own')).accessToken);
  await own.call(stepUp, { body: { passkey: made.get(await newChallenge(client)) } });
  assert.equal((await transfer(own, 1_000)).status, 201);
  platform.clock.advance(2 * HOUR_MS);
  const again = await client.call(refreshTokens, { body: { refreshToken } });
  assertRefused(await transfer(client.as(again.data.accessToken), 1), stepUpRequired, 'time changes nothing');
});
