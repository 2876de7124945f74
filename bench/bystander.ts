// What a bystander's `GET /v1/wallets/balance` takes while ten connections send the most expensive requests that one
// member, or nobody in particular, can send: `npm run bench:bystander [-- <attack> ...]`. BENCH_SECONDS is the length of
// an attack. The target: p99 below 250 ms.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Fixture, startFixture } from './fixture.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const LANES = 10;
const BYSTANDER_PAUSE_MS = 5;
const TARGET_MS = 250;
const HOARDED_EVENTS = 40_000;
const LESSONS = 150;

type Headers = Record<string, string>;
/** Sends one hostile request, and returns its status. */
type Attack = (number: number) => Promise<number>;

const fixture = await startFixture(3);
const { url, unlimitedKey, members } = fixture;
const [bystander, attacker, educator] = members.map(({ token }) => withToken(token)) as [
  Headers,
  Headers,
  Headers,
];

function withToken(token: string): Headers {
  return { 'x-api-key': unlimitedKey, authorization: `Bearer ${token}` };
}

/** Sends a request, reads all of its response, and returns its status. */
async function send(path: string, headers: Headers, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url + path, {
    ...init,
    headers: { ...headers, ...(init.headers as Headers) },
  });
  await response.arrayBuffer();
  return response.status;
}

const post = (path: string, headers: Headers, body: string): Promise<number> =>
  send(path, headers, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

/** Calls the API for the preparation of an attack, and returns its data. */
async function prepare(path: string, headers: Headers, body: object, method = 'POST'): Promise<Prepared> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { success: boolean; data: Prepared };
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}
type Prepared = { id: string; accessToken: string };

const administrator = async ({ admin }: Fixture): Promise<Headers> =>
  withToken((await prepare('/v1/auth/signin', withToken(''), { ...admin, platform: 'web' })).accessToken);

/** Fills the attacker's own figures. */
async function hoardEvents(): Promise<void> {
  for (let sent = 0; sent < HOARDED_EVENTS; sent += 1000) {
    const events = Array.from({ length: 1000 }, (_, number) => ({
      eventName: 'page.view',
      eventType: 'engagement',
      timestamp: new Date(Date.now() - ((sent + number) % 29) * 86_400_000).toISOString(),
    }));
    await prepare('/v1/analytics/track/bulk', attacker, { events });
  }
}

/** Makes a module whose lessons are as long as they may be, and returns its id. */
async function fillModule(): Promise<string> {
  const admin = await administrator(fixture);
  const [, , { id: educatorId } = { id: '' }] = members;
  await prepare(`/v1/user/${educatorId}/permissions/assign`, admin, { permissions: ['educator'] });
  const course = await prepare('/v1/courses', educator, { title: 'Long', description: 'Long.' });
  const { id: moduleId } = await prepare(`/v1/courses/${course.id}/modules`, educator, { title: 'Long' });
  for (let number = 0; number < LESSONS; number++) {
    const lesson = { moduleId, title: `Lesson ${number}`, description: 'long '.repeat(900) };
    const response = await post('/v1/lessons', educator, JSON.stringify(lesson));
    if (response !== 201) break;
  }
  return moduleId;
}

/** Fills a public room, and returns its id. */
async function fillRoom(): Promise<string> {
  const room = await prepare('/v1/chatrooms', attacker, { name: 'Noise', type: 'public' });
  for (let number = 0; number < 40; number++)
    await post(
      `/v1/chatrooms/${room.id}/messages`,
      attacker,
      JSON.stringify({ message: 'noise '.repeat(300) }),
    );
  return room.id;
}

