// PROCESSES: several processes behind one port, without Redis.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import {
  createApiKey,
  createChatroom,
  fundWalletAsAdmin,
  getBalance,
  sendChatMessage,
  signIn,
  signUp,
  transferKeys,
} from '../../sdk/src/index.ts';
import { Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { LiveClient, until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';

const START = ['src/main.js', 'start'];
const { url: databaseUrl, drop } = await newDatabase();
const environment = {
  ...PRODUCTION,
  DATABASE_URL: databaseUrl,
  DRAIN_SECONDS: '0',
  PROCESSES: '2',
  PORT: await freePort(),
  LOG_LEVEL: 'error',
};
const program = await startProgram(START, { ...environment, ROLE: 'api' });
after(async () => {
  await program.end('SIGKILL');
  await drop();
});
const url = program.readyValues.url as string;
const api = new Client(url, { 'x-api-key': environment.API_KEY });
const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = environment;
const signedIn = await api.call(signIn, { body: { email, password, platform: 'web' } });
const admin = api.as(signedIn.data.accessToken);
const newMember = async () => {
  const body = { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B' };
  const { data } = await api.call(signUp, { body: { ...body, platform: 'web' } });
  return { id: data.user.id, token: data.accessToken, client: api.as(data.accessToken) };
};

/** The processes that serve, by the kernel's list of children. */
const children = (): number[] =>
  readFileSync(`/proc/${program.process.pid}/task/${program.process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
/** Nothing while a killed process is replaced. */
const metrics = () =>
  fetch(`${url}/metrics`).then(
    (response) => response.text(),
    () => '',
  );

test('the ready line comes once, when all processes serve', () => {
  assert.equal(program.readyValues.processes, '2');
  assert.equal(children().length, 2);
});

test('a message that one process accepts reaches the sockets of both', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const { data: room } = await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } });
  const sockets = await Promise.all(Array.from({ length: 12 }, () => LiveClient.open(url, ben.token)));
  for (const socket of sockets) assert.equal((await socket.enter(room.id)).type, 'subscribe:success');
  const counted = [...(await metrics()).matchAll(/^live_connections\{process="(\d)"[^}]*\} (\d+)$/gm)];
  assert.deepEqual(
    counted.map(([, number, count]) => [number, Number(count) > 0]),
    [
      ['1', true],
      ['2', true],
    ],
    'both processes have sockets, and one scrape tells of both',
  );
  for (const message of ['one', 'two', 'three'])
    await ada.client.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message } });
  for (const socket of sockets) {
    const heard = () => socket.received.filter(({ type }) => type === 'chat:message').length;
    await until(() => heard() >= 3, 'three messages');
    assert.equal(heard(), 3);
    socket.socket.close();
  }
});

test('requests that reach different processes count against one limit', async () => {
  const { token } = await newMember();
  const { data: app } = await admin.call(createApiKey, { body: { name: 'An app', tier: 'mobile' } });
  const headers = { 'x-api-key': app.key, authorization: `Bearer ${token}`, connection: 'close' };
  let remaining: number[] = [];
  await until(async () => {
    const answers: Headers[] = [];
    while (answers.length < 12) answers.push((await fetch(`${url}/v1/user/profile`, { headers })).headers);
    remaining = answers.map((answered) => Number(answered.get('x-ratelimit-remaining')));
    return new Set(answers.map((answered) => answered.get('x-ratelimit-reset'))).size === 1;
  }, 'a series within one minute');
  const [first = 0] = remaining;
  assert.deepEqual(
    remaining,
    remaining.map((_, place) => first - place),
  );
});

test('a process that is killed under load is replaced, and nothing acknowledged is lost or done twice', async (t) => {
  const [sender, receiver] = [await newMember(), await newMember()];
  await admin.call(fundWalletAsAdmin, { body: { userId: sender.id, amount: 1_000_000 } });
  const before = children();
  let isOver = false;
  let isStopped = false;
  t.after(() => {
    isStopped = true;
  });
  let acknowledged = 0;
  const lanes = Array.from({ length: 4 }, async (_, lane) => {
    for (let number = 0; !isOver && !isStopped; number++) {
      const keyed = sender.client.with({ 'idempotency-key': `${lane}-${number}` });
      const pay = () => keyed.attempt(transferKeys, { body: { toUserId: receiver.id, amount: 1 } });
      while ((await pay().catch(() => undefined))?.status !== 201 && !isStopped);
      if (!isStopped) acknowledged++;
    }
  });
  await until(() => acknowledged > 20, 'transfers');
  process.kill(before[0] as number, 'SIGKILL');
  const [, survivor] = before;
  await until(() => children().length === 2 && children().includes(survivor as number), 'a successor');
  await until(async () => /^process_start_time_seconds\{process="1"\}/m.test(await metrics()), 'its metrics');
  isOver = true;
  await Promise.all(lanes);
  assert.equal((await receiver.client.call(getBalance)).data.balance, acknowledged);
  assert.match(program.complaints(), /a process ended; starting it again/);
});

test('SIGTERM ends all processes with 0', async () => {
  const all = children();
  assert.equal(await program.end('SIGTERM'), 0, program.complaints());
  for (const pid of all) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

test('settings that no process can start with end it with 1 and one message', async () => {
  const refused = await runProgram(START, {
    ...environment,
    SECRET_KEY: 'another secret key, long enough, too',
  });
  assert.equal(refused.code, 1);
  assert.equal(refused.complaints.match(/SECRET_KEY cannot decrypt/g)?.length, 1);
  const sandboxed = await runProgram(START, { ...environment, ENVIRONMENT: 'development' });
  assert.match(sandboxed.complaints, /PROCESSES needs ENVIRONMENT=production/);
});
