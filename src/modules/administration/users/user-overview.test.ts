import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  banChatMember,
  createProduct,
  deleteUser,
  fundWalletAsAdmin,
  getOverviewOfUser,
  getUser,
  joinChatroom,
  muteChatMember,
  registerDevice,
  report,
  submitAccessRequest,
} from '../../../../sdk/src/index.ts';
import { newRoom, say } from '../../../../test/support/chatrooms.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { userNotFound } from '../../identity/contract.ts';

const platform = await startPlatform(ANSWERED);
const { admin } = platform;
const { newIndicator, grant } = indicatorTools(platform);
const overviewOf = async (userId: string, by = admin) =>
  (await by.call(getOverviewOfUser, { params: { userId } })).data;

const NONE = { total: 0, totalIsExact: true };

test('the overview of a new member is empty but for their account and session', async () => {
  const ada = await platform.newMember();
  const seen = await overviewOf(ada.id);
  assert.equal(seen.user.email, ada.email);
  assert.deepEqual(
    seen.access?.map(({ platform: name, allowed }) => [name, allowed]).find(([name]) => name === 'web'),
    ['web', true],
  );
  assert.equal(seen.sessions.length, 1);
  assert.deepEqual([seen.sessions[0]?.platform, seen.sessions[0]?.isCurrent], ['web', false]);
  assert.deepEqual(
    seen.factors.map(({ kind, since }) => [kind, typeof since]),
    [['password', 'string']],
  );
  const { wallet, devices, grants, requests, rooms, reports, lastErrors } = seen;
  assert.deepEqual(
    { wallet, devices, grants, requests, rooms, reports, lastErrors },
    {
      wallet: null,
      devices: [],
      grants: [],
      requests: [],
      rooms: { muted: [], banned: [] },
      reports: { against: [], by: [], totals: { against: NONE, by: NONE } },
      lastErrors: [],
    },
  );
});

test('the overview shows money, devices, grants, requests and failures', async () => {
  const ada = await platform.newMemberWith(40);
  await ada.client.call(registerDevice, { body: { token: 'secret-token', platform: 'ios', name: 'Phone' } });
  const scanner = await newIndicator({ name: 'Trend' });
  const access = (await grant(scanner, ada, 'ada_t')).data;
  const product = (await admin.call(createProduct, { body: { name: 'A year', productType: 'misc' } })).data;
  const { data: request } = await ada.client.call(submitAccessRequest, {
    body: { productId: product.id, fullName: 'Ada L', email: ada.email },
  });
  const { body } = await ada.client.attempt(getUser, { params: { userId: ada.id } });
  await until(async () => (await overviewOf(ada.id)).lastErrors.length === 1, 'the failure is stored');

  const seen = await overviewOf(ada.id);
  assert.deepEqual([seen.wallet?.balance, seen.wallet?.heldKeys], [40, 0]);
  assert.deepEqual(
    seen.devices.map(({ platform: kind, name }) => [kind, name]),
    [['ios', 'Phone']],
  );
  assert.ok(!JSON.stringify(seen).includes('secret-token'), 'a token would let one send pushes');
  assert.deepEqual(
    seen.grants.map(({ id, scannerName, user }) => [id, scannerName, user?.email]),
    [[access.id, 'Trend', ada.email]],
  );
  assert.deepEqual(
    seen.requests.map(({ id, productName, status }) => [id, productName, status]),
    [[request.id, 'A year', 'pending']],
  );
  assert.deepEqual(
    seen.lastErrors.map(({ errorId, errorCode }) => [errorId, errorCode]),
    [['errorId' in body ? body.errorId : '', 'FORBIDDEN']],
  );
});

test('the overview shows rooms, and reports with the names of people; nobody learns who reported them', async () => {
  const [owner, ada, ben] = [
    await platform.newMember(),
    await platform.newMember(),
    await platform.newMember(),
  ];
  const [muting, banning] = [await newRoom(owner), await newRoom(owner)];
  for (const chatroomId of [muting, banning]) await ada.client.call(joinChatroom, { params: { chatroomId } });
  const message = await say(ada, muting, 'Buy this!');
  await ben.client.call(report, { body: { kind: 'message', subjectId: message.id, reason: 'Spam' } });
  await admin.call(muteChatMember, {
    params: { chatroomId: muting, userId: ada.id },
    body: { minutes: 5 },
  });
  await admin.call(banChatMember, { params: { chatroomId: banning, userId: ada.id } });

  const { rooms, reports } = await overviewOf(ada.id);
  assert.deepEqual(
    [rooms.muted.map(({ roomId, name }) => [roomId, name]), rooms.banned.map(({ roomId }) => roomId)],
    [[[muting, 'Gold']], [banning]],
  );
  const [against] = reports.against;
  assert.deepEqual(
    [against?.text, against?.reporter?.id, against?.reporter?.email, against?.author?.id, reports.by],
    ['Buy this!', ben.id, ben.email, ada.id, []],
  );
  const { by } = (await overviewOf(ben.id)).reports;
  assert.deepEqual(
    by.map(({ id, author }) => [id, author?.email]),
    [[against?.id, ada.email]],
  );
  platform.clock.advance(6 * 60_000);
  assert.deepEqual((await overviewOf(ada.id)).rooms.muted, [], 'the mute is over');

  await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['admin'] } });
  const own = (await overviewOf(ada.id, ada.client)).reports;
  assert.deepEqual([own.against.length, own.against[0]?.reporter], [1, null]);
  const unseen = (await overviewOf(ben.id, ada.client)).reports;
  assert.deepEqual([unseen.by, unseen.totals.by], [[], NONE]);
});

test('the overview is for administrators, and of users who exist', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  await admin.call(fundWalletAsAdmin, { body: { userId: ben.id, amount: 5 } });
  const params = { userId: ben.id };
  assertRefused(await ada.client.attempt(getOverviewOfUser, { params }), insufficientPermissions);
  await admin.call(deleteUser, { params, body: { remainingKeys: 'forfeit' } });
  assertRefused(await admin.attempt(getOverviewOfUser, { params }), userNotFound);
  assertRefused(await admin.attempt(getOverviewOfUser, { params: { userId: 'f'.repeat(24) } }), userNotFound);
  assert.equal((await admin.raw('GET', '/v1/admin/auth/users/ada/overview')).status, 400);
});
