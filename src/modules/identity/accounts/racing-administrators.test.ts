import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createApiKey,
  createUser,
  deleteUser,
  getUser,
  replacePermissions,
  rollApiKey,
  updateUser,
} from '../../../../sdk/src/index.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';

const platform = await startPlatform();
const { admin, database } = platform;

async function newAdministrator(...others: string[]): Promise<Member> {
  const member = await platform.newMember();
  const body = { permissions: ['admin', ...others] };
  await admin.call(assignPermissions, { params: { userId: member.id }, body });
  return member;
}

type Act = (by: Member, whom: Member) => Promise<{ status: number }>;
const deactivate: Act = ({ client }, { id: userId }) =>
  client.attempt(updateUser, { params: { userId }, body: { isActive: false } });
const demote: Act = ({ client }, { id: userId }) =>
  client.attempt(replacePermissions, { params: { userId }, body: { permissions: [] } });
const remove: Act = ({ client }, { id: userId }) => client.attempt(deleteUser, { params: { userId } });

const isAdministrator = async ({ id: userId }: Member): Promise<boolean> => {
  const { status, data } = await admin.attempt(getUser, { params: { userId } });
  return status === 200 && data?.isActive === true && data.permissions.includes('admin');
};

const PAIRS: [what: string, one: Act, other: Act, refusals: number[]][] = [
  ['deactivate each other', deactivate, deactivate, [401]],
  ['take the permissions of each other', demote, demote, [403]],
  ['deactivate and demote each other', deactivate, demote, [401, 403]],
  ['delete and demote each other', remove, demote, [401, 403]],
  ['delete and deactivate each other', remove, deactivate, [401]],
];

for (const [what, act, otherAct, refusals] of PAIRS)
  test(`of two administrators who ${what} at once, the first succeeds and remains`, async () => {
    for (const isSwapped of [false, true]) {
      const [first, second] = [await newAdministrator(), await newAdministrator()];
      const calls = [() => act(first, second), () => otherAct(second, first)];
      if (isSwapped) calls.reverse();
      const statuses = (await Promise.all(calls.map((call) => untilAvailable(call))))
        .map(({ status }) => status)
        .sort();
      assert.equal(statuses[0], 200);
      assert.ok(refusals.includes(statuses[1] as number), statuses.join());
      const remaining = await Promise.all([first, second].map(isAdministrator));
      assert.deepEqual(remaining.sort(), [false, true]);
    }
  });

/**
 * Has a member act whose permission `admin` is being taken, once the change waits for that; returns what is answered.
 * @param act is repeated while it is refused for the wait
 */
async function actWhileDemoted<Answer extends { status: number }>(
  { id }: Member,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const waiting = () =>
    database.count("select count(*) from pg_locks where not granted and locktype = 'transactionid'");
  let attempt: Promise<Answer> | undefined;
  await holding(database, async (tx) => {
    await tx.execute(`update identity.user set permissions = array['write_users'] where id = $1`, [id]);
    attempt = untilAvailable(act);
    await until(async () => (await waiting()) > 0, 'the change waits');
  });
  return attempt as Promise<Answer>;
}

test('an administrator who loses `admin` while waiting can create neither accounts nor API keys', async () => {
  const { id: keyId } = await platform.newKey('mobile');
  const body = { firstName: 'A', lastName: 'Friend', email: 'friend@example.com', role: 'admin' } as const;
  const acts: ((by: Member) => Promise<Parameters<typeof assertRefused>[0]>)[] = [
    ({ client }) => client.attempt(createUser, { body }),
    ({ client }) => client.attempt(createApiKey, { body: { name: 'Of a friend', tier: 'admin' } }),
    ({ client }) => client.attempt(rollApiKey, { params: { id: keyId }, body: {} }),
  ];
  const count = () =>
    database.count(`select (select count(*) from identity.user where email = 'friend@example.com')
      + (select count(*) from gateway.api_key where name = 'Of a friend' or replaced_by is not null)`);
  for (const act of acts) {
    const ada = await newAdministrator();
    assertRefused(await actWhileDemoted(ada, () => act(ada)), insufficientPermissions);
  }
  assert.equal(await count(), 0);
});

test('an administrator who loses `admin` while waiting cannot give it to anybody, even with `write_users`', async () => {
  const [ada, ben] = [await newAdministrator('write_users'), await platform.newMember()];
  const given = { params: { userId: ben.id }, body: { permissions: ['admin'] } };
  const answer = await actWhileDemoted(ada, () => ada.client.attempt(assignPermissions, given));
  assertRefused(answer, insufficientPermissions);
});
