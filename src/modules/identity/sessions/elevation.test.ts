import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, at, sessionTables } from '../../../../test/support/session-tables.ts';
import type { Failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { HOUR_MS, MINUTE_MS, systemClock } from '../../../kernel/time/time.ts';
import { elevationStore } from './elevation.store.ts';
import { elevationRules } from './elevation.ts';
import type { Session } from './sessions.model.ts';

const { database, newId, within, newUser, opened, end, addPasskey } = await sessionTables();
const elevations = elevationStore(database);
const addApp = (userId: ObjectId, confirmedAt: Date | null = AT) =>
  database.execute(
    `insert into identity.authenticator (user_id, sealed, created_at, confirmed_at) values ($1, '', $2, $3)`,
    [userId, AT, confirmedAt],
  );
const lacksFactor = async (id: ObjectId) => (await elevations.allowance(id, AT))?.lacksFactor;

test('beside a passkey without an app, a session lacks a factor unless a passkey opened it', async () => {
  const [plain, keyed, both, pending] = [await newUser(), await newUser(), await newUser(), await newUser()];
  for (const id of [keyed, both, pending]) await addPasskey(id);
  await addApp(both);
  await addApp(pending, null);
  const lacks = async (id: ObjectId, fields: Partial<Session> = {}, parentId?: ObjectId) =>
    lacksFactor(await opened(id, fields, parentId));
  assert.equal(await lacks(plain), false);
  assert.equal(await lacks(both), false);
  assert.equal(await lacks(keyed), true);
  assert.equal(await lacks(pending), true);
  assert.equal(await lacks(keyed, { method: 'passkey' }), false);
  const lacking = await opened(keyed, { device: 'A' });
  const full = await opened(keyed, { device: 'B', method: 'passkey' });
  assert.equal(await lacks(keyed, { device: 'C', method: 'passkey' }, lacking), true);
  assert.equal(await lacks(keyed, { device: 'D', method: 'passkey' }, full), false);
});

test('sessions that single sign-on has passed on share one allowance', async () => {
  const ada = await newUser();
  const parent = await opened(ada, { device: 'Parent' });
  const child = await opened(ada, { device: 'Child', method: 'sso' }, parent);
  const grandchild = await opened(ada, { device: 'Grandchild', method: 'sso' }, child);
  const [alone, twin] = [
    await opened(ada, { device: 'Alone', method: 'sso' }),
    await opened(ada, { device: 'Twin', method: 'sso' }),
  ];
  const other = await opened(ada, { device: 'Other' }, parent);
  const send = (id: ObjectId, keys: number, sentAt = AT) =>
    within((tx) => elevations.insertSent(tx, id, keys, sentAt));
  for (const [place, id] of [parent, child, grandchild, alone, other].entries()) await send(id, 10 ** place);
  await send(parent, 500, at(-HOUR_MS - 1));
  const sent = async (id: ObjectId) => (await elevations.allowance(id, at(-HOUR_MS)))?.sent;
  assert.deepEqual(await Promise.all([parent, child, grandchild].map(sent)), [111, 111, 111]);
  assert.deepEqual(await Promise.all([alone, twin, other].map(sent)), [1_000, 1_000, 10_000]);
  assert.equal(await elevations.allowance(newId(), AT), undefined);
});

test('a session is elevated while it is active, and then has its factor; elevations end together', async () => {
  const ada = await newUser({ has_factor: true });
  await addPasskey(ada);
  const [one, other] = [await opened(ada), await opened(ada, { device: 'Phone' })];
  const elevate = (id: ObjectId) => within((tx) => elevations.elevate(tx, id, at(5)));
  const stateOf = async (id: ObjectId) => within((tx) => elevations.lock(tx, id));
  assert.equal(await elevate(one), true);
  assert.deepEqual([await lacksFactor(one), await lacksFactor(other)], [false, true]);
  assert.deepEqual(await stateOf(one), { hasFactor: true, elevatedUntil: at(5), isEnded: false });
  assert.deepEqual(await stateOf(other), { hasFactor: true, elevatedUntil: null, isEnded: false });
  const ben = await newUser();
  const ofBen = await opened(ben);
  await elevate(ofBen);
  await within((tx) => elevations.end(tx, ada));
  assert.deepEqual(
    [(await stateOf(one))?.elevatedUntil, (await stateOf(ofBen))?.elevatedUntil],
    [null, at(5)],
  );
  await database.execute('update identity.session set lacks_factor = true where id = $1', [ofBen]);
  await elevate(ofBen);
  assert.equal(await lacksFactor(ofBen), true, 'of a member without a factor');
  await end(ada, {});
  assert.equal(await elevate(one), false);
  assert.equal((await stateOf(one))?.isEnded, true);
  assert.equal(await stateOf(newId()), undefined);
});

test('payments without a step-up are limited for each session with a factor, and refused where it lacks one', async () => {
  const { admitPayment, mayPay, mustHaveSteppedUp, mustBeElevated, elevate } = elevationRules({
    store: elevations,
    clock: systemClock,
    stepUpKeys: 100,
  });
  const ada = await newUser({ has_factor: true });
  const sessionId = await opened(ada);
  const caller = { kind: 'user', userId: ada, sessionId, hasFactor: true, isElevated: false } as UserCaller;
  const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      ({ status, code }: Failure) => `${status} ${code}`,
    );
  const refused = '403 STEP_UP_REQUIRED';
  const pay = (keys: number, by = caller) => codeOf(within((tx) => admitPayment(tx, by, keys)));
  assert.deepEqual(
    [await pay(60), await pay(41), await pay(40), await pay(1)],
    [undefined, refused, undefined, refused],
  );
  assert.deepEqual([await codeOf(mayPay(caller, 1)), await codeOf(mayPay(caller, 0))], [refused, undefined]);
  assert.equal(await codeOf(mayPay({ ...caller, isElevated: true }, 500)), undefined);
  const free = { ...caller, hasFactor: false };
  assert.deepEqual([await codeOf(mayPay(free, 500)), await pay(500, free)], [undefined, undefined]);
  const unknown = { ...caller, sessionId: newId() };
  assert.deepEqual([await codeOf(mayPay(unknown, 1)), await pay(1, unknown)], [refused, '401 INVALID_TOKEN']);
  const guard = (by: UserCaller) => codeOf(within((tx) => mustHaveSteppedUp(tx, by)));
  assert.deepEqual([await guard(caller), await guard(free)], [refused, undefined]);
  assert.equal(await codeOf(within((tx) => mustHaveSteppedUp(tx, { kind: 'service' }))), undefined);
  assert.equal(await codeOf(within((tx) => mustBeElevated(tx, free))), refused, 'a factor came since');
  const until = await within((tx) => elevate(tx, caller));
  assert.ok(until.getTime() - Date.now() > 9 * MINUTE_MS && until.getTime() - Date.now() <= 10 * MINUTE_MS);
  assert.deepEqual([await guard(caller), await pay(500)], [undefined, undefined]);
  await end(ada, {});
  assert.deepEqual([await guard(caller), await pay(1)], ['401 INVALID_TOKEN', '401 INVALID_TOKEN']);
  assert.equal(await codeOf(within((tx) => elevate(tx, caller))), '401 INVALID_TOKEN');
  const lacking = await newUser({ has_factor: true });
  await addPasskey(lacking);
  const without = { ...caller, userId: lacking, sessionId: await opened(lacking) };
  assert.equal(await codeOf(mayPay(without, 1)), refused);
});
