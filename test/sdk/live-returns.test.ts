// How the live channel comes back after its five attempts, where nothing says that the network has returned.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type * as sdk from '../../sdk/src/index.ts';
import { PATIENCE_MS, until } from '../support/live.ts';
import { clientOf, FakeSocket, failureOf, message, ok, refused } from '../support/sdk-hosts.ts';

/** How long the channel waits between rounds of attempts; its pauses within a round are shorter. */
const ROUND_MS = { least: 45_000, most: 90_000 };

let isAway = false;
/** A connection that fails while the network is away. */
class Cut extends FakeSocket {
  constructor() {
    super();
    if (!isAway) return;
    this.send = () => undefined;
    setTimeout(() => this.disconnect(), 0);
  }
}

/** Makes the timers of the channel quick, and returns the pauses between its rounds of attempts. */
function hurried(t: TestContext): number[] {
  const { setTimeout: inTime } = globalThis;
  t.after(() => Object.assign(globalThis, { setTimeout: inTime }));
  const roundsMs: number[] = [];
  const quick = (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
    // Signs of life are asked for every 30 seconds; these keep their time, as does all that is not of the channel.
    const isPause = ms !== 30_000 && new Error().stack?.includes('/live/connection.ts');
    if (isPause && ms >= ROUND_MS.least) roundsMs.push(ms);
    return inTime(work, isPause ? ms / 1_000 : ms, ...given);
  };
  Object.assign(globalThis, { setTimeout: quick });
  return roundsMs;
}

/** A member with a live channel who has lost the network. */
async function lost(t: TestContext, listen: (live: sdk.Live) => void, replies = {}) {
  isAway = false;
  const { api, signIn } = clientOf(replies, { WebSocket: Cut as unknown as sdk.SocketMaker, retries: 0 });
  await signIn();
  const live = api.live();
  t.after(() => live.close());
  live.reconnect();
  listen(live);
  await until(() => live.state.name === 'live', 'the connection');
  const states: string[] = [];
  live.onState(({ name }) => states.push(name));
  isAway = true;
  lastSocket().disconnect();
  return { api, live, states };
}

const lastSocket = () => FakeSocket.instances.at(-1) as FakeSocket;
const countOf = (states: string[], name: string) => states.filter((one) => one === name).length;

/** A browser, which says when the network or the page is back. */
function inBrowser(t: TestContext): void {
  Object.assign(globalThis, { document: new EventTarget() });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
}

test('a program without a browser tries again about a minute after five attempts, until the network is back', {
  timeout: PATIENCE_MS,
}, async (t) => {
  const roundsMs = hurried(t);
  const heard: string[] = [];
  const { live, states } = await lost(t, (channel) => {
    channel.room('room', { after: 0 }).on('message', ({ message: text }) => heard.push(text));
  });
  await until(() => countOf(states, 'offline') === 3, 'the third round of attempts');
  // The first attempt of a later round has no pause before it.
  const first = states.slice(0, states.indexOf('offline'));
  const second = states.slice(first.length + 1, states.indexOf('offline', first.length + 1));
  assert.deepEqual([countOf(first, 'connecting'), countOf(second, 'connecting')], [5, 6]);
  for (const ms of roundsMs) assert.ok(ms <= ROUND_MS.most, `${ms}`);
  isAway = false;
  await until(() => live.state.name === 'live', 'the return');
  const socket = lastSocket();
  await until(() => socket.sent.some(({ channel }) => channel === 'chatroom'), 'the subscription');
  socket.say(message(1));
  await until(() => heard.length > 0, 'a message');
  assert.deepEqual(heard, ['no. 1']);
});

/** Asserts that a channel which is used in this way makes five attempts, and begins no further ones by the clock. */
async function staysOffline(t: TestContext, use: Parameters<typeof lost>[1]): Promise<void> {
  const roundsMs = hurried(t);
  const { states } = await lost(t, use);
  await until(() => countOf(states, 'offline') === 1, 'the end of the attempts');
  assert.deepEqual(roundsMs, []);
}

test('a channel that nobody listens to stays offline, so that its program can end', {
  timeout: PATIENCE_MS,
}, async (t) => {
  await staysOffline(t, (live) => {
    live.on('market:price', () => undefined)();
    live.onState(() => undefined);
  });
});

test('a browser, which says when the network is back, is not tried from by the clock', {
  timeout: PATIENCE_MS,
}, async (t) => {
  inBrowser(t);
  await staysOffline(t, (live) => live.on('market:price', () => undefined));
});

test('an answer over HTTP shows that the network is back, also in a browser', {
  timeout: PATIENCE_MS,
}, async (t) => {
  inBrowser(t);
  hurried(t);
  let isDown = true;
  const profile = () => (isDown ? refused(503, 'SERVICE_UNAVAILABLE') : ok({ id: 'a' }));
  const { api, live, states } = await lost(t, (channel) => channel.on('market:price', () => undefined), {
    '/profile': profile,
  });
  await until(() => countOf(states, 'offline') === 1, 'the end of the attempts');
  isAway = false;
  await failureOf(api.profile.get());
  assert.equal(live.state.name, 'offline', 'a failure shows nothing');
  isDown = false;
  await api.profile.get();
  await until(() => live.state.name === 'live', 'the return');
});
