import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../../test/support/locked-rows.ts';
import { AT, at, sessionOf, sessionTables, tokenOf } from '../../../../test/support/session-tables.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { elevationStore } from './elevation.store.ts';
import type { RefreshToken, SessionTarget } from './sessions.model.ts';

const { store, database, newId, within, newUser, open, opened, end, isEnded } = await sessionTables();

test('sessions are read in the order that was asked, with the present data of their users', async () => {
  const [ada, ben] = [
    await newUser({ has_factor: true, email_verified: true, permissions: ['reader'] }),
    await newUser({ is_active: false }),
  ];
  const [one, two, three] = [await opened(ada), await opened(ben), await opened(ada, { device: 'Phone' })];
  await end(ada, { sessionId: three });
  const unknown = newId();
  const found = await store.findAll([three, unknown, one, two, one]);
  assert.deepEqual(
    found.map((one) => one && [one.sessionId, one.isActive, one.isEnded, one.hasFactor, one.isEmailVerified]),
    [
      [three, true, true, true, true],
      undefined,
      [one, true, false, true, true],
      [two, false, false, false, false],
      [one, true, false, true, true],
    ],
  );
  assert.deepEqual([found[2]?.permissions, found[2]?.elevatedUntil], [['reader'], null]);
  assert.deepEqual(await store.endedOf([one, two, three, unknown]), [two, three, unknown]);
});

test('one session is active for a user, platform and device; opening another ends it', async () => {
  const ada = await newUser();
  const first = await opened(ada);
  assert.equal(await open(sessionOf(ada, { device: 'Phone' })), false);
  assert.equal(await open(sessionOf(ada, { platform: 'app' })), false);
  assert.equal(await open(sessionOf(await newUser())), false);
  assert.equal(await isEnded(first), false);
  assert.equal(await open(sessionOf(ada)), true);
  assert.equal(await isEnded(first), true);
  const ending = await database.first('select ended_because as why from identity.session where id = $1', [
    first,
  ]);
  assert.deepEqual(ending, { why: 'replaced' });
});

test('sessions are ended by platform, device or id, or all but one', async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  const all = async () => [
    await opened(ada, { platform: 'web', device: 'Phone' }),
    await opened(ada, { platform: 'app', device: 'Phone' }),
    await opened(ada, { platform: 'web', device: 'Desk' }),
  ];
  const other = await opened(ben, { device: 'Phone' });
  const ended = async (targetOf: (ids: ObjectId[]) => SessionTarget) => {
    const ids = await all();
    const count = await end(ada, targetOf(ids));
    return [count, ...(await Promise.all(ids.map(isEnded)))];
  };
  assert.deepEqual(await ended(() => ({ platform: 'web' })), [2, true, false, true]);
  assert.deepEqual(await ended(() => ({ device: 'Phone' })), [2, true, true, false]);
  assert.deepEqual(await ended(() => ({ device: 'Phone', platform: 'app' })), [1, false, true, false]);
  assert.deepEqual(await ended((ids) => ({ sessionId: String(ids[1]) })), [1, false, true, false]);
  assert.deepEqual(await ended((ids) => ({ except: String(ids[1]) })), [2, true, false, true]);
  assert.deepEqual(await ended(() => ({})), [3, true, true, true]);
  assert.equal(await end(ada, {}), 0);
  assert.equal(await isEnded(other), false);
});

test('active sessions are listed newest first', async () => {
  const ada = await newUser();
  const old = await opened(ada, { device: 'Old', createdAt: at(-5) });
  const [one, two] = [await opened(ada, { device: 'A' }), await opened(ada, { device: 'B' })];
  const gone = await opened(ada, { device: 'C' });
  await end(ada, { sessionId: gone });
  const { items, total } = await store.pageOf(ada, { page: 1, limit: 9 });
  assert.deepEqual([items.map(({ id }) => id), total], [[two, one, old], 3]);
});

