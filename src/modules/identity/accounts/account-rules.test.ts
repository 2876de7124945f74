import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { manualClock } from '../../../kernel/time/time.ts';
import type { User } from '../users/users.model.ts';
import { accountRules } from './accounts.ts';

// What is written, recorded, announced and told to other processes when accounts change, without a platform around the
// rules.

const AT = new Date('2026-03-01T12:00:00Z');
const [ADA, ROOT] = ['a'.repeat(24), 'b'.repeat(24)];
const userOf = (fields: Partial<User> = {}): User =>
  ({
    id: ADA,
    email: 'ada@example.com',
    username: 'ada',
    firstName: 'Ada',
    lastName: 'L',
    customerId: null,
    permissions: ['educator'],
    educator: { educator_title: 'Trader' },
    isActive: true,
    emailVerified: true,
    createdAt: AT,
    updatedAt: new Date(0),
    ...fields,
  }) as User;
const ADMINISTRATOR = { id: ROOT, permissions: ['admin'] } as Partial<User>;
const SERVICE = { actor: 'service:crm' };
const BY_ROOT = { actor: ROOT };

interface State {
  user?: Partial<User> | undefined;
  by?: Partial<User> | undefined;
  hasOther?: boolean;
  ended?: number;
  saving?: Error;
}
function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const published: Record<string, unknown>[] = [];
  const users: Record<string, User | undefined> = {
    [ADA]: 'user' in state && state.user === undefined ? undefined : userOf(state.user),
    [ROOT]: 'by' in state && state.by === undefined ? undefined : userOf({ ...ADMINISTRATOR, ...state.by }),
  };
  const rules = accountRules({
    database: { transaction: async (work: (tx: unknown) => unknown) => work('tx') } as never,
    audit: {
      record: async (_tx: unknown, { action, target, changes, details }: Record<string, unknown>) =>
        done.push(['audit', action, target, changes ?? details]),
    } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) => {
        done.push(['publish', name]);
        published.push(data as Record<string, unknown>);
      },
    } as never,
    clock: manualClock(AT.getTime()),
    users: {
      createAccount: async (draft: object, also: (tx: unknown, user: User) => Promise<User>) => {
        done.push(['create', draft]);
        return also('tx', userOf());
      },
    } as never,
    store: {
      find: async (id: string) => users[id],
      lock: async (_tx: unknown, id: string) => users[id],
      hasOtherAdministrator: async () => state.hasOther === true,
      update: async (_tx: unknown, user: User) => {
        if (state.saving) throw state.saving;
        done.push(['update', user]);
      },
      erase: async (_tx: unknown, id: string) => done.push(['erase', id]),
    } as never,
    sessions: {
      endIn: async (_tx: unknown, id: string, target: object, reason: string) => {
        done.push(['end', id, target, reason]);
        return state.ended ?? 1;
      },
    } as never,
    directory: {
      register: async ({ email }: { email: string }) => {
        done.push(['register', email]);
        return { customerId: 'C-registered', enrol: async () => done.push(['enrol']) };
      },
    } as never,
    media: {
      checkPublicUrls: async (urls: object, options: object) => void done.push(['urls', urls, options]),
    } as never,
    erasing: {
      begin: async (_tx: unknown, { id }: User, keys: string) => void done.push(['erasing', id, keys]),
    },
    policy: { mustBeFit: async (password, { email }) => void done.push(['fit', password, email]) },
    verification: { issue: async (_tx: unknown, { email }: User) => done.push(['mail', email]) } as never,
    publishChange: async (userId) => void done.push(['tell', userId]),
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ status, code, message }: Failure) => (status ? `${status} ${code}` : message),
    );
  return { rules, done, published, codeOf, kinds: () => done.map(([what]) => what) };
}
const PUBLISHED = ['publish', 'publish'];

test('a change is written, recorded and announced, and told to other processes if it ends or gives rights', async () => {
  const { rules, done } = ruling();
  const after = await rules.update(userOf(), { firstName: 'Augusta' }, BY_ROOT);
  assert.deepEqual([after.firstName, after.lastName, after.updatedAt], ['Augusta', 'L', AT]);
  const [urls, update, audit, ...rest] = done;
  const ownerIds = [ADA, ROOT];
  assert.deepEqual(urls, ['urls', {}, { ownerIds, alreadySaved: ['Trader'] }]);
  assert.deepEqual(update, ['update', after]);
  assert.deepEqual(audit, ['audit', 'user.updated', ADA, { firstName: ['Ada', 'Augusta'] }]);
  assert.deepEqual(
    rest.map(([what]) => what),
    PUBLISHED,
  );
  const ended = ruling();
  await ended.rules.update(userOf(), { isActive: false }, SERVICE);
  assert.deepEqual(ended.kinds(), ['urls', 'update', 'end', 'audit', ...PUBLISHED, 'tell']);
  assert.deepEqual(ended.done[2], ['end', ADA, {}, 'account deactivated']);
  const given = ruling();
  await given.rules.setPermissions(ADA, (all) => [...all, 'moderator', 'moderator'], false, BY_ROOT);
  assert.deepEqual(given.kinds(), ['update', 'audit', ...PUBLISHED, 'tell']);
  assert.deepEqual((given.done[0]?.[1] as User).permissions, ['educator', 'moderator']);
});

