// The live channel of the SDK while the server is killed.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Client, createClient } from '../../sdk/src/index.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const SENDERS = 10;
const MESSAGES = 100;

const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-sdk-live-'));
let port = '0';
const start = () =>
  startProgram(['src/main.ts', 'start'], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: port });
let program = await start();
const baseUrl = program.said.url as string;
port = new URL(baseUrl).port;
const clients: Client[] = [];
after(async () => {
  for (const api of clients) api.live().close();
  await program.end('SIGKILL');
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function newClient(): Promise<Client> {
  const api = createClient({ baseUrl, apiKey: program.said.adminApiKey as string });
  clients.push(api);
  const names = { firstName: 'Ada', lastName: 'L' };
  await api.auth.signUp({ email: newEmail(), password: PASSWORD, platform: 'web', ...names });
  return api;
}

test('a thousand messages come once and in order, although the server is killed twice', async () => {
  const listener = await newClient();
  const senders: Client[] = [];
  for (let number = 0; number < SENDERS; number++) senders.push(await newClient());
  const { id } = await listener.chatrooms.create({ name: 'Gold', type: 'public' });
  const heard: { seq: number; message: string }[] = [];
  const room = listener.live().room(id);
  room.on('message', ({ seq, message }) => heard.push({ seq, message }));
  await new Promise<void>((resolve) => room.on('entered', () => resolve()));

  const acknowledged = senders.flatMap((api, sender) =>
    Array.from({ length: MESSAGES }, (_, number) => api.live().room(id).send(`${sender} ${number}`)),
  );
  for (const count of [200, 600]) {
    await until(() => heard.length >= count, `${count} messages`);
    await program.end('SIGKILL');
    program = await start();
    for (const api of clients) api.live().reconnect();
  }
  const seqs = (await Promise.all(acknowledged)).map(({ seq }) => seq);
  await until(() => heard.length >= SENDERS * MESSAGES, 'all messages');

  assert.equal(new Set(seqs).size, SENDERS * MESSAGES, 'each was stored once');
  assert.deepEqual(
    heard.map(({ seq }) => seq),
    Array.from({ length: SENDERS * MESSAGES }, (_, place) => place + 1),
  );
  for (let sender = 0; sender < SENDERS; sender++)
    assert.deepEqual(
      heard.filter(({ message }) => message.startsWith(`${sender} `)).map(({ message }) => message),
      Array.from({ length: MESSAGES }, (_, number) => `${sender} ${number}`),
    );
});