test('a session is found again as the one that replaced it on its device, unless one ended otherwise', async () => {
  const ada = await newUser();
  const on = (deviceId: string | null, createdAt: Date, device = 'Phone') =>
    opened(ada, { device, deviceId, createdAt });
  const first = await on('d1', at(1));
  const second = await on('d1', at(2));
  assert.deepEqual(
    await store.replacementsOf([first, second]),
    new Map([
      [first, second],
      [second, second],
    ]),
  );
  const foreign = await on('d2', at(3));
  assert.deepEqual(await store.replacementsOf([first, foreign]), new Map([[foreign, foreign]]));
  assert.equal((await store.successorsOf(first))[0]?.id, foreign, 'whatever device id the client chooses');
  const last = await on('d1', at(4));
  assert.deepEqual(await store.replacementsOf([first]), new Map([[first, last]]));
  await end(ada, { sessionId: last });
  const fresh = await on('d1', at(5));
  assert.deepEqual(await store.replacementsOf([first, fresh]), new Map([[fresh, fresh]]));
  assert.deepEqual(
    [(await store.successorsOf(first))[0]?.id, (await store.successorsOf(fresh))[0]?.id],
    [fresh, fresh],
    'whoever signs out and in again is the same person',
  );
  const [nameless, named] = [await on(null, at(1), 'unnamed'), await on('d1', at(1), 'Desk')];
  const [later, laterNamed] = [await on(null, at(2), 'unnamed'), await on(null, at(2), 'Desk')];
  assert.deepEqual(
    await store.replacementsOf([nameless, later, named]),
    new Map([[later, later]]),
    'an unnamed device is the same by its id alone',
  );
  const nobody = await on(null, at(3), 'Desk');
  assert.deepEqual(await store.replacementsOf([laterNamed]), new Map([[laterNamed, nobody]]));
  const [idOnly, same] = [await on('d9', at(1), 'unnamed'), await on('d9', at(2), 'unnamed')];
  assert.deepEqual(await store.replacementsOf([idOnly]), new Map([[idOnly, same]]));
  const { device, address, userId } = (await store.successorsOf(fresh))[0] ?? assert.fail();
  assert.deepEqual([device, address, userId], ['Phone', '192.0.2.1', ada]);
  const elsewhere = { platform: 'app', device: 'Phone', deviceId: 'd1', createdAt: at(9) } as const;
  const onAnother = await opened(ada, elsewhere);
  assert.deepEqual(await store.replacementsOf([fresh]), new Map([[fresh, fresh]]), 'on its platform');
  assert.deepEqual(await store.replacementsOf([onAnother]), new Map([[onAnother, onAnother]]));
  assert.equal((await store.successorsOf(onAnother))[0]?.id, onAnother);
  await end(ada, { sessionId: fresh });
  assert.deepEqual(
    [await store.replacementsOf([fresh]), (await store.successorsOf(fresh)).map(({ id }) => id)],
    [new Map(), [onAnother]],
    'one of its name on another platform is of the same person',
  );
  await database.execute('update identity.user set is_active = false where id = $1', [ada]);
  assert.deepEqual(await store.replacementsOf([onAnother]), new Map());
});

