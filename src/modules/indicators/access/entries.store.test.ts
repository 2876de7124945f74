import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantTables } from '../../../../test/support/grant-tables.ts';
import { AT, EARLIER, entryOf, LATER } from '../../../../test/support/grants.ts';
import { holding } from '../../../../test/support/holding.ts';
import type { Entry, Grant, Origin } from './access.model.ts';
import { entryStore } from './entries.store.ts';

const { database, within, newIndicator, newGrant, entriesOf, untilBlocked } = await grantTables();

/** Grants of one script that are held under these handles, with an entry of an origin for each of these grants. */
async function held(handles: string[], { origin = 'made' as Origin, isConfirmed = true } = {}) {
  const { id: indicatorId, pineId } = await newIndicator();
  const entries = (handle: string): Entry[] => [
    entryOf({ pineId: String(pineId), handle, origin, isConfirmed }),
  ];
  const grants: Grant[] = [];
  for (const handle of handles)
    grants.push(await newGrant({ indicatorId, handle, entries: entries(handle), dueAt: AT }));
  const [first, second] = grants as [Grant, Grant];
  return { indicatorId, pineId: String(pineId), grants, first, second, entry: entries('ada')[0] as Entry };
}
const originsOf = async (grants: Grant[]) =>
  (await Promise.all(grants.map(entriesOf))).map((entries) => entries.map(({ origin }) => origin).join());

test('an entry takes the origin that other grants know of it, and otherwise the given one', async () => {
  const { indicatorId, pineId } = await held(['ADA'], { origin: 'found' });
  const other = await newGrant({ indicatorId, handle: 'ada' });
  const put = (entry: Entry, grant = other) => within((tx) => entryStore.put(tx, grant.id, entry));
  const entry = entryOf({ pineId, handle: 'Ada', isConfirmed: false, origin: 'unknown' });
  assert.deepEqual(await put(entry), { ...entry, origin: 'found' });
  assert.deepEqual(await entriesOf(other), [{ ...entry, origin: 'found' }]);
  assert.equal((await put({ ...entry, handle: 'eve' })).origin, 'unknown');
  assert.equal((await put({ ...entry, pineId: 'PUB;other' })).origin, 'unknown');
});

test('an entry that is put again takes the spelling and whether it is confirmed, not the origin', async () => {
  const { first, pineId } = await held(['ADA'], { origin: 'absent' });
  for (const isConfirmed of [false, true]) {
    const again = entryOf({ pineId, handle: 'aDa', isConfirmed, origin: 'made' });
    await within((tx) => entryStore.put(tx, first.id, again));
    assert.deepEqual(await entriesOf(first), [{ ...again, origin: 'absent' }]);
  }
});

test('an origin changes for all grants of the entry, from one of the given ones', async () => {
  const { grants, entry, indicatorId } = await held(['ada', 'ADA', 'eve'], { origin: 'sent' });
  await newGrant({ indicatorId, handle: 'ada' });
  const set = (from: Origin[], to: Origin, key = entry) =>
    within((tx) => entryStore.setOrigin(tx, key, from, to));
  await set(['unknown', 'absent'], 'made');
  await set(['sent'], 'made', { ...entry, pineId: 'PUB;other' });
  assert.deepEqual(await originsOf(grants), ['sent', 'sent', 'sent']);
  await set(['unknown', 'sent'], 'made');
  assert.deepEqual(await originsOf(grants), ['made', 'made', 'sent']);
  const writtenAt = () =>
    database.first('select min(xmin::text) as at from indicators.entry where origin = $1', ['made']);
  const before = await writtenAt();
  await set(['made'], 'made');
  assert.deepEqual(await writtenAt(), before, 'what stays as it is is not written');
});

test('the origin of an entry is read for its grant, and unknown where there is none', async () => {
  const { first, second, entry, pineId } = await held(['ada', 'eve'], { origin: 'found' });
  const originOf = (grant: Grant, key: Entry) => within((tx) => entryStore.originOf(tx, grant.id, key));
  assert.equal(await originOf(first, { ...entry, handle: 'ADA' }), 'found');
  assert.equal(await originOf(second, entry), 'unknown');
  assert.equal(await originOf(first, entryOf({ pineId, handle: 'eve' })), 'unknown');
  assert.equal(await originOf(first, { ...entry, pineId: 'PUB;other' }), 'unknown');
});

test('one entry or all of a grant are dropped, and those of others stay', async () => {
  const { first, second, entry, pineId } = await held(['ada', 'ada']);
  const more = [entryOf({ pineId, handle: 'eve' }), entryOf({ pineId: 'PUB;old', handle: 'ada' })];
  await within(async (tx) => {
    for (const one of more) await entryStore.put(tx, first.id, one);
    await entryStore.drop(tx, first.id, { ...entry, handle: 'ADA' });
  });
  const left = (await entriesOf(first)).map((one) => `${one.pineId} ${one.handle}`);
  assert.deepEqual(left.sort(), [`PUB;old ada`, `${pineId} eve`].sort());
  await within((tx) => entryStore.dropAll(tx, first.id));
  assert.deepEqual([(await entriesOf(first)).length, (await entriesOf(second)).length], [0, 1]);
});

