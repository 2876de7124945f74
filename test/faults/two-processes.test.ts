import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  changePassword,
  fundWalletAsAdmin,
  getBalance,
  getError,
  getFactors,
  getProfile,
  refreshToken,
  removeAuthenticator,
  signIn,
  signInByPasskey,
  signInSso,
  signUp,
  stepUp,
  transferKeys,
} from '../../sdk/src/index.ts';
import { openDatabase } from '../../src/kernel/database/database.ts';
import { travellingClock } from '../../src/kernel/time/time.ts';
import { addKey, authenticator, newChallenge } from '../support/authenticator.ts';
import { type Answer, Client, newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { addApp } from '../support/factors.ts';
import { untilAvailable } from '../support/holding.ts';
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
  PASSKEY_RP_ID: 'localhost',
  PASSKEY_ORIGINS: 'http://localhost:3000',
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
  ({ readyValues }) => new Client(readyValues.url as string, { 'x-api-key': environment.API_KEY }),
) as [Client, Client];

async function newMember(email = newEmail()): Promise<{ id: string; token: string; refreshToken: string }> {
  const { data } = await here.call(signUp, {
    body: { email, password: PASSWORD, firstName: 'A', lastName: 'B', platform: 'web' },
  });
  return { id: data.user.id, token: data.accessToken, refreshToken: data.refreshToken };
}
const { data: signedIn } = await there.call(signIn, {
  body: { email: environment.ADMIN_EMAIL, password: environment.ADMIN_PASSWORD, platform: 'web' },
});
/** The clock of the programs, which an app may be a step ahead of. */
const clock = travellingClock();
const profileStatus = async (token: string) => (await there.as(token).attempt(getProfile)).status;

/** Transfers Keys as a careful client does, which sends the request again after a 503 of a busy process. */
async function untilServed(
  client: Client,
  key: string,
  body: { toUserId: string; amount: number },
): Promise<number> {
  const keyed = client.with({ 'idempotency-key': key });
  return (await untilAvailable(() => keyed.attempt(transferKeys, { body }))).status;
}

test('production reveals nothing about development, and two starts create one administrator', async () => {
  for (const { readyValues } of programs) assert.deepEqual(Object.keys(readyValues), ['url', 'reference']);
  const rows = await database.all("select count(*) from identity.user where 'admin' = any(permissions)");
  assert.equal(rows[0]?.count, 1);
});

test('opposite transfers through two processes neither deadlock nor lose Keys', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  for (const { id } of [ada, ben]) {
    await here.as(signedIn.accessToken).call(fundWalletAsAdmin, { body: { userId: id, amount: 500 } });
  }
  const transfer = (place: number): Promise<number> => {
    const [from, to] = place % 2 === 0 ? [ada, ben] : [ben, ada];
    const process = place % 4 < 2 ? here : there;
    return untilServed(process.as(from.token), `opposite-${place}`, { toUserId: to.id, amount: 1 });
  };
  const statuses = await Promise.all(Array.from({ length: 400 }, (_, place) => transfer(place)));
  assert.deepEqual([...new Set(statuses)], [201]);
  const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()';
  assert.equal(await database.count(deadlocks), 0);
  assert.equal((await there.as(ada.token).call(getBalance)).data.balance, 500);
  assert.deepEqual(await ledgerFaults(database), []);
});

test('a password change ends sign-ins with the old password in other processes', async () => {
  const [email, next] = [newEmail(), 'another password for tests'];
  const member = await newMember(email);
  let isOver = false;
  const answers: Answer<{ accessToken: string } | undefined>[] = [];
  const lanes = Array.from({ length: 8 }, async (_, place) => {
    const from = place % 2 === 0 ? here : there;
    const body = { email, password: PASSWORD, platform: 'web' as const, device: `device ${place}` };
    while (!isOver) answers.push(await untilAvailable(() => from.attempt(signIn, { body })));
  });
  const passwords = { currentPassword: PASSWORD, newPassword: next };
  const changed = await untilAvailable(() =>
    here.as(member.token).attempt(changePassword, { body: passwords }),
  );
  isOver = true;
  assert.equal(changed.status, 200);
  await Promise.all(lanes);
  for (const { status, data } of answers) {
    if (data) assert.equal(await profileStatus(data.accessToken), 401);
    else assert.ok(status === 401 || status === 429, `${status}`);
  }
});

test('a session ended in one process is refused at once by the other', async () => {
  const ada = await newMember();
  assert.equal(await profileStatus(ada.token), 200);
  const body = { refreshToken: ada.refreshToken };
  await here.call(refreshToken, { body });
  // Reusing a token ends the session.
  await here.attempt(refreshToken, { body });
  assert.equal(await profileStatus(ada.token), 401);
});

