// The live channel of the SDK while the server and Redis are killed, and a device sleeps.
import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Client, type ClientOptions, createClient, type SocketMaker } from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { startProgram } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';

const SENDERS = 10;
const MESSAGES = 100;

/** Stands in for a browser's `window`, whose `online` event Node does not have. */
const page = new EventTarget();
setMaxListeners(0, page);
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
});

const redis = await startRedis();
const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-sdk-live-'));
const port = await freePort();
const start = () =>
  startProgram(['src/main.js', 'start'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: port,
    ...(redis ? { REDIS_URL: redis.url } : {}),
  });
let program = await start();
const baseUrl = program.readyValues.url as string;
const clients: Client[] = [];
after(async () => {
  for (const api of clients) api.live().close();
  await program.end('SIGKILL');
  await redis?.kill();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function newClient(more: Partial<ClientOptions> = {}): Promise<Client> {
  const api = createClient({ baseUrl, apiKey: program.readyValues.adminApiKey as string, ...more });
  clients.push(api);
  const names = { firstName: 'Ada', lastName: 'L' };
  await api.auth.signUp({ email: newEmail(), password: PASSWORD, platform: 'web', ...names });
  return api;
}

/** A sleeping device: its socket receives nothing, not even its close, and stays dead afterwards. */
function sleepingDevice() {
  let sleeps = 0;
  let isAsleep = false;
  class Sleeping extends WebSocket {
    readonly #made = sleeps;
    override dispatchEvent(event: Event): boolean {
      return isAsleep || this.#made !== sleeps ? true : super.dispatchEvent(event);
    }
  }
  return {
    WebSocket: Sleeping as unknown as SocketMaker,
    sleep() {
      isAsleep = true;
      sleeps++;
    },
    wake() {
      isAsleep = false;
      page.dispatchEvent(new Event('online'));
    },
  };
}

/** Collects all messages of a room. */
async function collectMessages(api: Client, id: string) {
  const messages: { seq: number; message: string }[] = [];
  const room = api.live().room(id);
  room.on('message', ({ seq, message }) => messages.push({ seq, message }));
  await new Promise<void>((resolve) => room.on('entered', () => resolve()));
  return messages;
}

test('despite kills of the server and Redis, messages arrive once and in order, also after a sleep', async () => {
  const device = sleepingDevice();
  const [listener, sleeper] = [await newClient(), await newClient({ WebSocket: device.WebSocket })];
  const senders: Client[] = [];
  for (let number = 0; number < SENDERS; number++) senders.push(await newClient());
  const { id } = await listener.chatrooms.create({ name: 'Gold', type: 'public' });
  const [heard, heardAsleep] = [await collectMessages(listener, id), await collectMessages(sleeper, id)];

  const acknowledged = senders.flatMap((api, sender) =>
    Array.from({ length: MESSAGES }, (_, number) => api.live().room(id).send(`${sender} ${number}`)),
  );
  await until(() => heardAsleep.length >= 100, 'the sleep');
  device.sleep();
  for (const count of [200, 600]) {
    await until(() => heard.length >= count, `${count} messages`);
    await program.end('SIGKILL');
    program = await start();
    for (const api of clients) if (api !== sleeper) api.live().reconnect();
    await until(() => heard.length >= count + 100, 'a hundred more');
    await redis?.kill();
    await redis?.restart();
  }
  const seqs = (await Promise.all(acknowledged)).map(({ seq }) => seq);
  await until(() => heard.length >= SENDERS * MESSAGES, 'all messages');
  assert.ok(heardAsleep.length < 400, 'it has slept');
  device.wake();
  await until(() => heardAsleep.length >= SENDERS * MESSAGES, 'all messages after the sleep');

  assert.equal(new Set(seqs).size, SENDERS * MESSAGES, 'each was stored once');
  assert.deepEqual(
    heard.map(({ seq }) => seq),
    Array.from({ length: SENDERS * MESSAGES }, (_, place) => place + 1),
  );
  assert.deepEqual(heardAsleep, heard);
  for (let sender = 0; sender < SENDERS; sender++)
    assert.deepEqual(
      heard.filter(({ message }) => message.startsWith(`${sender} `)).map(({ message }) => message),
      Array.from({ length: MESSAGES }, (_, number) => `${sender} ${number}`),
    );
});