test('fields of an educator are merged, and a profile is changed alike', async () => {
  const { rules, done } = ruling();
  await rules.update(userOf(), { educator: { educator_bio: 'B' } as never }, SERVICE);
  const educator = { educator_title: 'Trader', educator_bio: 'B' };
  assert.deepEqual((done[1]?.[1] as User).educator, educator);
  const own = ruling();
  await own.rules.changeProfile(ADA, { username: 'a', profile: { educator_bio: 'B' } } as never, BY_ROOT);
  const [update, audit] = own.done;
  const { username, educator: merged } = update?.[1] as User;
  assert.deepEqual([username, merged, audit?.[1]], ['a', educator, 'user.profile-changed']);
});

test('another address is not verified, and its owner is mailed; the same one changes nothing of that', async () => {
  const { rules, done } = ruling();
  await rules.update(userOf(), { email: ' NEW@example.com' }, SERVICE);
  const { email, emailVerified } = done[1]?.[1] as User;
  assert.deepEqual(
    [email, emailVerified, done.at(-1)],
    ['new@example.com', false, ['mail', 'new@example.com']],
  );
  const same = ruling();
  await same.rules.update(userOf(), { email: 'ADA@example.com', firstName: 'Other' }, SERVICE);
  assert.equal((same.done[1]?.[1] as User).emailVerified, true);
  assert.ok(!same.kinds().includes('mail'));
});

test('nothing is written where nothing changes', async () => {
  const { rules, done } = ruling();
  const { updatedAt } = await rules.change(ADA, SERVICE, { action: 'a', changed: () => ({}) });
  assert.deepEqual([updatedAt, done], [new Date(0), []]);
});

test('an address or a username that was taken meanwhile is refused by name, and other faults are passed on', async () => {
  const duplicate = (constraint: string) => Object.assign(new Error('d'), { code: '23505', constraint });
  for (const [saving, code] of [
    [duplicate('user_email_key'), /EMAIL/],
    [duplicate('user_username_key'), /USERNAME/],
    [new Error('away'), /away/],
  ] as const) {
    const { rules, codeOf } = ruling({ saving });
    assert.match((await codeOf(rules.update(userOf(), { firstName: 'A' }, SERVICE))) ?? '', code);
  }
});

test('an administrator who changes or deletes an account must still have the permission when the change is made', async () => {
  const act = {
    update: ({ rules }: ReturnType<typeof ruling>) => rules.update(userOf(), { firstName: 'A' }, BY_ROOT),
    give: ({ rules }: ReturnType<typeof ruling>) => rules.setPermissions(ADA, () => [], true, BY_ROOT),
    remove: ({ rules }: ReturnType<typeof ruling>) =>
      rules.remove(ADA, BY_ROOT, { check: async () => undefined }),
  };
  for (const [what, by, code] of [
    ['update', undefined, '401 INVALID_TOKEN'],
    ['update', { isActive: false }, '401 INVALID_TOKEN'],
    ['update', { permissions: ['write_users'] }, '403 FORBIDDEN'],
    ['give', { permissions: ['write_users'] }, undefined],
    ['give', { permissions: ['moderator'] }, '403 FORBIDDEN'],
    ['remove', { permissions: ['write_users'] }, '403 FORBIDDEN'],
    ['remove', {}, undefined],
  ] as [keyof typeof act, Partial<User> | undefined, string | undefined][]) {
    const made = ruling({ by });
    assert.equal(await made.codeOf(act[what](made)), code, `${what} ${JSON.stringify(by)}`);
    if (code) assert.ok(!made.kinds().includes('update') && !made.kinds().includes('erase'));
  }
  for (const what of ['give', 'remove'] as const) {
    const gone = ruling({ user: undefined });
    assert.equal(await gone.codeOf(act[what](gone)), '404 NOT_FOUND');
  }
});

test('`admin` is given and taken only by those who may, also if they lose it meanwhile', async () => {
  const admin = { permissions: ['admin'] };
  const set = async (next: string[], may: boolean, state: State = {}, actor = BY_ROOT) => {
    const { rules, codeOf } = ruling({ hasOther: true, ...state });
    return codeOf(rules.setPermissions(ADA, () => next, may, actor));
  };
  assert.equal(await set(['admin'], true), undefined);
  assert.equal(await set(['admin'], false), '403 FORBIDDEN');
  assert.equal(await set([], false, { user: admin }), '403 FORBIDDEN');
  assert.equal(await set(['admin', 'x'], false, { user: admin }), undefined, 'it stays');
  assert.equal(await set(['admin'], true, { by: { permissions: ['write_users'] } }), '403 FORBIDDEN');
  assert.equal(await set(['admin'], true, {}, SERVICE), undefined);
});

