import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Client,
  endSessionsOfUser,
  type LiveState,
  type Room,
  type RoomEvent,
} from '../../sdk/src/index.ts';
import { faultyNetwork } from '../support/faulty-network.ts';
import { PATIENCE_MS, until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { signedUp } from '../support/sdk-members.ts';

const platform = await startPlatform();
const network = await faultyNetwork(platform.url);
const { key: apiKey } = await platform.newKey('admin');
const signedIn = (baseUrl = platform.url) => signedUp(apiKey, baseUrl);
const newRoom = async (api: Client) => (await api.chatrooms.create({ name: 'Gold', type: 'public' })).id;

/** Everything that is said in a room, as it comes. */
function hearing(room: Room): string[] {
  const heard: string[] = [];
  room.on('message', ({ message }) => heard.push(message));
  return heard;
}

/** Subscribes and waits until that holds. */
async function enter(room: Room): Promise<void> {
  await new Promise<void>((resolve) => room.on('entered', () => resolve()));
}

test('messages reach all members in order, and each one is acknowledged', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const [ada, bob] = [await signedIn(), await signedIn()];
  t.after(() => [ada, bob].forEach(({ api }) => void api.live().close()));
  const id = await newRoom(ada.api);
  const heard = hearing(bob.api.live().room(id));
  await enter(bob.api.live().room(id));
  const said = await Promise.all(['one', 'two', 'three'].map((text) => ada.api.live().room(id).send(text)));
  await until(() => heard.length === 3, 'all three');
  assert.deepEqual(heard, ['one', 'two', 'three']);
  assert.deepEqual(
    said.map(({ seq }) => seq),
    [1, 2, 3],
  );
});

test('a room for a badge does not show the member to the others until the room is shown', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const [ada, bob] = [await signedIn(), await signedIn()];
  t.after(() => [ada, bob].forEach(({ api }) => void api.live().close()));
  const id = await newRoom(ada.api);
  const badge = bob.api.live().room(id, { present: false });
  const heard = hearing(badge);
  await enter(badge);
  const watchers: (string[] | undefined)[] = [];
  const seenFrom = ada.api.live().room(id);
  seenFrom.on('entered', ({ online }) => watchers.push(online));
  await until(() => watchers.length === 1, 'she is in the room');
  assert.deepEqual(watchers, [[ada.user.id]]);
  await seenFrom.send('hello');
  await until(() => heard.length === 1, 'it is heard without being present');
  const shown = new Promise<string[]>((resolve) => badge.on('entered', ({ online = [] }) => resolve(online)));
  badge.show(true);
  assert.deepEqual((await shown).toSorted(), [ada.user.id, bob.user.id].toSorted());
});

test('an iteration ends with leaving, and a room that one may not read refuses', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const [ada, bob] = [await signedIn(), await signedIn()];
  t.after(() => [ada, bob].forEach(({ api }) => void api.live().close()));
  const room = ada.api.live().room(await newRoom(ada.api));
  const events: RoomEvent[] = [];
  const isIn = enter(room);
  const iteration = (async () => {
    for await (const event of room) if (events.push(event) === 2) room.leave();
  })();
  await isIn;
  await room.send('hello');
  await iteration;
  assert.deepEqual(
    events.map(({ type }) => type),
    ['entered', 'message'],
  );
  const { id } = await ada.api.chatrooms.create({ name: 'Ours', type: 'private' });
  await assert.rejects(
    async () => {
      for await (const { type } of bob.api.live().room(id)) assert.equal(type, 'left');
    },
    { kind: 'refused' },
  );
  await assert.rejects(bob.api.live().room(id).send('hello'), { kind: 'refused' });
});

test('messages survive cuts: nothing is lost, said twice or out of order', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const [ada, bob] = [await signedIn(network.url), await signedIn(network.url)];
  t.after(() => [ada, bob].forEach(({ api }) => void api.live().close()));
  const id = await newRoom(ada.api);
  const heard = hearing(bob.api.live().room(id));
  await enter(bob.api.live().room(id));
  const texts = Array.from({ length: 60 }, (_, number) => `no. ${number}`);
  const acknowledged = [];
  for (const [place, text] of texts.entries()) {
    acknowledged.push(ada.api.live().room(id).send(text));
    if (place % 20 === 10) {
      network.setAway(true);
      network.setAway(false);
      ada.api.live().reconnect();
      bob.api.live().reconnect();
    }
    if (place % 7 === 0) await acknowledged.at(-1);
  }
  await Promise.all(acknowledged);
  await until(() => heard.length >= texts.length, 'all messages');
  assert.deepEqual(heard, texts);
});

test('a gap longer than the replay of the platform is filled over HTTP', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const [ada, bob] = [await signedIn(), await signedIn(network.url)];
  t.after(() => bob.api.live().close());
  const id = await newRoom(ada.api);
  const room = bob.api.live().room(id);
  const heard = hearing(room);
  const gaps: RoomEvent[] = [];
  room.on('gap', (event) => gaps.push(event));
  await enter(room);
  await ada.api.chatrooms.sendMessage(id, { message: 'before' });
  await until(() => heard.length === 1, 'the first');
  network.setAway(true);
  await until(() => bob.api.live().state.name !== 'live', 'the loss');
  // What the platform does not know itself, it looks up only for a room that nobody is in.
  await until(async () => (await platform.metric('live_connections')) === 0, 'the end on the other side');
  await platform.database.all(
    `with many as (
       insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
       select 'e' || lpad(to_hex(n), 23, '0'), $1, $2, 'no. ' || n, 1 + n, 1 + n, now()
       from generate_series(1, 450) n returning 1)
     update chat.room set last_seq = 451, message_count = 451 where id = $1`,
    [id, ada.user.id],
  );
  network.setAway(false);
  bob.api.live().reconnect();
  await until(() => bob.api.live().state.name === 'live', 'the return');
  // Its number tells of the gap, should the platform still remember the room as it was.
  await ada.api.chatrooms.sendMessage(id, { message: 'after' });
  await until(() => heard.length >= 452, 'everything');
  const missed = Array.from({ length: 450 }, (_, place) => `no. ${place + 1}`);
  assert.deepEqual(heard, ['before', ...missed, 'after']);
  assert.deepEqual(gaps[0], { type: 'gap', after: 1, isFilled: true });
});

