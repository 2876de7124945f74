// The programs of docs/webhooks.md run as they are written: a receiver, and the healing by the feed after its outage.
import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createWebhookEndpoint,
  getWebhookEndpoint,
  listEvents,
  replayWebhooks,
} from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { freePort } from '../support/ports.ts';
import { runProgram, startProgram } from '../support/programs.ts';

const platform = await startPlatform();
const { admin } = platform;
const folder = mkdtempSync(join(tmpdir(), 'platform-receiver-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const stored = join(folder, 'stored');
appendFileSync(stored, '');

const guide = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
const [receiver = '', healing = ''] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text);
const sourceOf = (name: string): string =>
  fileURLToPath(new URL(`../../sdk/src/${name}.ts`, import.meta.url));

/** What a reader adds: a table with unique ids, and where a cursor is kept. */
const OWN = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const store = async ({ id }) => {
  if (!read(${JSON.stringify(stored)}).includes(id)) appendFileSync(${JSON.stringify(stored)}, id + '\\n');
};
const CURSOR = ${JSON.stringify(join(folder, 'cursor'))};
const cursor = { read: async () => read(CURSOR), keep: async (text) => writeFileSync(CURSOR, text) };
`;
/** Writes a program of the page; its imports are those of this tree. */
function programOf(name: string, text: string): string {
  const path = join(folder, `${name}.mts`);
  const own = text
    .replace("'@platform-api/sdk/admin'", JSON.stringify(sourceOf('admin')))
    .replace("'@platform-api/sdk'", JSON.stringify(sourceOf('index')));
  writeFileSync(path, OWN + own);
  return path;
}
const storedIds = (): string[] => readFileSync(stored, 'utf8').trim().split('\n');
const members = (count: number) => Promise.all(Array.from({ length: count }, () => platform.newMember()));

test('the documented receiver stores each genuine event once, and reads missed events from the feed', async () => {
  const [lines] = [receiver.split('\n').filter((line) => line !== '' && !line.startsWith('import'))];
  assert.ok(lines.length <= 15, `${lines.length} lines`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  const { data: endpoint } = await admin.call(createWebhookEndpoint, { body: { url } });
  const program = programOf('receiver', `${receiver.replace('8080', port)}\nconsole.log('ready');\n`);
  const running = await startProgram([program], { WEBHOOK_SECRET: endpoint.secret });
  await members(3);
  const { id } = endpoint;
  const read = async () => (await admin.call(getWebhookEndpoint, { params: { id } })).data;
  await until(async () => (await read()).lastSequence >= 3 && (await read()).pending === 0, 'the deliveries');
  const before = storedIds();
  assert.equal(before.length, (await read()).lastSequence);
  await admin.call(replayWebhooks, { params: { id }, body: { fromSequence: 1 } });
  await until(async () => (await read()).pending === 0, 'the replay');
  assert.deepEqual(storedIds(), before, 'a repetition changes nothing');
  const forged = await fetch(url, { method: 'POST', body: '{"id":"evt_0"}' });
  assert.equal(forged.status, 400);

  await running.end('SIGKILL');
  const missed = await members(2);
  const feed = async () => (await platform.client.call(listEvents, { query: { limit: 500 } })).data;
  const isTold = async () => {
    const feedText = JSON.stringify(await feed());
    return missed.every(({ id: userId }) => feedText.includes(userId));
  };
  await until(isTold, 'what it missed');
  const healer = programOf('healing', healing);
  for (let time = 1; time <= 2; time++) {
    const { code, complaints } = await runProgram([healer], {
      API: platform.url,
      API_KEY: (await platform.newKey('admin')).key,
    });
    assert.equal(code, 0, complaints);
    const feedText = (await feed()).map((one) => one.id);
    assert.deepEqual(storedIds().sort(), feedText.sort());
  }
});