test('whoever opened a session has opened those under its device name, and what was passed on, until it is disowned', async () => {
  const ada = await newUser();
  const own = await opened(ada, { device: 'Own', createdAt: at(0) });
  const thief = { device: 'Stolen', address: '203.0.113.9' };
  const first = await opened(ada, { ...thief, createdAt: at(1) });
  const sso = { method: 'sso' } as const;
  const passedOn = await opened(ada, { ...sso, device: 'x', createdAt: at(2) }, first);
  const further = await opened(ada, { ...sso, device: 'y', createdAt: at(3) }, passedOn);
  const onApp = await opened(ada, { ...thief, platform: 'app', createdAt: at(4) });
  const ids = async (id: string) => (await store.successorsOf(id)).map((one) => one.id);
  assert.deepEqual(await ids(first), [first, passedOn, further, onApp]);
  assert.deepEqual(await ids(passedOn), [passedOn, further], 'also of one that was passed on itself');
  await end(ada, { sessionId: first });
  const again = await opened(ada, { ...thief, createdAt: at(5) });
  assert.deepEqual(await ids(first), [passedOn, further, onApp, again]);
  for (const sessionId of await ids(first)) await end(ada, { sessionId }, 'disowned');
  const later = await opened(ada, { ...thief, createdAt: at(6) });
  assert.deepEqual([await ids(first), await ids(later)], [[], [later]]);
  const nameless = await opened(ada, { address: thief.address, createdAt: at(7) });
  const near = await opened(ada, { platform: 'app', address: thief.address, createdAt: at(8) });
  const far = await opened(ada, { platform: 'backoffice', createdAt: at(9) });
  assert.deepEqual(await ids(nameless), [nameless, near], 'unnamed devices are the same at one address');
  assert.deepEqual(await ids(own), [own]);
  await within((tx) =>
    store.endPassedOn(tx, { userId: ada, sessionId: passedOn }, { reason: 'reused', at: at(9) }),
  );
  assert.deepEqual([await isEnded(own), await isEnded(far), await isEnded(later)], [false, false, false]);
});

test('a session that one session passed on, and another from it, end with either', async () => {
  const ada = await newUser();
  const root = await opened(ada, { device: 'Root', createdAt: at(1) });
  const sso = { method: 'sso' } as const;
  const child = await opened(ada, { ...sso, device: 'x', createdAt: at(2) }, root);
  const grandchild = await opened(ada, { ...sso, device: 'y', createdAt: at(3) }, child);
  const endOf = (sessionId: string) =>
    within((tx) => store.endPassedOn(tx, { userId: ada, sessionId }, { reason: 'reused', at: at(4) }));
  await endOf(child);
  assert.deepEqual(await Promise.all([root, grandchild].map(isEnded)), [false, true]);
  const other = await opened(ada, { ...sso, device: 'z', createdAt: at(5) }, root);
  await endOf(root);
  assert.deepEqual(await Promise.all([root, other].map(isEnded)), [false, true]);
});

test('an active session stays so while it is held, and a deleted member is not locked', async () => {
  const ada = await newUser({ credential_version: 3 });
  const session = await opened(ada);
  const isActive = (id: ObjectId) => within((tx) => store.isActive(tx, id));
  assert.deepEqual([await isActive(session), await isActive(newId())], [true, false]);
  await end(ada, {});
  assert.equal(await isActive(session), false);
  const lock = (id: ObjectId) => within((tx) => store.lockUser(tx, id));
  const locked = { credentialVersion: 3, isActive: true, email: `${ada}@example.com`, firstName: 'Ada' };
  assert.deepEqual(await lock(ada), locked);
  const other = await newUser();
  await within((tx) => store.raiseCredentialVersion(tx, ada));
  assert.deepEqual([(await lock(ada))?.credentialVersion, (await lock(other))?.credentialVersion], [4, 0]);
  await database.execute('update identity.user set deleted_at = $2 where id = $1', [ada, AT]);
  assert.equal(await lock(ada), undefined);
});

test('a network is known if the member has had one of their latest sessions there', async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  await opened(ada, { address: '2001:db8::1' });
  await opened(ada, { address: '192.0.2.7', device: 'Phone' });
  const has = (id: ObjectId, network: string) => store.hasSignedInFrom(`${id}@example.com`, network);
  assert.equal(await has(ada, '192.0.2.7'), true);
  assert.equal(await has(ada, '192.0.2.8'), false);
  assert.equal(await has(ben, '192.0.2.7'), false);
  assert.equal(await store.hasSignedInFrom('nobody@example.com', '192.0.2.7'), false);
});

