import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changePassword,
  deleteUser,
  endSessionsOfUser,
  forgotPassword,
  getProfile,
  getUser,
  refreshToken as refreshTokenOperation,
  resetPassword,
  signIn as signInOperation,
  signInSso,
  signOut,
  updateUser,
  validateResetCode,
} from '../../../../sdk/src/index.ts';
import { type Answer, PASSWORD } from '../../../../test/support/client.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { userNotFound } from '../contract.ts';
import { invalidCode } from '../passwords/password-resets.ts';
import { invalidRefreshToken } from '../sessions/refresh-tokens.ts';

// Requests are in progress while the password changes or the account ends. In whatever order they run, a request
// that was verified with data that no longer holds must not leave a session behind.

const platform = await startPlatform();
const { client, admin } = platform;
const NEXT = 'another password for tests';
const ROUNDS = 3;
const AT_ONCE = 8;

type Member = Awaited<ReturnType<typeof platform.newMember>>;

const places = Array.from({ length: AT_ONCE }, (_, place) => `device ${place}`);
const signIn = (email: string, password: string, device = 'other') =>
  untilAvailable(() =>
    client.attempt(signInOperation, { body: { email, password, platform: 'web', device } }),
  );
const change = (member: Member, from = PASSWORD, to = NEXT) =>
  untilAvailable(() =>
    member.client.attempt(changePassword, { body: { currentPassword: from, newPassword: to } }),
  );
const sso = ({ id, accessToken, refreshToken }: Member, device: string) =>
  untilAvailable(() =>
    client.attempt(signInSso, { body: { userId: id, platform: 'web', device, accessToken, refreshToken } }),
  );
/** With the right password the status is 200, or 429 when earlier wrong passwords count. */
async function assertGood(email: string, password: string): Promise<void> {
  const { status } = await signIn(email, password);
  assert.ok([200, 429].includes(status), `${status}`);
}
const isAlive = async (accessToken: string) =>
  (await client.as(accessToken).attempt(getProfile)).status === 200;

type Session = { accessToken: string; refreshToken: string } | undefined;

/** Repeats each of the requests until the change has been responded to; returns all responses. */
async function during(requests: (() => Promise<Answer<Session>>)[], changing: () => Promise<Answer>) {
  let isOver = false;
  const answers: Answer<Session>[] = [];
  const lanes = requests.map(async (request) => {
    while (!isOver) answers.push(await request());
  });
  const changed = await changing();
  isOver = true;
  assert.equal(changed.status, 200);
  await Promise.all(lanes);
  return answers;
}

async function assertAllDead(answers: Answer<Session>[], expected: number[]): Promise<void> {
  for (const { status, data } of answers) {
    // 429: after ten wrong passwords.
    assert.ok([200, 429, ...expected].includes(status), `${status}`);
    if (!data) continue;
    assert.equal(await isAlive(data.accessToken), false, 'an access token of before is refused');
    const refreshed = await client.attempt(refreshTokenOperation, {
      body: { refreshToken: data.refreshToken },
    });
    assertRefused(refreshed, invalidRefreshToken, 'and so is its refresh token');
  }
}

async function mailedCode(email: string): Promise<string> {
  await client.call(forgotPassword, { body: { email } });
  return /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
}

test('no sign-in with the old password survives its change', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await platform.newMember();
    const signIns = places.map((device) => () => signIn(ada.email, PASSWORD, device));
    await assertAllDead(await during(signIns, () => change(ada)), [401]);
    assert.ok(await isAlive(ada.accessToken), 'the session that changed it lives on');
    await assertGood(ada.email, NEXT);
  }
});

test('no sign-in with the old password survives a reset', async () => {
  const ada = await platform.newMember();
  const code = await mailedCode(ada.email);
  const reset = () => client.call(resetPassword, { body: { email: ada.email, code, newPassword: NEXT } });
  const signIns = places.map((device) => () => signIn(ada.email, PASSWORD, device));
  await assertAllDead(await during(signIns, reset), [401]);
  assert.equal(await isAlive(ada.accessToken), false);
  await assertGood(ada.email, NEXT);
});

test('single sign-on from a session ends with that session', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await platform.newMember();
    const stolen = { ...ada, ...(await signIn(ada.email, PASSWORD)).data };
    const hops = places.map((device) => () => sso(stolen, device));
    await assertAllDead(await during(hops, () => change(ada)), [401]);
    const again = { ...ada, ...(await signIn(ada.email, NEXT)).data };
    const ending = () =>
      admin.callPatiently(endSessionsOfUser, { params: { userId: ada.id }, query: { platform: 'web' } });
    await assertAllDead(
      await during(
        places.map((device) => () => sso(again, device)),
        ending,
      ),
      [401],
    );
  }
});

