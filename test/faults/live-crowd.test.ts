import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { signUp } from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { LiveClient, until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const CROWD = 10_000;
const LANES = 100;
const files =
  Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;

const UPGRADE =
  'GET /v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const SUCCESS = 'auth:success';

function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([header, payload]);
}

test('a process holds ten thousand connections in little memory, refuses more, and closes them all in time', {
  skip: files < CROWD + 1_000 ? `only ${files} files may be open here` : false,
}, async () => {
  const { url: databaseUrl, drop } = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-crowd-'));
  const program = await startProgram(['src/main.js', 'start'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    ROLE: 'api',
    LIVE_CONNECTIONS_PER_MEMBER: String(CROWD),
  });
  const sockets: Socket[] = [];
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await program.end('SIGKILL');
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const url = program.readyValues.url as string;
  const client = new Client(url, { 'x-api-key': program.readyValues.adminApiKey as string });
  const person = {
    email: newEmail(),
    password: PASSWORD,
    firstName: 'A',
    lastName: 'B',
    platform: 'web' as const,
  };
  const token = (await client.call(signUp, { body: person })).data.accessToken;
  const residentKb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.process.pid}/status`, 'utf8'))?.[1]);
  const auth = masked(JSON.stringify({ type: 'auth', token }));
  const { hostname, port } = new URL(url);
  const restarts = { count: 0 };

  const open = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      let isUpgraded = false;
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (!isUpgraded) {
          isUpgraded = true;
          socket.write(auth);
        } else if (chunk.includes(SUCCESS)) resolve();
        // A close frame: 1012.
        else if (chunk.includes(Buffer.from([0x03, 0xf4]))) restarts.count++;
      });
      socket.write(UPGRADE);
    });
  const before = residentKb();
  let opened = 0;
  const lane = async () => {
    while (opened++ < CROWD) await open();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const each = (residentKb() - before) / CROWD;
  assert.ok(each < 20, `${each.toFixed(1)} KB for each`);

  const more = await LiveClient.open(url);
  assert.equal((await more.closing()).code, 1013);
  assert.equal((await fetch(`${url}/health/ready`)).status, 200, 'HTTP goes on');
  assert.equal(await program.end('SIGTERM'), 0);
  await until(() => restarts.count === CROWD, 'the farewell of all');
});