test('a code and a recovery code are accepted once, whichever process receives them', async () => {
  const email = newEmail();
  const ada = await newMember(email);
  const app = await addApp({ clock }, here.as(ada.token));
  const passwords = { email, password: PASSWORD, platform: 'web' as const };
  const codes = [app.newCode(), app.recoveryCodes[0] as string];
  for (const mfaCode of codes) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) => {
        const from = place % 2 === 0 ? here : there;
        const body = { ...passwords, mfaCode, device: `device ${place}` };
        return untilAvailable<{ status: number }>(() =>
          place % 4 < 2
            ? from.as(ada.token).attempt(stepUp, { body: { mfaCode } })
            : from.attempt(signIn, { body }),
        );
      }),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`);
    const refusals = statuses.filter((status) => status !== 200);
    assert.ok(
      refusals.every((status) => [400, 401].includes(status)),
      `${statuses}`,
    );
  }
});

test('removing the app, stepping up and a new password exclude each other across processes', async () => {
  const next = 'another password for tests';
  for (let round = 0; round < 2; round++) {
    const ada = await newMember();
    const [first, ...codes] = (await addApp({ clock }, here.as(ada.token))).recoveryCodes;
    await here.as(ada.token).call(stepUp, { body: { mfaCode: first as string } });
    const passwords = { currentPassword: PASSWORD, newPassword: next };
    const [changed, removed] = await Promise.all([
      untilAvailable(() => there.as(ada.token).attempt(changePassword, { body: passwords })),
      untilAvailable(() => here.as(ada.token).attempt(removeAuthenticator)),
      ...codes.flatMap((mfaCode) =>
        [here, there].map((one) =>
          untilAvailable(() => one.as(ada.token).attempt(stepUp, { body: { mfaCode } })),
        ),
      ),
    ]);
    assert.equal(removed.status, 200);
    assert.deepEqual((await there.as(ada.token).call(getFactors)).data, {
      totp: false,
      passkeys: 0,
      recoveryCodesLeft: 0,
    });
    const elevated =
      'select count(*) from identity.session where user_id = $1 and elevated_until is not null';
    assert.equal(
      await database.count(elevated, [ada.id]),
      0,
      'the removed factor leaves no elevation behind',
    );
    const password = changed.status === 200 ? next : PASSWORD;
    assert.equal((await there.as(ada.token).attempt(stepUp, { body: { password } })).status, 200);
  }
});

test('sessions handed over in two processes share one allowance for sending Keys', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  await there.as(signedIn.accessToken).call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 5_000 } });
  await addApp({ clock }, here.as(ada.token));
  const tokens = { userId: ada.id, accessToken: ada.token, refreshToken: ada.refreshToken };
  const passedOn = await Promise.all(
    [here, there].map(async (one, place) => {
      const body = { ...tokens, platform: 'web' as const, device: `device ${place}` };
      return one.as((await one.call(signInSso, { body })).data.accessToken);
    }),
  );
  const transfer = { toUserId: ben.id, amount: 200 };
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      untilServed(passedOn[place % 2] as Client, `passed-on-${place}`, transfer),
    ),
  );
  assert.deepEqual(statuses.toSorted(), [...Array(5).fill(201), ...Array(15).fill(403)]);
});

test('a challenge is accepted once, whichever process receives it, also among others and in any order', async () => {
  const responses = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const member = await newMember();
      const { made } = await addKey(here.as(member.token), authenticator({ counts: false }), 'A phone');
      return made.get(await newChallenge(there));
    }),
  );
  /** Sends each response five times to each process, in opposite orders. */
  const answers = await Promise.all(
    [here, there].flatMap((process, place) =>
      Array.from({ length: 20 }, async (_, turn) => {
        const which = place === 0 ? turn % 4 : 3 - (turn % 4);
        const response = responses[which] as (typeof responses)[number];
        const body = { response, platform: 'web' as const, device: `device ${turn}` };
        return { which, ...(await untilAvailable(() => process.attempt(signInByPasskey, { body }))) };
      }),
    ),
  );
  for (const which of responses.keys()) {
    const statuses = answers.filter((answer) => answer.which === which).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [200, ...Array.from({ length: 9 }, () => 401)]);
  }
});

test('in production errors never contain a stack', async () => {
  const { body } = await here.attempt(getProfile);
  const params = { errorId: body.errorId as string };
  await until(async () => (await there.attempt(getError, { params })).status !== 404, 'the report');
  const { data: report } = await there.call(getError, { params });
  assert.ok(!('stack' in report));
  assert.ok(!('stack' in body));
});
