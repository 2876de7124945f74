import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grantTables, nextId } from '../../../../test/support/grant-tables.ts';
import { AT } from '../../../../test/support/grants.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import { webhookEventStore } from '../webhooks/webhook-events.store.ts';
import { holderStore } from './holders.store.ts';
import { spellingStore } from './spellings.store.ts';

// What is stored of members beside their grants: handles, their spellings, and events of the backoffice.

const { database, within, newIndicator, newGrant } = await grantTables();
const holders = holderStore();
const at = (ms: number) => new Date(AT.getTime() + ms);
const find = (userId: string) => within((tx) => holders.find(tx, userId));
const spell = (handle: string, now = AT) => spellingStore.find(database, handle, now);

test('a saved handle and that of a request are kept apart, and replaced', async () => {
  const [ada, ben] = [nextId(), nextId()];
  const save = (userId: string, column: 'saved_handle' | 'request_handle', handle: string) =>
    within((tx) => holders.save(tx, userId, column, handle));
  await save(ada, 'saved_handle', 'ada');
  await save(ada, 'request_handle', 'ada2');
  await save(ada, 'saved_handle', 'ada3');
  await save(ben, 'request_handle', 'ben');
  assert.deepEqual(await find(ada), { savedHandle: 'ada3', requestHandle: 'ada2' });
  assert.deepEqual(await find(ben), { savedHandle: null, requestHandle: 'ben' });
  assert.equal(await find(nextId()), undefined);
});

test('the spelling of a handle is known for a day, however it is written', async () => {
  await spellingStore.save(database, 'AdaTrades', AT);
  assert.deepEqual([await spell('adatrades'), await spell('ADATRADES')], ['AdaTrades', 'AdaTrades']);
  assert.equal(await spell('ada'), undefined);
  assert.equal(await spell('adatrades', at(DAY_MS - 1)), 'AdaTrades');
  assert.equal(await spell('adatrades', at(DAY_MS + 1)), undefined);
  await spellingStore.save(database, 'ADAtrades', at(5));
  assert.equal(await spell('adatrades', at(DAY_MS + 1)), 'ADAtrades');
  await within((tx) => spellingStore.forget(tx, 'adaTRADES'));
  assert.equal(await spell('adatrades'), undefined);
});

test('the handles of an erased member are erased in each spelling, and those of nobody else', async () => {
  const [ada, ben] = [nextId(), nextId()];
  const { id: indicatorId } = await newIndicator();
  await newGrant({ indicatorId, userId: ada, handle: 'Granted' });
  await within(async (tx) => {
    await holders.save(tx, ada, 'saved_handle', 'Saved');
    await holders.save(tx, ada, 'request_handle', 'Requested');
    await holders.save(tx, ben, 'saved_handle', 'Ben');
  });
  for (const handle of ['saved', 'requested', 'granted', 'ben'])
    await spellingStore.save(database, handle, AT);
  const isErased = (userId: string) => within((tx) => holders.isErased(tx, userId));
  assert.deepEqual([await isErased(ada), await isErased(nextId())], [false, false]);
  await within((tx) => holders.erase(tx, ada, AT));
  assert.deepEqual([await isErased(ada), await isErased(ben)], [true, false]);
  assert.deepEqual(await find(ada), { savedHandle: null, requestHandle: null });
  assert.deepEqual((await find(ben))?.savedHandle, 'Ben');
  const left = await Promise.all(['saved', 'requested', 'granted', 'ben'].map((handle) => spell(handle)));
  assert.deepEqual(left, [undefined, undefined, undefined, 'ben']);
  const nobody = nextId();
  await within((tx) => holders.erase(tx, nobody, AT));
  assert.equal(await isErased(nobody), true, 'also one of whom nothing was stored');
});

test('the newest event and the answers are kept by kind, member and id', async () => {
  const [ada, ben] = [nextId(), nextId()];
  const newest = (userId: string, kind: 'access' | 'activity') =>
    within((tx) => webhookEventStore.newestOf(tx, userId, kind));
  const note = (userId: string, kind: 'access' | 'activity', ms: number) =>
    within((tx) => webhookEventStore.noteOccurred(tx, userId, kind, at(ms)));
  assert.equal(await newest(ada, 'access'), null);
  await note(ada, 'access', 1);
  await note(ada, 'activity', 2);
  await note(ada, 'access', 3);
  assert.deepEqual([await newest(ada, 'access'), await newest(ada, 'activity')], [at(3), at(2)]);
  assert.equal(await newest(ben, 'access'), null);
  const answerOf = (kind: 'access' | 'activity', eventId: string) =>
    within((tx) => webhookEventStore.answerOf(tx, kind, eventId));
  await within((tx) =>
    webhookEventStore.keepAnswer(tx, {
      kind: 'access',
      eventId: 'e1',
      answer: { userId: ada },
      createdAt: AT,
    }),
  );
  assert.deepEqual(await answerOf('access', 'e1'), { userId: ada });
  assert.deepEqual(
    [await answerOf('activity', 'e1'), await answerOf('access', 'e2')],
    [undefined, undefined],
  );
});