test('the last active administrator remains, and others do not need another', async () => {
  const admin = { permissions: ['admin'] };
  for (const [user, changes, hasOther, code] of [
    [admin, { isActive: false }, false, '409 LAST_ADMINISTRATOR'],
    [admin, { isActive: false }, true, undefined],
    [admin, { permissions: [] }, false, '409 LAST_ADMINISTRATOR'],
    [admin, { firstName: 'A' }, false, undefined],
    [{ ...admin, isActive: false }, { permissions: [] }, false, undefined],
    [{}, { isActive: false }, false, undefined],
  ] as [Partial<User>, Partial<User>, boolean, string | undefined][]) {
    const { rules, codeOf } = ruling({ user, hasOther });
    const changed = codeOf(rules.change(ADA, SERVICE, { action: 'a', changed: () => changes }));
    assert.equal(await changed, code, JSON.stringify([user, changes, hasOther]));
  }
  const remove = (state: State) => {
    const { rules, codeOf } = ruling(state);
    return codeOf(rules.remove(ADA, SERVICE, { check: async () => undefined }));
  };
  assert.equal(await remove({ user: admin }), '409 LAST_ADMINISTRATOR');
  assert.equal(await remove({ user: { ...admin, isActive: false } }), undefined);
  assert.equal(await remove({ user: admin, hasOther: true }), undefined);
});

test('a deletion ends sessions, erases, is recorded and told, and a trial of it only checks', async () => {
  const { rules, done, kinds, published } = ruling();
  await rules.remove(ADA, SERVICE, { remainingKeys: 'forfeit', check: async () => undefined });
  assert.deepEqual(kinds(), ['end', 'erasing', 'erase', 'publish', 'audit', 'tell']);
  assert.deepEqual(done[0], ['end', ADA, {}, 'account deleted']);
  assert.deepEqual(done[1], ['erasing', ADA, 'forfeit']);
  assert.deepEqual(done[4], ['audit', 'user.deleted', ADA, { remainingKeys: 'forfeit' }]);
  const { isActive, permissions, firstName } = published[0] ?? {};
  assert.deepEqual([isActive, permissions, firstName], [false, [], '']);
  const plain = ruling();
  await plain.rules.remove(ADA, SERVICE, { check: async () => undefined });
  assert.deepEqual([plain.done[1], plain.done[4]?.[3]], [['erasing', ADA, 'none'], undefined]);
  const trial = ruling();
  await trial.rules.remove(ADA, SERVICE, { check: async () => undefined, isTrial: true });
  assert.ok(!trial.kinds().includes('tell'));
  const refused = ruling();
  const check = () => Promise.reject(new Error('not now'));
  assert.equal(await refused.codeOf(refused.rules.remove(ADA, SERVICE, { check, isTrial: true })), 'not now');
  assert.deepEqual(refused.done, []);
});

test('an account is created in the directory if it has a password', async () => {
  const draft = { email: ' ADA@example.com', firstName: 'Ada', lastName: 'L', permissions: [] } as never;
  const { rules, done } = ruling();
  await rules.create({ ...(draft as object), password: 'p' } as never, SERVICE);
  const [fit, register, create, ...rest] = done;
  assert.deepEqual(
    [fit, register],
    [
      ['fit', 'p', 'ada@example.com'],
      ['register', 'ada@example.com'],
    ],
  );
  assert.equal((create?.[1] as User).customerId, 'C-registered');
  assert.deepEqual(rest, [
    ['enrol'],
    ['audit', 'user.created', ADA, { email: 'ada@example.com', permissions: ['educator'] }],
  ]);
  const named = ruling();
  await named.rules.create({ ...(draft as object), password: 'p', customerId: 'C-1' } as never, SERVICE);
  assert.equal((named.done[2]?.[1] as User).customerId, 'C-1');
  const without = ruling();
  await without.rules.create(draft, SERVICE);
  assert.deepEqual(without.kinds(), ['create', 'audit']);
  assert.equal((without.done[0]?.[1] as User).customerId, null);
});

test('sessions that an administrator ends are recorded and told if there were any', async () => {
  const { rules, done } = ruling({ ended: 2 });
  assert.equal(await rules.endSessions(ADA, {}, BY_ROOT), 2);
  assert.deepEqual(done, [
    ['end', ADA, {}, 'ended by an administrator'],
    ['audit', 'user.sessions-ended', ADA, { ended: 2 }],
    ['tell', ADA],
  ]);
  const none = ruling({ ended: 0 });
  assert.equal(await none.rules.endSessions(ADA, { platform: 'web' }, BY_ROOT), 0);
  assert.deepEqual(none.kinds(), ['end']);
  const unknown = ruling({ ended: 0 });
  const refused = unknown.rules.endSessions(ADA, { sessionId: 's' }, BY_ROOT);
  assert.equal(await unknown.codeOf(refused), '404 NOT_FOUND');
  assert.deepEqual(unknown.kinds(), ['end']);
});
