import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listUsersAsAdmin, recordPurchase, updateUser } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { invalidUserId } from '../../indicators/webhooks/failures.ts';

const platform = await startPlatform();
const { admin } = platform;

const startedAt = platform.clock.date();
const [ada, ben, cleo] = [
  await platform.newMemberWith(40),
  await platform.newMember(),
  await platform.newMember(),
];
const buy = (userId: string, sku: string, ageDays: number) =>
  admin.call(recordPurchase, {
    params: { userId },
    body: {
      sku,
      product_name: sku,
      last_purchased_date: new Date(platform.clock.now() - ageDays * 86_400_000).toISOString(),
    },
  });
await buy(ada.id, 'XHSET101', 1);
await buy(ben.id, 'XHSET101', 31);
await buy(ben.id, 'FREEACCESS', 8);
await buy(ben.id, 'XHSET303', 364);
await buy(ben.id, 'COACHING', 29);
await admin.call(updateUser, { params: { userId: cleo.id }, body: { isActive: false } });

const list = async (query: object = {}) =>
  (await admin.call(listUsersAsAdmin, { query: { createdFrom: startedAt.toISOString(), ...query } })).data;
const idsOf = async (query: object = {}) => (await list(query)).map(({ id }) => id);

test('rows show the balance, when the user was last seen, and what they pay for', async () => {
  const [, former, row] = await list();
  assert.ok(row);
  assert.deepEqual([row.id, row.balance, row.skus], [ada.id, 40, ['XHSET101']]);
  assert.deepEqual([former?.id, former?.skus], [ben.id, ['COACHING', 'XHSET303']]);
  assert.ok(row.lastSeenAt && new Date(row.lastSeenAt) >= startedAt);
  assert.equal((await list({ search: ben.id }))[0]?.balance, null);
});

test('each filter keeps only matching users, and filters can be combined', async () => {
  const tomorrow = new Date(platform.clock.now() + 86_400_000).toISOString();
  // The first administrator is not part of these expectations.
  for (const [query, expected] of [
    [{}, [cleo.id, ben.id, ada.id]],
    [{ sort: 'oldest' }, [ada.id, ben.id, cleo.id]],
    [{ isActive: true }, [ben.id, ada.id]],
    [{ isActive: false }, [cleo.id]],
    [{ sku: 'XHSET101' }, [ben.id, ada.id]],
    [{ sku: 'XHSET202' }, []],
    [{ platform: 'app' }, [ben.id, ada.id]],
    [{ platform: 'web', isActive: true }, [ben.id, ada.id]],
    [{ permissions: 'admin,educator' }, []],
    [{ createdFrom: tomorrow }, []],
    [{ createdTo: startedAt.toISOString() }, []],
    [{ seenBefore: startedAt.toISOString() }, []],
    [{ seenBefore: tomorrow }, [cleo.id, ben.id, ada.id]],
    [{ seenBefore: `${tomorrow.slice(0, 10)}T00:00:00.000Z` }, [cleo.id, ben.id, ada.id]],
    [{ seenBefore: `${startedAt.toISOString().slice(0, 10)}T00:00:00.000Z` }, []],
    [{ search: ada.email.slice(0, 2), platform: 'app' }, [ben.id, ada.id]],
    [{ search: ada.email.slice(-2) }, []],
    [{ sku: 'XHSET101', platform: 'app', search: ada.email }, [ada.id]],
  ] as const)
    assert.deepEqual(
      (await idsOf(query)).filter((id) => id !== platform.adminId),
      expected,
      JSON.stringify(query),
    );
});

test('the list continues after a user in either order, and is also a file', async () => {
  const first = (await idsOf({ limit: 1 }))[0] ?? '';
  assert.deepEqual(await idsOf({ limit: 1, before: first }), [ben.id]);
  assert.deepEqual(await idsOf({ limit: 1, before: ada.id, sort: 'oldest' }), [ben.id]);
  const file = await admin.raw('GET', `/v1/admin/auth/users?format=csv&sku=XHSET101`);
  const lines = String(file.body).trim().split('\r\n');
  assert.deepEqual(lines.length, 3);
  assert.match(lines[2] ?? '', new RegExp(`^${ada.id},${ada.email},.*,40,XHSET101,`));
});

test('invalid filters are refused', async () => {
  const path = '/v1/admin/auth/users';
  for (const query of [
    'sort=name',
    'platform=tv',
    'permissions=,',
    'isActive=yes',
    'createdFrom=2026-03-01&createdTo=2026-02-01',
    'seenBefore=soon',
  ])
    assertInvalid(await admin.raw('GET', `${path}?${query}`));
  assertRefused(await admin.raw('GET', `${path}?before=x`), invalidUserId);
});

test('the platforms that a purchase opens depend on the clock of the platform', async () => {
  platform.clock.advance(60 * 86_400_000);
  const late = await platform.signInAdmin();
  const open = async () =>
    (await late.call(listUsersAsAdmin, { query: { platform: 'app', search: ben.email } })).data.length;
  assert.equal(await open(), 0);
  await late.call(recordPurchase, {
    params: { userId: ben.id },
    body: {
      sku: 'XHSET101',
      product_name: 'XHSET101',
      last_purchased_date: new Date(platform.clock.now() - 86_400_000).toISOString(),
    },
  });
  assert.equal(await open(), 1);
});
