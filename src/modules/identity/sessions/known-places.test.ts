import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, at, sessionOf, sessionTables } from '../../../../test/support/session-tables.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { type KnownPlace, knownPlaceStore } from './known-places.store.ts';
import { newSignIns } from './new-sign-ins.ts';
import type { Session } from './sessions.model.ts';

const { database, newId, within, newUser, open, opened } = await sessionTables();

test('places are new once, seen to the day, and the oldest are forgotten first', async () => {
  const [ada, ben] = [await newUser(), await newUser()];
  const [phone, desk, range] = [
    { kind: 'device', name: 'Phone' },
    { kind: 'device', name: 'Desk' },
    { kind: 'range', name: '192.0.2.0/24' },
  ] as [KnownPlace, KnownPlace, KnownPlace];
  const note = (places: KnownPlace[], seenAt = AT, of = ada) =>
    within((tx) => knownPlaceStore.note(tx, of, places, seenAt));
  const places = () =>
    database.all('select name, seen_at from identity.known_place where user_id = $1 order by name', [ada]);
  assert.deepEqual(await note([phone, range], at(-3 * DAY_MS)), [phone, range]);
  assert.deepEqual(await note([phone, desk], at(-2 * DAY_MS - 1)), [desk]);
  assert.deepEqual(await note([desk], at(-DAY_MS - 1)), []);
  assert.deepEqual(await note([phone]), []);
  assert.deepEqual(await note([phone], AT, ben), [phone]);
  assert.deepEqual(await places(), [
    { name: '192.0.2.0/24', seenAt: at(-3 * DAY_MS) },
    { name: 'Desk', seenAt: at(-2 * DAY_MS - 1) },
    { name: 'Phone', seenAt: AT },
  ]);
  const countOf = (id: ObjectId) => within((tx) => knownPlaceStore.count(tx, id));
  assert.deepEqual([await countOf(ada), await countOf(ben), await countOf(newId())], [3, 1, 0]);
  await within((tx) => knownPlaceStore.keepNewest(tx, ada, 2));
  assert.deepEqual(
    (await places()).map(({ name }) => name),
    ['Desk', 'Phone'],
  );
  await within((tx) => knownPlaceStore.forget(tx, ada, [desk, { kind: 'range', name: 'Phone' }]));
  assert.deepEqual(
    (await places()).map(({ name }) => name),
    ['Phone'],
  );
  assert.equal(await countOf(ben), 1);
  const [first, second] = [
    await opened(ada, { device: 'A', address: '192.0.2.1' }),
    await opened(ada, { device: 'B', address: '192.0.2.2' }),
  ];
  const former = (limit: number, except: ObjectId) =>
    within((tx) => knownPlaceStore.ofSessions(tx, ada, { except, limit }));
  assert.deepEqual(await former(1, newId()), [{ device: 'B', address: '192.0.2.2' }]);
  assert.deepEqual(await former(9, second), [{ device: 'A', address: '192.0.2.1' }]);
  assert.deepEqual((await former(9, first)).length, 1);
});

test('members are mailed about new places, but not about those that they used before places were stored', async () => {
  const mails: object[] = [];
  const rules = newSignIns({
    events: { publish: async (_tx: unknown, _kind: unknown, data: object) => mails.push(data) } as never,
  });
  const ada = await newUser();
  const owner = { email: 'ada@example.com', firstName: 'Ada' };
  await opened(ada, { device: 'Phone', address: '192.0.2.1' });
  const signIn = async (fields: Partial<Session>) => {
    const session = sessionOf(ada, fields);
    await open(session);
    await within(async (tx) => rules.tell(tx, owner, session, await rules.note(tx, session)));
    return mails.length;
  };
  assert.equal(await signIn({ device: 'Phone', address: '192.0.2.9' }), 0, 'the same range, from before');
  assert.equal(await signIn({ device: 'Phone', address: '192.0.2.9' }), 0);
  assert.equal(await signIn({ device: 'Desk', address: '192.0.2.9' }), 1);
  assert.equal(await signIn({ device: 'Phone', address: '198.51.100.1' }), 2);
  const { sessionId: _, at: __, ...mail } = mails[0] as Record<string, unknown>;
  assert.deepEqual(mail, { userId: ada, ...owner, platform: 'web', device: 'Desk', address: '192.0.2.9' });
  const ben = await newUser();
  const first = sessionOf(ben);
  await open(first);
  await within(async (tx) => rules.tell(tx, owner, first, await rules.note(tx, first)));
  assert.equal(mails.length, 3, 'the first place of all is new');
  await within((tx) => rules.forget(tx, ben, first));
  const again = sessionOf(ben, { platform: 'app' });
  assert.equal((await within((tx) => rules.note(tx, again))).length, 2);
});