/** Signs in on a socket, subscribes to the room thirty times with everything missed, and leaves at once. */
function replayAndLeave(room: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`);
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'auth', token: attacker.authorization?.slice('Bearer '.length) }));
      const subscribe = JSON.stringify({
        type: 'subscribe',
        channel: 'chatroom',
        chatroomId: room,
        after: 0,
      });
      for (let sent = 0; sent < 30; sent++) socket.send(subscribe);
      setTimeout(() => socket.terminate(), 20);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(101));
  });
}

const bulk =
  (body: string): Attack =>
  () =>
    post('/v1/analytics/track/bulk', attacker, body);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const WORDS = ['gold', 'breaks', 'lesson', 'trading', 'tape'];

/** Prepares each attack when its turn comes. */
const ATTACKS: Record<string, () => Promise<Attack>> = {
  'reference page': async () => () => send('/reference/js/scalar.js', {}),
  descriptions: async () => () => send('/openapi.json', {}),
  'one-click form': async () => () =>
    send('/v1/notifications/unsubscribe?token=x', form, { method: 'POST', body: 'a=1&'.repeat(4096) }),
  'bulk of empty lists': async () => bulk(`{"events":[${'[],'.repeat(340_000)}[]]}`),
  'bulk of escapes': async () => bulk(`{"events":[{"eventName":"${'\\u0041'.repeat(170_000)}"}]}`),
  'bulk of escaped names': async () => bulk(`{"events":[{${'"\\u0061":1,'.repeat(90_000)}"b":1}]}`),
  'own figures': async () => {
    await hoardEvents();
    return (number) =>
      send(
        [
          '/v1/analytics/user/stats',
          '/v1/analytics/user/activity?days=90',
          '/v1/analytics/events?page=100&limit=100',
        ][number % 3] as string,
        attacker,
      );
  },
  searches: async () => (number) =>
    send(
      `/v1/search?limit=100&q=${WORDS[number % WORDS.length]}+${WORDS[(number + 1) % WORDS.length]}`,
      attacker,
    ),
  replays: async () => {
    const room = await fillRoom();
    return () => replayAndLeave(room);
  },
  'lessons of a module': async () => {
    const moduleId = await fillModule();
    return () => send(`/v1/lessons?moduleId=${moduleId}&limit=100`, educator);
  },
  'exports of events': async () => {
    const admin = await administrator(fixture);
    return () => send('/v1/analytics/events?format=csv', admin);
  },
  scrapes: async () => () => send('/metrics', {}),
};

/** Measures the bystander's requests, one after the other, until told to end; returns them in order of duration. */
async function watch(isOver: () => boolean): Promise<number[]> {
  const latenciesMs: number[] = [];
  while (!isOver()) {
    const startedMs = performance.now();
    const status = await send('/v1/wallets/balance', bystander);
    if (status !== 200) throw new Error(`the bystander was answered ${status}`);
    latenciesMs.push(performance.now() - startedMs);
    await sleep(BYSTANDER_PAUSE_MS);
  }
  return latenciesMs.toSorted((a, b) => a - b);
}

/** Runs one attack beside the bystander, and returns the row of its result. */
async function measure(attack: Attack | undefined) {
  const endsMs = performance.now() + SECONDS * 1000;
  const isOver = () => performance.now() >= endsMs;
  const statuses = new Map<number, number>();
  let sent = 0;
  const lane = async (perform: Attack) => {
    while (!isOver()) {
      const status = await perform(sent++);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const lanes = attack ? Array.from({ length: LANES }, () => lane(attack)) : [];
  const [latenciesMs] = (await Promise.all([watch(isOver), ...lanes])) as [number[]];
  const at = (part: number) =>
    Math.round((latenciesMs[Math.floor(latenciesMs.length * part)] ?? 0) * 10) / 10;
  return {
    'p50 ms': at(0.5),
    'p99 ms': at(0.99),
    'worst ms': at(0.9999),
    met: at(0.99) < TARGET_MS,
    'attacks/s': Math.round(sent / SECONDS),
    answered: [...statuses].map(([status, count]) => `${count} x ${status}`).join(', '),
  };
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in ATTACKS));
try {
  if (unknown.length > 0) throw new Error(`there are ${Object.keys(ATTACKS).join(', ')}`);
  const rows: Record<string, Awaited<ReturnType<typeof measure>>> = { alone: await measure(undefined) };
  for (const [name, make] of Object.entries(ATTACKS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    rows[name] = await measure(await make());
    console.log(`${name}: p99 ${rows[name]['p99 ms']} ms`);
  }
  console.table(rows);
  if (Object.values(rows).some(({ met }) => !met)) process.exitCode = 1;
} finally {
  await fixture.stop();
}