test('a refresh in progress fails after a change of the password', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await platform.newMember();
    const others = await Promise.all(places.map((device) => signIn(ada.email, PASSWORD, device)));
    const refreshes = others.map(({ data }) => {
      let refreshToken = String(data?.refreshToken);
      return async () => {
        const answer = await untilAvailable(() =>
          client.attempt(refreshTokenOperation, { body: { refreshToken } }),
        );
        if (answer.data) refreshToken = answer.data.refreshToken;
        return answer;
      };
    });
    await assertAllDead(await during(refreshes, () => change(ada)), [401]);
  }
});

test('no sign-in succeeds after its account was deactivated or deleted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = await platform.newMember();
    const signIns = places.map((device) => () => signIn(ada.email, PASSWORD, device));
    const deactivated = await during(signIns, () =>
      admin.callPatiently(updateUser, { params: { userId: ada.id }, body: { isActive: false } }),
    );
    assert.equal(
      (await admin.attempt(updateUser, { params: { userId: ada.id }, body: { isActive: true } })).status,
      200,
    );
    await assertAllDead(deactivated, [401, 403]);
    const deleted = await during(signIns, () =>
      admin.callPatiently(deleteUser, { params: { userId: ada.id } }),
    );
    await assertAllDead(deleted, [401, 403]);
    assertRefused(await admin.attempt(getUser, { params: { userId: ada.id } }), userNotFound);
  }
});

test('a reset code is invalid once the password has changed, also one not mailed yet', async () => {
  const ada = await platform.newMember();
  const code = await mailedCode(ada.email);
  assert.equal((await change(ada)).status, 200);
  const tried = { email: ada.email, code };
  assertRefused(await client.attempt(validateResetCode, { body: tried }), invalidCode);
  const reset = await client.attempt(resetPassword, { body: { ...tried, newPassword: PASSWORD } });
  assertRefused(reset, invalidCode);

  // The job that generates the code waits for this lock, unless it has already finished.
  const bob = await platform.newMember();
  await client.call(forgotPassword, { body: { email: bob.email } });
  await holding(platform.database, async (tx) => {
    await tx.lock('identity.password-reset', bob.email);
    assert.equal((await change(bob)).status, 200);
  });
  await until(async () => {
    const found = await platform.database.execute(
      "select 1 from jobs.job where name = 'identity.send-reset-code' and state < 'completed'",
    );
    return found === 0;
  }, 'the job');
  const rows = await platform.database.all(
    'select code_digest from identity.password_reset where email = $1',
    [bob.email],
  );
  if (rows[0]?.codeDigest === null) return;
  const { text } = await platform.mailTo(bob.email, 'email.password-reset');
  const late = { email: bob.email, code: /\b\d{6}\b/.exec(text)?.[0] as string };
  assertRefused(await client.attempt(validateResetCode, { body: late }), invalidCode);
});

test('signing out everywhere does not invalidate a reset code', async () => {
  const ada = await platform.newMember();
  const code = await mailedCode(ada.email);
  assert.equal((await ada.client.call(signOut, { body: {} })).status, 200);
  const reset = await client.call(resetPassword, { body: { email: ada.email, code, newPassword: NEXT } });
  assert.equal(reset.status, 200);
});

test('of concurrent resets with one code, or changes with one current password, one succeeds', async () => {
  const ada = await platform.newMember();
  const code = await mailedCode(ada.email);
  const resets = await Promise.all(
    places.map((place) =>
      untilAvailable(() =>
        client.attempt(resetPassword, { body: { email: ada.email, code, newPassword: `${NEXT} ${place}` } }),
      ),
    ),
  );
  const won = resets.findIndex(({ status }) => status === 200);
  assert.equal(resets.filter(({ status }) => status === 200).length, 1);
  assert.equal((await signIn(ada.email, `${NEXT} ${places[won]}`)).status, 200);

  const bob = await platform.newMember();
  const changes = await Promise.all(places.map((place) => change(bob, PASSWORD, `${NEXT} ${place}`)));
  assert.deepEqual(changes.map(({ status }) => status).sort(), [
    200,
    ...Array.from({ length: AT_ONCE - 1 }, () => 400),
  ]);
});

test('an ended session cannot change the password', async () => {
  const ada = await platform.newMember();
  const stolen = { ...ada, client: client.as(String((await signIn(ada.email, PASSWORD)).data?.accessToken)) };
  const [changed] = await Promise.all([change(stolen), ada.client.callPatiently(signOut, { body: {} })]);
  const isChanged = changed.status === 200;
  assert.ok(isChanged || [400, 401].includes(changed.status), `${changed.status}`);
  assert.equal((await signIn(ada.email, isChanged ? NEXT : PASSWORD)).status, 200);
});