test('a token that has expired is refreshed before connecting, and one that expires is replaced', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const { api } = await signedIn();
  t.after(() => api.live().close());
  const id = await newRoom(api);
  platform.clock.advance(16 * 60_000);
  const states: string[] = [];
  api.live().onState(({ name }) => states.push(name));
  await enter(api.live().room(id));
  assert.equal((await api.live().room(id).send('still here')).seq, 1);
  assert.deepEqual([...new Set(states)], ['connecting', 'live']);
});

test('a session that is ended ends the connection, and pending messages fail', {
  timeout: PATIENCE_MS,
}, async () => {
  const { api, user } = await signedIn();
  const room = api.live().room(await newRoom(api));
  await enter(room);
  const iteration = assert.rejects(
    async () => {
      for await (const _ of room);
    },
    { code: 'SIGNED_OUT' },
  );
  const admin = await platform.signInAdmin();
  await admin.call(endSessionsOfUser, { params: { userId: user.id } });
  await until(() => api.live().state.name === 'ended', 'the end');
  await iteration;
  assert.equal(await api.session.read(), undefined);
});

/** A network that refuses, with time that runs a hundred times as fast for the client. */
test('after five attempts in a row it waits for a reason, and has five again', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const { setTimeout: inTime } = globalThis;
  const pausesMs: number[] = [];
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const fakes = {
    setTimeout: (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
      // The platform in the same process keeps its time.
      if (!new Error().stack?.includes('/live/connection.ts')) return inTime(work, ms, ...given);
      if (ms < 30_000) pausesMs.push(ms);
      return inTime(work, ms < 30_000 ? ms / 100 : ms);
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    document: page,
  };
  for (const [name, value] of Object.entries(fakes)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() =>
      own ? Object.defineProperty(globalThis, name, own) : Reflect.deleteProperty(globalThis, name),
    );
  }
  const { api } = await signedIn(network.url);
  t.after(() => api.live().close());
  const id = await newRoom(api);
  const states: LiveState[] = [];
  api.live().onState((state) => states.push(state));
  await enter(api.live().room(id));
  const tries = () => states.filter(({ name }) => name === 'connecting').length;
  const reasons: [string, () => void][] = [
    ['the network', () => page.dispatchEvent(new Event('online'))],
    ['the page', () => page.dispatchEvent(new Event('visibilitychange'))],
    ['the program', () => api.live().reconnect()],
    [
      'something to say',
      () =>
        void api
          .live()
          .room(id)
          .send('hello')
          .catch(() => undefined),
    ],
  ];
  for (const [reason, give] of reasons) {
    states.length = pausesMs.length = 0;
    network.setAway(true);
    await until(() => states.at(-1)?.name === 'offline', `the end of the attempts before ${reason}`);
    assert.equal(tries(), 5, reason);
    for (const [place, ms] of pausesMs.entries())
      assert.ok(ms >= 500 * 2 ** place && ms <= 1_000 * 2 ** place, `pause ${place}: ${ms}`);
    page.visibilityState = 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
    page.visibilityState = 'visible';
    assert.equal(states.at(-1)?.name, 'offline', 'a page that is hidden gives no reason');
    give();
    await until(() => tries() === 11, `six more attempts for ${reason}`);
    await until(() => states.at(-1)?.name === 'offline', 'the end of these');
    network.setAway(false);
    give();
    await until(() => states.at(-1)?.name === 'live', 'the connection');
  }
  api.live().close();
  const before = states.length;
  page.dispatchEvent(new Event('online'));
  assert.equal(states.length, before, 'closed for good');
});

test('temporarily refused subscriptions are retried until all rooms are entered', {
  timeout: 60_000,
}, async (t) => {
  const { api, user } = await signedIn();
  t.after(() => api.live().close());
  const rows = await platform.database.all(
    `insert into chat.room (id, name, type, created_by, created_at, updated_at)
     select 'd' || lpad(to_hex(n), 23, '0'), 'no. ' || n, 'public', $1, now(), now()
     from generate_series(1, 40) n returning id`,
    [user.id],
  );
  const rooms = rows.map(({ id }) => api.live().room(id as string));
  const refusals: string[] = [];
  api.live().on('subscribe:error', ({ code }) => refusals.push(code));
  await until(() => api.live().state.name === 'live', 'the connection');
  // More at once than a connection may send.
  for (let number = 0; number < 260; number++) rooms[0]?.typing();
  await Promise.all(rooms.map(enter));
  assert.deepEqual([...new Set(refusals)], ['RATE_LIMIT_EXCEEDED'], 'some were refused for the moment');
  await rooms[0]?.send('still here');
});