test('an entry is busy while a call of another grant for it may be under way', async () => {
  const { first, second, entry } = await held(['ada', 'ADA']);
  const lease = (grant: Grant, until: Date) =>
    database.execute('update indicators.access set leased_until = $2 where id = $1', [grant.id, until]);
  const isBusy = (key = entry) => within((tx) => entryStore.isBusy(tx, first.id, key, AT));
  await lease(first, LATER);
  assert.equal(await isBusy(), false);
  await lease(second, EARLIER);
  assert.equal(await isBusy(), false);
  await lease(second, LATER);
  assert.equal(await isBusy(), true);
  assert.equal(await isBusy({ ...entry, handle: 'eve' }), false);
  assert.equal(await isBusy({ ...entry, pineId: 'PUB;other' }), false);
});

test('a handle is shared while another grant wants it on an indicator of the script', async () => {
  const { first, second, entry } = await held(['ada', 'ADA']);
  const isShared = (grant: Grant, key = entry) => within((tx) => entryStore.isShared(tx, grant.id, key));
  assert.equal(await isShared(first), true);
  assert.equal(await isShared(first, { ...entry, handle: 'eve' }), false);
  assert.equal(await isShared(first, { ...entry, pineId: 'PUB;other' }), false);
  await database.execute(
    `update indicators.access set is_wanted = false, status = 'pending_revoke' where id = $1`,
    [second.id],
  );
  assert.equal(await isShared(first), false);
  assert.equal(await isShared(second), true);
});

test('an entry is handed over, unconfirmed, to the first other grant that wants its handle', async () => {
  const { first, second, entry, indicatorId, pineId } = await held(['ada'], { origin: 'sent' }).then(
    async (made) => ({ ...made, second: await newGrant({ ...made, handle: 'ADA' }) }),
  );
  const third = await newGrant({ indicatorId, handle: 'ada' });
  const handOver = (from: Grant, key = entry) => within((tx) => entryStore.handOver(tx, from.id, key));
  assert.equal(await handOver(first), true);
  assert.deepEqual(await entriesOf(second), [{ pineId, handle: 'ada', isConfirmed: false, origin: 'sent' }]);
  assert.deepEqual(await entriesOf(third), []);
  assert.equal(await handOver(first), true, 'a grant that has the entry keeps it');
  assert.equal(await handOver(first, { ...entry, handle: 'eve' }), false);
  await database.execute('delete from indicators.entry where pine_id = $1', [pineId]);
  await handOver(first);
  assert.deepEqual(await originsOf([second]), ['unknown']);
});

test('an entry is not handed over to a grant that another transaction has locked', async () => {
  const { first, second, entry } = await held(['ada', 'ada']);
  await database.execute('delete from indicators.entry where access_id = $1', [second.id]);
  const isGiven = await holding(database, async (tx) => {
    await tx.all('select id from indicators.access where id = $1 for update', [second.id]);
    return within((other) => entryStore.handOver(other, first.id, entry));
  });
  assert.equal(isGiven, false);
  assert.deepEqual(await entriesOf(second), []);
});

test('an entry that is about to be removed is no longer confirmed for any grant', async () => {
  const { grants, entry, pineId } = await held(['ada', 'ADA', 'eve']);
  const elsewhere = await newGrant({
    indicatorId: (await newIndicator()).id,
    entries: [entryOf({ pineId: `${pineId}2`, handle: 'ada' })],
  });
  const confirmed = async () =>
    (await Promise.all([...grants, elsewhere].map(entriesOf))).map(([one]) => one?.isConfirmed);
  const written = () =>
    database.all(`select xmin::text from indicators.entry where pine_id = $1 order by access_id`, [pineId]);
  await within((tx) => entryStore.doubt(tx, entry));
  assert.deepEqual(await confirmed(), [false, false, true, true]);
  const before = await written();
  await within((tx) => entryStore.doubt(tx, entry));
  assert.deepEqual(await written(), before, 'what is doubted already is not written');
});

test('entries are locked in one order by everybody, so that nobody waits in a circle', async () => {
  const [a, b] = ['a', 'b'].map((handle) => entryOf({ pineId: 'PUB;circle', handle })) as [Entry, Entry];
  let other: Promise<void> | undefined;
  let begun = 0;
  await holding(database, async (tx) => {
    begun++;
    await entryStore.lock(tx, [a]);
    other = within((second) => {
      begun++;
      return entryStore.lock(second, [b, a]);
    });
    await untilBlocked();
    await entryStore.lock(tx, [b, { ...a, handle: 'A' }]);
  });
  await other;
  assert.equal(begun, 2, 'a transaction that met a deadlock would begin again');
});
