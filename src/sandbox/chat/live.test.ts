import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { liveClient } = (await import('./live.js' as string)) as Loose;

test('the client to be copied comes back to all its rooms, and repeats what was refused for the moment', async () => {
  const ada = await platform.newMember();
  const rows = await platform.database.all(
    `insert into chat.room (id, name, type, created_by, created_at, updated_at)
     select 'd' || lpad(to_hex(n), 23, '0'), 'no. ' || n, 'public', $1, now(), now()
     from generate_series(1, 128) n returning id`,
    [ada.id],
  );
  const rooms = rows.map(({ id }) => id as string);
  const events: Loose[] = [];
  const states: string[] = [];
  const client = liveClient({
    url: platform.url,
    token: () => ada.accessToken,
    onEvent: (event: Loose) => events.push(event),
    onState: (state: string) => states.push(state),
  });
  after(() => client.close());
  const entered = () =>
    new Set(events.filter(({ type }) => type === 'subscribe:success').map(({ data }) => data.chatroomId));
  const isIn = () => rooms.every((room) => entered().has(room));
  await until(() => states.at(-1) === 'connected', 'the connection', 60_000);
  for (let number = 0; number < 600; number++) client.typing(rooms[0]);
  for (const room of rooms) client.enter(room);
  await until(isIn, 'all rooms in the end', 120_000);
  const refused = events.filter(({ type }) => type === 'subscribe:error').map(({ data }) => data.code);
  assert.deepEqual([...new Set(refused)], ['RATE_LIMIT_EXCEEDED'], 'some were refused for the moment');
  assert.deepEqual(states, ['connecting', 'connected']);

  events.length = 0;
  client.drop();
  await until(isIn, 'all rooms after a reconnect', 120_000);
  assert.equal(events.filter(({ type }) => type === 'subscribe:error').length, 0);
  client.say(rooms[0], 'still here');
  await until(() => events.some(({ data }) => data.message === 'still here'), 'what it said');
});
