import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createChatroom, signUp } from '../../sdk/src/index.ts';
import { type Chance, seeded } from '../support/chance.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { attack, frame } from '../support/hostile-frames.ts';
import { LiveClient, until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';
import { liveBudgetOf } from './budget.ts';

const { seed: SEED, requests: ATTACKERS, seconds: SECONDS } = liveBudgetOf(400);
const ATTACKS_EACH = 10;
const AT_ONCE = 12;
const SPEAKERS = 6;
const PATIENCE_MS = 90_000;
const UPGRADE =
  'GET /v1/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** The socket of a hostile client, and its outcome. */
class Attacker {
  readonly socket: Socket;
  isUpgraded = false;
  /** The last message was responded to, or the server closed the connection. */
  isSettled = false;
  /** The client has begun a message that it never ends, so no response is due. */
  isOpenEnded = false;
  #tail = '';

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (chunk) => {
      this.isUpgraded = true;
      const text = this.#tail + chunk.toString('latin1');
      if (text.includes('"the end"')) this.isSettled = true;
      this.#tail = text.slice(-16);
    });
    this.socket.on('error', () => undefined);
    for (const event of ['end', 'close'])
      this.socket.on(event, () => {
        this.isSettled = true;
      });
  }

  async attack(chance: Chance, token: string | undefined): Promise<void> {
    this.socket.write(UPGRADE);
    await until(() => this.isUpgraded || this.isSettled, 'the upgrade', PATIENCE_MS);
    if (token !== undefined) this.socket.write(frame(JSON.stringify({ type: 'auth', token })));
    for (let number = 0; number < ATTACKS_EACH && !this.isSettled; number++) {
      const { bytes, isOpenEnded } = attack(chance);
      this.socket.write(bytes);
      this.isOpenEnded ||= isOpenEnded;
      if (chance.below(3) === 0) await sleep(chance.below(20));
    }
    // Some clients leave at once, some send half a message and stay, most wait for the outcome.
    const end = chance.below(10);
    if (end === 0) {
      this.socket.destroy();
      return;
    }
    if (end === 1) this.socket.end();
    this.socket.write(frame('{"type":"ping","requestId":"the end"}'));
  }
}

test('hostile live messages are answered or end the connection, while others continue to chat', async (t) => {
  const { url: databaseUrl, drop } = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-fuzz-'));
  const program = await startProgram(['src/main.js', 'start'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: '0',
    ROLE: 'api',
  });
  after(async () => {
    await program.end('SIGKILL');
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const url = program.readyValues.url as string;
  const api = new Client(url, { 'x-api-key': program.readyValues.adminApiKey as string });
  const newToken = async (): Promise<string> => {
    const person = { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' };
    return (await api.call(signUp, { body: { ...person, platform: 'web' } })).data.accessToken;
  };
  const [listenerToken, hostile] = [await newToken(), await newToken()];
  const { data } = await api.as(listenerToken).call(createChatroom, {
    body: { name: 'Gold', type: 'public' },
  });
  const room = data.id;
  const listener = await LiveClient.open(url, listenerToken);
  const pinging = setInterval(() => listener.send({ type: 'ping' }), 20_000);
  after(() => clearInterval(pinging));
  await listener.enter(room);

  const times: number[] = [];
  const sentMessages: string[] = [];
  let isOver = false;
  const speaking = Array.from({ length: SPEAKERS }, async (_, place) => {
    const speaker = await LiveClient.open(url, await newToken());
    for (let number = 0; number < 100 && !isOver; number++) {
      const startedMs = performance.now();
      const message = `speaker ${place}: no. ${number}`;
      const { type } = await speaker.say(room, message);
      assert.equal(type, 'chat:ack');
      times.push(performance.now() - startedMs);
      sentMessages.push(message);
      await sleep(150);
    }
    assert.equal(speaker.closed, undefined, 'no speaker lost its connection');
    speaker.close();
  });

  let next = 0;
  const endsAt = Date.now() + SECONDS * 1_000;
  const attackers: Attacker[] = [];
  const attacking = Array.from({ length: AT_ONCE }, async () => {
    for (let number = next++; number < ATTACKERS && Date.now() < endsAt; number = next++) {
      const attacker = new Attacker(url);
      attackers.push(attacker);
      await attacker.attack(seeded(SEED + number), number % 3 === 0 ? undefined : hostile);
    }
  });
  await Promise.all(attacking);
  await until(
    () => attackers.every(({ isSettled, isOpenEnded }) => isSettled || isOpenEnded),
    'an answer to each attacker',
    PATIENCE_MS,
  );
  isOver = true;
  await Promise.all(speaking);
  await until(() => listener.messageTexts().length >= sentMessages.length, 'all that was said', PATIENCE_MS);
  assert.deepEqual(listener.messageTexts().sort(), sentMessages.sort());
  for (const { socket } of attackers) socket.destroy();

  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] as number;
  t.diagnostic(
    `seed ${SEED}: ${attackers.length * ATTACKS_EACH} attacks, ${sentMessages.length} messages, p99 ${p99.toFixed(0)} ms`,
  );
  assert.equal(program.process.exitCode, null, 'it runs');
  // The progress lines of the start are left out.
  const faults = program
    .complaints()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  assert.deepEqual(faults, [], 'errors in the log');
  const connections = async () =>
    Number(/^live_connections (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  assert.equal(listener.closed, undefined);
  await until(async () => (await connections()) === 1, 'only the listener is left', PATIENCE_MS);
  listener.close();
});
