import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getProfile, signIn as signInOperation } from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { secretsOf } from '../../src/kernel/secrets.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { PRODUCTION, runProgram, startProgram } from '../support/programs.ts';

const { url, drop } = await newDatabase();
const environment = { ...PRODUCTION, DATABASE_URL: url, LOG_LEVEL: 'error', DRAIN_SECONDS: '0' };
const another = { ...environment, SECRET_KEY: 'another secret key, long enough, too' };
const database = openDatabase({ url, connections: 2, onBackgroundError: () => undefined });
after(async () => {
  await database.close();
  await drop();
});

const program = await startProgram(['src/main.js', 'start'], environment);
after(() => program.end('SIGTERM'));
const client = new Client(program.readyValues.url as string, { 'x-api-key': environment.API_KEY });
const signIn = () =>
  client.call(signInOperation, {
    body: {
      email: environment.ADMIN_EMAIL,
      password: environment.ADMIN_PASSWORD,
      platform: 'backoffice',
    },
  });
const keyIds = async () =>
  (await database.all('select kid from identity.signing_key order by kid')).map(({ kid }) => kid);

for (const role of ['all', 'worker']) {
  test(`a process with another SECRET_KEY and ROLE=${role} ends with a message`, async () => {
    const starting = startProgram(['src/main.js', 'start'], { ...another, ROLE: role });
    await assert.rejects(starting, ({ message }: Error) => {
      assert.match(
        message,
        /ended with 1: (?:[\s\S]*\n)?SECRET_KEY cannot decrypt the keys of this database; /,
      );
      assert.doesNotMatch(message, /\n +at /);
      return true;
    });
  });
}

test('with another SECRET_KEY no key is rotated in', async () => {
  const before = await keyIds();
  const { code, complaints } = await runProgram(['src/main.js', 'signing-keys', 'rotate'], another);
  assert.equal(code, 1);
  assert.match(complaints, /^SECRET_KEY cannot decrypt/m);
  assert.deepEqual(await keyIds(), before);
});

test('a key that another process rotated in meanwhile is found, and a new process starts with both', async () => {
  const old = (await signIn()).data.accessToken;
  const rotated = await runProgram(['src/main.js', 'signing-keys', 'rotate'], environment);
  assert.equal(rotated.code, 0, rotated.complaints);
  const second = await startProgram(['src/main.js', 'start'], environment);
  const there = new Client(second.readyValues.url as string, { 'x-api-key': environment.API_KEY });
  const { data } = await there.call(signInOperation, {
    body: {
      email: environment.ADMIN_EMAIL,
      password: environment.ADMIN_PASSWORD,
      platform: 'web',
    },
  });
  assert.equal((await client.as(data.accessToken).call(getProfile)).status, 200, 'the new key, here');
  assert.equal((await there.as(old).call(getProfile)).status, 200, 'the old key, there');
  await second.end('SIGTERM');
});

test('a key of another SECRET_KEY that appears in a running fleet takes nobody out', async () => {
  const { accessToken } = (await signIn()).data;
  const kid = 'f'.repeat(24);
  const sealed = secretsOf([another.SECRET_KEY]).sealer('identity.signing-key').seal('{}');
  await database.execute(
    "insert into identity.signing_key (kid, sealed, created_at) values ($1, $2, now() + interval '1 day')",
    [kid, sealed],
  );
  const [, payload, signature] = accessToken.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid })).toString('base64url');
  await until(async () => {
    const foreign = await client.as(`${header}.${payload}.${signature}`).attempt(getProfile);
    return foreign.status === 503;
  }, 'the foreign key');
  assert.equal((await client.as(accessToken).call(getProfile)).status, 200);
  assert.equal((await signIn()).status, 200);
  const ready = await fetch(`${program.readyValues.url}/health/ready`);
  assert.deepEqual(
    [ready.status, ((await ready.json()) as { degraded: string[] }).degraded.includes('signing-keys')],
    [200, true],
  );
  assert.match(program.complaints(), /a signing key cannot be opened/);
});
