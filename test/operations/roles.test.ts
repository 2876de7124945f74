import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createChatroom } from '../../sdk/src/index.ts';
import { LiveClient } from '../support/live.ts';
import { SECRET_KEY, startPlatform } from '../support/platform.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const START = ['src/main.js', 'start'];
const platform = await startPlatform();
const folder = mkdtempSync(join(tmpdir(), 'platform-roles-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const environment = { DATABASE_URL: platform.databaseUrl, SECRET_KEY, DATA_DIR: folder, PORT: '0' };

test('ROLE=live serves WebSockets, health and metrics, and nothing of the API', async () => {
  const program = await startProgram(START, { ...environment, ROLE: 'live' });
  const url = program.readyValues.url as string;
  const ada = await platform.newMember();
  const { data: room } = await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } });
  after(() => program.process.kill('SIGKILL'));
  const live = await LiveClient.open(url, ada.accessToken);
  assert.equal((await live.enter(room.id)).type, 'subscribe:success');

  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status;
  assert.deepEqual([await statusOf('/health/ready'), await statusOf('/health/live')], [200, 200]);
  assert.match(await (await fetch(`${url}/metrics`)).text(), /platform_build_info\{[^}]*role="live"/);
  const paths = ['/v1/user/profile', '/v1/auth/signin', '/openapi.json', '/reference', '/console'];
  for (const path of paths) assert.equal(await statusOf(path), 404, path);
  assert.equal(await program.end('SIGTERM'), 0, program.complaints());
  assert.equal((await live.closing()).code, 1012);
});

test('a mistyped queue of WORKER_QUEUES is reported, and the worker does not start', async () => {
  const mistyped = { ...environment, ROLE: 'worker', WORKER_QUEUES: 'media.proces-video' };
  const { code, complaints } = await runProgram(START, mistyped);
  assert.equal(code, 1);
  assert.match(complaints, /WORKER_QUEUES names media\.proces-video, which fits no queue/);
});

test('a queue of a former release in WORKER_QUEUES does not keep the worker from starting', async () => {
  const WORKER_QUEUES = 'indicators.forget-webhooks,!education.tell-changed';
  const worker = await startProgram(START, { ...environment, ROLE: 'worker', WORKER_QUEUES });
  assert.equal(await worker.end('SIGTERM'), 0, worker.complaints());
});
