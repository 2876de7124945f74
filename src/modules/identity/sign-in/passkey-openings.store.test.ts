import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, at, sessionOf, sessionTables, tokenOf } from '../../../../test/support/session-tables.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { knownPlaceStore } from '../sessions/known-places.store.ts';
import type { Session } from '../sessions/sessions.model.ts';
import { passkeyOpeningStore } from './passkey-openings.store.ts';

const { database, store, within, newUser, opened, isEnded, addPasskey } = await sessionTables();
const openings = passkeyOpeningStore(database);

test('ordinary sign-ins by passkey are opened together, and all others are left out', async () => {
  const asked = async (
    fields: {
      session?: Partial<Session>;
      counter?: number;
      stored?: number;
      version?: number;
      places?: string[];
      user?: Record<string, unknown>;
    } = {},
  ) => {
    const userId = await newUser(fields.user);
    const session = sessionOf(userId, { device: 'Phone', method: 'passkey', ...fields.session });
    const passkey = await addPasskey(userId, fields.stored);
    const known = fields.places ?? ['device Phone', 'range 192.0.2.0/24'];
    await within((tx) =>
      knownPlaceStore.note(
        tx,
        userId,
        known.map((one) => {
          const [kind, name] = one.split(' ') as ['device', string];
          return { kind, name };
        }),
        at(-2 * DAY_MS),
      ),
    );
    const use = { id: passkey, counter: fields.counter ?? 6, backedUp: true };
    return { session, token: tokenOf(), use: use as never, credentialVersion: fields.version ?? 0 };
  };
  const ordinary = [
    await asked(),
    await asked({ counter: 0, stored: 0 }),
    await asked({ user: { credential_version: 2 }, version: 2 }),
  ];
  const replacing = await asked();
  const former = await opened(replacing.session.userId, { device: 'Phone' });
  const apart = await asked();
  const elsewhere = await opened(apart.session.userId, { device: 'Phone', platform: 'app' });
  const others = [
    await asked({ counter: 5 }),
    await asked({ counter: 0 }),
    await asked({ version: 1 }),
    await asked({ places: ['device Phone'] }),
    await asked({ places: ['range 192.0.2.0/24', 'device Desk'] }),
    await asked({ user: { is_active: false } }),
    await asked({ user: { deleted_at: AT } }),
  ];
  const found = await openings.open([...ordinary, ...others, replacing, apart]);
  const expected = [...ordinary, apart].map(({ session }) => ({ id: session.id, hasReplaced: false }));
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  assert.deepEqual(
    found.toSorted(byId),
    [...expected, { id: replacing.session.id, hasReplaced: true }].toSorted(byId),
  );
  assert.deepEqual([await isEnded(former), await isEnded(elsewhere)], [true, false]);
  for (const { session } of others) assert.equal(await isEnded(session.id), undefined);
  const [one] = ordinary as [(typeof ordinary)[number]];
  const passkey = await database.first('select counter, backed_up from identity.passkey where user_id = $1', [
    one.session.userId,
  ]);
  assert.deepEqual(passkey, { counter: 6, backedUp: true });
  const untouched = await database.first('select counter from identity.passkey where user_id = $1', [
    others[0]?.session.userId,
  ]);
  assert.deepEqual(untouched, { counter: 5 });
  const seen = (userId: ObjectId | undefined) =>
    database.all('select seen_at from identity.known_place where user_id = $1', [userId]);
  assert.deepEqual(await seen(one.session.userId), [{ seenAt: AT }, { seenAt: AT }]);
  assert.deepEqual(await seen(others[0]?.session.userId), [
    { seenAt: at(-2 * DAY_MS) },
    { seenAt: at(-2 * DAY_MS) },
  ]);
  const { generation, usedAt, expiresAt } = (await store.findToken(one.token.digest)) ?? assert.fail();
  assert.deepEqual([generation, usedAt, expiresAt], [1, null, one.token.expiresAt]);
  assert.deepEqual(await openings.open([]), []);
});

test('a sign-in by passkey that meets a lock is left out, and delays nobody', async () => {
  const userId = await newUser();
  const passkey = await addPasskey(userId);
  await within((tx) =>
    knownPlaceStore.note(
      tx,
      userId,
      [
        { kind: 'device', name: 'Phone' },
        { kind: 'range', name: '192.0.2.0/24' },
      ],
      AT,
    ),
  );
  const former = await opened(userId, { device: 'Phone' });
  const attempt = () => {
    const session = sessionOf(userId, { device: 'Phone', method: 'passkey' });
    const use = { id: passkey, counter: 9, backedUp: false } as never;
    return openings.open([{ session, token: tokenOf(), use, credentialVersion: 0 }]);
  };
  for (const [table, id] of [
    ['user', userId],
    ['session', former],
  ])
    await within(async (tx) => {
      await tx.all(`select id from identity.${table} where id = $1 for no key update`, [id]);
      assert.deepEqual(await attempt(), [], table);
    });
  assert.equal((await attempt()).length, 1);
});