test('refresh tokens are generations of a session, spent once', async () => {
  const ada = await newUser();
  const session = sessionOf(ada);
  const [first, second, third] = [tokenOf(1), tokenOf(2), tokenOf(3)];
  await open(session, undefined, first);
  await within(async (tx) => {
    await store.insertToken(tx, session.id, second);
    await store.insertToken(tx, session.id, third);
    await store.spend(tx, session.id, 1, at(1));
    await store.spend(tx, session.id, 2, at(2));
  });
  const found = async ({ digest }: RefreshToken) => {
    const { usedAt, generation, newestGeneration } = (await store.findToken(digest)) ?? assert.fail();
    return [usedAt, generation, newestGeneration];
  };
  assert.deepEqual(
    [await found(first), await found(second), await found(third)],
    [
      [at(1), 1, 3],
      [at(2), 2, 3],
      [null, 3, 3],
    ],
  );
  const { expiresAt, ...token } = (await store.findToken(third.digest)) ?? assert.fail();
  assert.deepEqual(
    [expiresAt, token.sessionId, token.userId, token.isActive, token.isEnded],
    [third.expiresAt, session.id, ada, true, false],
  );
  const { items } = await store.pageOf(ada, { page: 1, limit: 1 });
  assert.deepEqual(items[0]?.lastUsedAt, at(2));
  await end(ada, {});
  assert.equal((await within((tx) => store.lockPresented(tx, third.digest)))?.isEnded, true);
  assert.equal(await store.findToken(Buffer.from('nothing')), undefined);
});

test('a member or session that is locked is not changed by others meanwhile', async () => {
  const ada = await newUser();
  const session = await opened(ada);
  for (const [rows, id, lock] of [
    ['identity.user', ada, (tx) => store.lockUser(tx, ada)],
    ['identity.session', session, (tx) => store.isActive(tx, session)],
    ['identity.session', session, (tx) => elevationStore(database).lock(tx, session)],
  ] as [string, ObjectId, Parameters<typeof keepsFromChange>[1]][])
    assert.equal(await keepsFromChange(database, lock, `${rows} where id = $1`, [id]), true, String(lock));
});

test('what ended otherwise of another member, platform or device, or earlier, does not part a session from its successor', async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  const place = { device: 'Phone', deviceId: 'd1' } as const;
  const ended = async (userId: ObjectId, fields: Parameters<typeof opened>[1]) =>
    end(userId, { sessionId: await opened(userId, { ...place, createdAt: at(2), ...fields }) });
  await ended(ada, { createdAt: at(0) });
  const first = await opened(ada, { ...place, createdAt: at(1) });
  await ended(ben, {});
  await ended(ada, { platform: 'app' });
  await ended(ada, { device: 'Desk' });
  const second = await opened(ada, { ...place, createdAt: at(3) });
  const ofBen = await opened(ben, { ...place, createdAt: at(4) });
  assert.deepEqual(await store.replacementsOf([first]), new Map([[first, second]]));
  assert.equal((await store.successorsOf(first))[0]?.id, second);
  assert.equal((await store.successorsOf(ofBen))[0]?.id, ofBen);
});

test('a session is locked by its refresh token, and its tokens are spent up to a generation', async () => {
  const ada = await newUser();
  const token = tokenOf(1);
  const session = sessionOf(ada);
  await open(session, undefined, token);
  const rows = 'identity.session where id = $1';
  const lock = (digest: Buffer) =>
    keepsFromChange(database, (tx) => store.lockPresented(tx, digest), rows, [session.id]);
  assert.deepEqual([await lock(token.digest), await lock(tokenOf().digest)], [true, false]);
  const [second, third] = [tokenOf(2), tokenOf(3)];
  for (const one of [second, third]) await within((tx) => store.insertToken(tx, session.id, one));
  const other = sessionOf(await newUser());
  const foreign = tokenOf(1);
  await open(other, undefined, foreign);
  await within((tx) => store.spend(tx, session.id, 2, at(5)));
  await within((tx) => store.spend(tx, session.id, 2, at(9)));
  const usedAt = async ({ digest }: RefreshToken) => (await store.findToken(digest))?.usedAt;
  assert.deepEqual(await Promise.all([token, second, third, foreign].map(usedAt)), [
    at(5),
    at(5),
    null,
    null,
  ]);
  assert.equal((await store.findToken(token.digest))?.newestGeneration, 3);
});
