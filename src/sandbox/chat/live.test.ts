import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import type { Loose } from '../../../test/support/client.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { liveClient } = (await import('./live.js' as string)) as Loose;

test('the sample client resubscribes to all rooms and repeats what was temporarily refused', async () => {
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

/** A network between client and server that can be taken away. */
async function network() {
  const { hostname, port } = new URL(platform.url);
  const state = { isDown: false, url: '' };
  const sockets = new Set<import('node:net').Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (state.isDown) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname).on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
    for (const one of [socket, upstream])
      one.on('close', () => {
        socket.destroy();
        upstream.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => server.close());
  return Object.assign(state, {
    take(isDown: boolean): void {
      state.isDown = isDown;
      if (isDown) for (const socket of sockets) socket.destroy();
    },
  });
}

/** Makes the client's pauses short, and the page and network of a browser; answers the pauses that it made. */
function browser() {
  const { setTimeout: inTime } = globalThis;
  const [page, pausesMs] = [new EventTarget(), [] as number[]];
  const fakes: Loose = {
    setTimeout: (work: () => void, ms: number) => {
      // The platform in the same process keeps its time.
      if (!new Error().stack?.includes('/chat/live.js')) return inTime(work, ms);
      pausesMs.push(ms);
      return inTime(work, ms / 100);
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    document: Object.assign(page, { visibilityState: 'visible' }),
  };
  const before = Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(fakes))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const restore = () => {
    for (const [name, descriptor] of before as [string, PropertyDescriptor | undefined][]) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete (globalThis as Loose)[name];
    }
  };
  return { page: page as Loose, pausesMs, restore };
}

test('after five attempts without success the client waits for the network, the page or the application', async () => {
  const ada = await platform.newMember();
  const net = await network();
  const { page, pausesMs, restore } = browser();
  const states: string[] = [];
  const options = { token: () => ada.accessToken, onEvent: () => undefined };
  const client = liveClient({ ...options, url: net.url, onState: (state: string) => states.push(state) });
  try {
    const tries = () => states.filter((state) => state === 'connecting').length;
    const connected = () => until(() => states.at(-1) === 'connected', 'the connection');
    await connected();
    const reasons: [string, () => void][] = [
      ['the network', () => page.dispatchEvent(new Event('online'))],
      ['the page', () => page.dispatchEvent(new Event('visibilitychange'))],
      ['the application', () => client.reconnect()],
      ['something to say', () => client.say('d'.repeat(24), 'hello')],
    ];
    for (const [reason, give] of reasons) {
      pausesMs.length = 0;
      states.length = 0;
      net.take(true);
      await until(() => states.at(-1) === 'disconnected', `the end of the attempts before ${reason}`);
      assert.equal(tries(), 5, reason);
      assert.equal(pausesMs.length, 5, reason);
      for (const [place, ms] of pausesMs.entries())
        assert.ok(ms >= 500 * 2 ** place && ms <= 1_000 * 2 ** place, `pause ${place}: ${ms}`);
      page.visibilityState = 'hidden';
      page.dispatchEvent(new Event('visibilitychange'));
      page.visibilityState = 'visible';
      assert.equal(states.at(-1), 'disconnected', 'a page that is hidden gives no reason');
      // Each reason gives all attempts again.
      give();
      await until(() => tries() === 11, `six more attempts for ${reason}`);
      await until(() => states.at(-1) === 'disconnected', 'the end of these');
      net.take(false);
      give();
      await connected();
    }
  } finally {
    client.close();
    restore();
  }
  const before = states.length;
  page.dispatchEvent(new Event('online'));
  client.reconnect();
  assert.equal(states.slice(before).filter((state) => state === 'connecting').length, 0, 'closed for good');
});

test('after a final close only the application reconnects', async () => {
  const ada = await platform.newMember();
  const { page, restore } = browser();
  const states: string[] = [];
  let token = 'nonsense';
  const client = liveClient({
    url: platform.url,
    token: () => token,
    onEvent: () => undefined,
    onState: (state: string) => states.push(state),
  });
  try {
    await until(() => states.at(-1) === 'closed: authentication failed', 'the refusal');
    page.dispatchEvent(new Event('online'));
    assert.equal(states.at(-1), 'closed: authentication failed');
    token = ada.accessToken;
    client.reconnect();
    await until(() => states.at(-1) === 'connected', 'the connection');
  } finally {
    client.close();
    restore();
  }
});
