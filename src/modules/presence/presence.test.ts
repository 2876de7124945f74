import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChatroom } from '../../../sdk/src/index.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { url, database } = platform;
type Member = Awaited<ReturnType<typeof platform.newMember>>;
const [ada, ben, eve] = [await platform.newMember(), await platform.newMember(), await platform.newMember()];
const open = ({ accessToken }: Member) => LiveClient.open(url, accessToken);
const newRoom = async (): Promise<string> =>
  (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data.id;
const eventsOf = (client: LiveClient, { id }: Member): string[] =>
  client.all('user:online').flatMap(({ data }) => (data.userId === id ? [data.status] : []));

/** Makes strangers present in a room, by their numbers. */
const fillerOf = (room: string) => (from: number, to: number) =>
  database.execute(
    `insert into presence.present (room_id, user_id, process_id)
     select $1, 'c' || lpad(to_hex(n), 23, '0'), process_id from generate_series($2::int, $3::int) n,
       (select process_id from presence.present limit 1) known`,
    [room, from, to],
  );

test('a subscriber receives the present members, each once, and later arrivals and departures', async () => {
  const room = await newRoom();
  const [hers, hersToo, his] = [await open(ada), await open(ada), await open(ben)];
  assert.deepEqual((await hers.enter(room)).data.online, [ada.id]);
  assert.deepEqual((await hersToo.enter(room)).data.online, [ada.id]);
  const { data } = await his.enter(room);
  assert.deepEqual([data.activeNow, data.online], [2, [ada.id, ben.id].sort()]);
  await hers.next(({ type, data }) => type === 'user:online' && data.userId === ben.id);
  his.close();
  await until(() => eventsOf(hers, ben).includes('offline'), 'he went');
  assert.deepEqual((await hersToo.enter(room)).data.online, [ada.id]);
  for (const client of [hers, hersToo]) client.close();
});

test('a subscription for a badge receives messages without showing the member, until the same connection is present', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  await hers.enter(room);
  const { data } = await his.enter(room, { present: false });
  assert.deepEqual([data.activeNow, data.online], [1, [ada.id]]);
  await hers.say(room, 'hello');
  await his.next(({ type }) => type === 'chat:message');
  assert.deepEqual((await his.enter(room)).data.online, [ada.id, ben.id].sort());
  await until(() => eventsOf(hers, ben).includes('online'), 'he is announced once he looks at the room');
  await his.enter(room, { present: false });
  await until(() => eventsOf(hers, ben).at(-1) === 'offline', 'he looks at it no longer');
  await hers.say(room, 'still there?');
  await his.next(({ data }) => data.message === 'still there?');
  for (const client of [hers, his]) client.close();
});

test('a member who returns within five seconds is announced to those who arrived meanwhile', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  await hers.enter(room);
  await his.enter(room);
  his.close();
  await his.closing();
  const late = await open(eve);
  await late.enter(room);
  const back = await open(ben);
  await back.enter(room);
  await until(() => eventsOf(late, ben).at(-1) === 'online', 'he is back');
  back.close();
  await until(() => eventsOf(late, ben).at(-1) === 'offline', 'he is gone');
  for (const client of [hers, late]) client.close();
});

test('a member who keeps leaving and returning is announced a few times, and finally as they are', async () => {
  const room = await newRoom();
  const [hers, his] = [await open(ada), await open(ben)];
  await hers.enter(room);
  for (let time = 0; time < 20; time++) {
    await his.enter(room);
    await his.ask({ type: 'unsubscribe', channel: 'chatroom', chatroomId: room });
  }
  const late = await open(eve);
  await late.enter(room);
  await his.enter(room);
  await until(() => eventsOf(late, ben).includes('online'), 'who came meanwhile hears of him', 60_000);
  // How often depends on how long it took, which is seconds on a busy machine.
  assert.ok(eventsOf(hers, ben).length < 10, String(eventsOf(hers, ben)));
  his.close();
  await until(() => eventsOf(hers, ben).at(-1) === 'offline', 'he is gone', 60_000);
  for (const client of [hers, late]) client.close();
});

test('rooms of more than 200 members announce only their number', async () => {
  const room = await newRoom();
  const his = await open(ben);
  const fill = fillerOf(room);
  await his.enter(room);
  await fill(1, 199);
  const full = await his.enter(room);
  assert.deepEqual([full.data.activeNow, full.data.online.length], [200, 200]);
  await fill(200, 200);
  const over = await his.enter(room);
  assert.deepEqual([over.data.activeNow, over.data.online], [201, undefined]);
  his.close();
});

test('the count of a very large room is refreshed at intervals', async () => {
  const room = await newRoom();
  const fill = fillerOf(room);
  const his = await open(ben);
  await his.enter(room);
  await fill(1, 500);
  assert.equal((await his.enter(room)).data.activeNow, 501);
  await fill(501, 600);
  await until(async () => (await his.enter(room)).data.activeNow === 601, 'it is counted anew');
  his.close();
});
