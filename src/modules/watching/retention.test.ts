import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/time/time.ts';
import { storeSums } from './stored-sums.ts';
import { watchedStore } from './watched.store.ts';

const platform = await startPlatform();
const { clock, database } = platform;
const newId = idMaker(clock);
const educatorId = newId();
const start = new Date(Math.floor(clock.now() / DAY_MS) * DAY_MS - DAY_MS);
await database.insert('watching.session', {
  id: newId(),
  userId: newId(),
  contentType: 'lesson',
  contentId: newId(),
  educatorId,
  platform: 'web',
  startedAt: start,
  seenAt: start,
  endedAt: new Date(start.getTime() + HOUR_MS),
  checkAt: start,
});
const sessions = () => database.count('select count(*) from watching.session');
const turn = () => platform.platform.runJob('watching.turn-months');

test('watched seconds and peaks outlive the sessions, which are not dropped before their sums are stored', async () => {
  const watched = watchedStore(database);
  const day = { from: start, to: new Date(start.getTime() + DAY_MS) };
  const figures = async () => [
    await watched.seconds(day, ['lesson']),
    (await watched.peak({ ...day, educatorId })).peakConcurrent,
  ];
  clock.advance(900 * DAY_MS);
  await database.execute('delete from watching.kept');
  await turn();
  assert.deepEqual([await sessions(), ...(await figures())], [1, 3600, 1], 'its sums are not stored');
  await storeSums(database, new Date(start.getTime() + 2 * DAY_MS));
  await database.execute('update watching.kept set slots_until = $1, days_until = $1', [
    new Date(start.getTime() + 850 * DAY_MS),
  ]);
  await turn();
  assert.deepEqual([await sessions(), ...(await figures())], [0, 3600, 1]);
});
