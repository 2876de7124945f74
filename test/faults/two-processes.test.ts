import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { type Answer, Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const { url, drop } = await newDatabase();
const environment = {
  DATABASE_URL: url,
  DATABASE_CONNECTIONS: '8',
  PORT: '0',
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://api.example.com',
  TRUSTED_PROXIES: 'none',
  SECRET_KEY: 'a secret key that two processes share',
  INTERNAL_API_KEY: 'internal key of the tests',
  WEBHOOK_SECRET: 'webhook secret of the tests',
  API_KEY: 'an api key of the tests',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'an administrator for tests',
};
const programs = await Promise.all([1, 2].map(() => startProgram(['src/main.js', 'start'], environment)));
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
after(async () => {
  await Promise.all(programs.map(({ end }) => end('SIGTERM')));
  await database.close();
  await drop();
});
const [here, there] = programs.map(
  ({ said }) => new Client(said.url as string, { 'x-api-key': environment.API_KEY }),
) as [Client, Client];
const at = (client: Client, token: string) => client.as(token);

async function newMember(): Promise<{ id: string; token: string; refreshToken: string }> {
  const draft = { email: newEmail(), password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' };
  const { data } = await here.post('/v1/auth/signup', draft);
  return { id: data.user.id, token: data.accessToken, refreshToken: data.refreshToken };
}
const admin = (
  await there.post('/v1/auth/signin', {
    email: environment.ADMIN_EMAIL,
    password: environment.ADMIN_PASSWORD,
    platform: 'web',
  })
).data.accessToken;

test('production reveals nothing about development, and two starts create one administrator', async () => {
  for (const { said } of programs) assert.deepEqual(Object.keys(said), ['url', 'reference']);
  const rows = await database.all("select count(*) from identity.user where 'admin' = any(permissions)");
  assert.equal(rows[0]?.count, 1);
});

test('opposite transfers through two processes neither deadlock nor lose Keys', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const { id } of [ada, ben]) {
    await at(here, admin).post('/v1/wallets/admin/fund', { userId: id, amount: 500 });
  }
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, place) => {
      const [from, to] = place % 2 === 0 ? [ada, ben] : [ben, ada];
      const client = place % 4 < 2 ? here : there;
      return at(client, from.token).post('/v1/wallets/transfer', { toUserId: to.id, amount: 1 });
    }),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const { data } = await at(there, ada.token).get('/v1/wallets/balance');
  assert.equal(data.balance, 500);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('a password change ends sign-ins with the old password in other processes', async () => {
  const [email, next] = [newEmail(), 'another password for tests'];
  const draft = { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' };
  const { data } = await here.post('/v1/auth/signup', draft);
  let isOver = false;
  const answers: Answer<{ accessToken: string } | undefined>[] = [];
  const lanes = Array.from({ length: 8 }, async (_, place) => {
    const from = place % 2 === 0 ? here : there;
    const request = { ...draft, device: `device ${place}` };
    while (!isOver) answers.push(await from.post('/v1/auth/signin', request));
  });
  const passwords = { currentPassword: PASSWORD, newPassword: next };
  const changed = await at(here, data.accessToken).post('/auth/change-password', passwords);
  isOver = true;
  assert.equal(changed.status, 200);
  await Promise.all(lanes);
  for (const { status, data } of answers) {
    if (data) assert.equal((await at(there, data.accessToken).get('/v1/user/profile')).status, 401);
    else assert.ok(status === 401 || status === 429, `${status}`);
  }
});

test('a session ended in one process is refused at once by the other', async () => {
  const ada = await newMember();
  assert.equal((await at(there, ada.token).get('/v1/user/profile')).status, 200);
  await here.post('/v1/auth/refresh-token', { refreshToken: ada.refreshToken });
  await here.post('/v1/auth/refresh-token', { refreshToken: ada.refreshToken }); // reuse: ends the session
  assert.equal((await at(there, ada.token).get('/v1/user/profile')).status, 401);
});

test('in production errors never contain a stack', async () => {
  const { body } = await here.get('/v1/user/profile');
  const find = () => there.get(`/v1/errors/${body.errorId}`);
  await until(async () => (await find()).status !== 404, 'the report');
  const found = await find();
  assert.equal(found.status, 200);
  assert.ok(!('stack' in found.data));
  assert.equal(body.stack, undefined);
});
