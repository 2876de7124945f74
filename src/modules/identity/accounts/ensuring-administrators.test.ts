import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailTaken } from '../../../external/directory/port.ts';
import type { Failure } from '../../../kernel/failures.ts';
import type { User } from '../users/users.model.ts';
import { ensuringAdministrators } from './administrators.ts';
import { lockWithActor } from './locking.ts';

const ACCOUNT = { email: ' Ada@Example.com', password: 'a password', firstName: 'Ada', lastName: 'Member' };

/** Ensures an administrator; `found` says what is found each time, and `created` what each creation does. */
async function ensuring(
  found: (Partial<User> | undefined)[],
  created: (() => { id: string })[] = [() => ({ id: 'new' })],
) {
  const [asked, vouched, drafts]: [string[], string[], object[]] = [[], [], []];
  const ensure = ensuringAdministrators({
    accounts: {
      create: async (draft: object) => {
        drafts.push(draft);
        return (created.shift() ?? assert.fail('created too often'))();
      },
    } as never,
    store: {
      findByEmail: async (email) => {
        asked.push(email);
        return found.shift() as User | undefined;
      },
    },
    vouchFor: (async (id: string) => vouched.push(id)) as never,
  });
  return { result: await ensure(ACCOUNT), asked, vouched, drafts };
}
const failing = (error: Error) => () => {
  throw error;
};

test('an administrator is created verified, under the canonical address', async () => {
  const { result, asked, drafts, vouched } = await ensuring([undefined]);
  assert.deepEqual([result, asked, vouched], [{ userId: 'new', isNew: true }, ['ada@example.com'], []]);
  assert.deepEqual(drafts, [{ ...ACCOUNT, permissions: ['admin'], emailVerified: true }]);
});

test('an account that is there stays as it is, except that the address of an administrator counts as verified', async () => {
  for (const [emailVerified, permissions, expected] of [
    [false, ['admin'], ['old']],
    [true, ['admin'], []],
    [false, ['reader'], []],
  ] as const) {
    const { result, vouched, drafts } = await ensuring([
      { id: 'old', emailVerified, permissions: [...permissions] },
    ]);
    assert.deepEqual([result, vouched, drafts], [{ userId: 'old', isNew: false }, expected, []]);
  }
});

test('another process may have created the account first, and the directory may know the address', async () => {
  const taken = failing(emailTaken());
  const { result } = await ensuring([undefined, { id: 'other' }], [taken]);
  assert.deepEqual(result, { userId: 'other', isNew: false });
  const known = await ensuring([undefined, undefined], [taken, () => ({ id: 'new' })]);
  assert.deepEqual(known.result, { userId: 'new', isNew: true });
  assert.deepEqual(known.drafts[1], {
    ...ACCOUNT,
    password: undefined,
    permissions: ['admin'],
    emailVerified: true,
  });
  await assert.rejects(ensuring([undefined, undefined], [failing(new Error('away'))]), /away/);
});

const [ADA, BEN] = ['a'.repeat(24), 'b'.repeat(24)];

/** Locks Ada on behalf of an actor, of users with these permissions. */
async function locking(
  actor: string,
  users: Record<string, Partial<User>>,
  more: { userId?: string; orPermission?: string } = {},
) {
  const order: string[] = [];
  const store = {
    lock: async (_tx: unknown, id: string) => {
      order.push(id);
      return users[id] as User | undefined;
    },
  };
  const locked = await lockWithActor(store, {} as never, { userId: ADA, actor, ...more }).catch(
    ({ status, code }: Failure) => `${status} ${code}`,
  );
  return { locked, order };
}
const active = (...permissions: string[]) => ({ isActive: true, permissions });

test('a user and who changes them are locked in the order of their ids, once each', async () => {
  const users = { [ADA]: active('reader'), [BEN]: active('admin') };
  assert.deepEqual(await locking(BEN, users), {
    locked: { user: users[ADA], by: users[BEN] },
    order: [ADA, BEN],
  });
  const reversed = await locking(ADA, { ...users, [ADA]: active('admin') }, { userId: BEN });
  assert.deepEqual(reversed.order, [ADA, BEN]);
  assert.deepEqual(await locking(ADA, users), { locked: { user: users[ADA], by: users[ADA] }, order: [ADA] });
  assert.deepEqual(await locking('service:setup', users), {
    locked: { user: users[ADA], by: undefined },
    order: [ADA],
  });
});

test('a member who was deactivated, or has lost the permission, can change nobody', async () => {
  const by = async (actor: Partial<User> | undefined, orPermission?: string) =>
    (
      await locking(
        BEN,
        { [ADA]: active(), ...(actor && { [BEN]: actor }) },
        orPermission ? { orPermission } : {},
      )
    ).locked;
  assert.equal(await by(undefined), '401 INVALID_TOKEN');
  assert.equal(await by({ ...active('admin'), isActive: false }), '401 INVALID_TOKEN');
  assert.equal(await by(active('writer')), '403 FORBIDDEN');
  assert.equal(typeof (await by(active('reader', 'admin'))), 'object');
  assert.equal(typeof (await by(active('writer'), 'writer')), 'object');
  assert.equal(typeof (await by(active('admin'), 'writer')), 'object');
  assert.equal(await by(active('reader'), 'writer'), '403 FORBIDDEN');
  assert.equal((await locking(BEN, { [BEN]: active('admin') })).locked, '404 NOT_FOUND');
  assert.equal((await locking('service:setup', {})).locked, '404 NOT_FOUND');
});
