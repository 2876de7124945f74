// What passwords must not be, wherever one is set.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, beforeEach, test } from 'node:test';
import {
  changePassword,
  createUser,
  forgotPassword,
  resetPassword,
  signIn,
  signUp,
} from '../../../../sdk/src/index.ts';
import type { Answer } from '../../../../test/support/answer.ts';
import { newEmail, PASSWORD } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

/** Passwords of the list of breaches, which stands for the service that offers one. */
const BREACHED = 'the beagle barks at noon';
const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const honest: RequestListener = (request, response) => {
  const [range, rest] = [digestOf(BREACHED).slice(0, 5), digestOf(BREACHED).slice(5)];
  const filler = `${'0'.repeat(34)}1:0\r\n`;
  response.end(request.url?.endsWith(`/range/${range}`) ? `${filler}${rest}:7\r\n` : filler);
};
let answerWith = honest;
const asked: string[] = [];
const list = createServer((request, response) => {
  asked.push(request.url as string);
  answerWith(request, response);
}).listen(0, '127.0.0.1');
await new Promise((resolve) => list.once('listening', resolve));
after(() => {
  list.closeAllConnections();
  list.close();
});
beforeEach(() => {
  answerWith = honest;
  asked.length = 0;
});

const platform = await startPlatform({
  PASSWORD_BLOCKLIST: 'on',
  PASSWORD_WORDS: 'Acme, Bull Run',
  PUBLIC_URL: 'https://api.zephyrine.example',
  BREACHED_PASSWORDS_URL: `http://127.0.0.1:${(list.address() as AddressInfo).port}/range`,
});
const { client, admin } = platform;
const TOO_COMMON = 'is too common';
const NAMES = 'must have 8 characters besides your name, your e-mail address and words of this platform';
const IN_BREACH = 'is known from a data breach; choose one that you use nowhere else';

const ADA = { firstName: 'Ada', lastName: 'Lovelace', platform: 'web' as const };
const join = (password: string, email = newEmail()) =>
  client.attempt(signUp, { body: { ...ADA, email, password } });
/** What is wrong with the password of a request, by its field; undefined if it was accepted. */
const wrongIn = ({ status, body }: Pick<Answer, 'status' | 'body'>, field = 'password') =>
  status === 422
    ? body.errors?.find((fault: { field: string }) => fault.field === field)?.message
    : undefined;

/** Sets a password in each way that there is, and returns what was said of it. */
async function everywhere(password: string, lastName: string) {
  const ada = await platform.newMember();
  const { email } = ada;
  const body = { currentPassword: PASSWORD, newPassword: password };
  const changed = await ada.client.attempt(changePassword, { body });
  await client.call(forgotPassword, { body: { email } });
  const code = /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
  const set = (newPassword: string) => client.attempt(resetPassword, { body: { email, code, newPassword } });
  const reset = await set(password);
  assert.equal((await set('nothing but a longer one')).status, 200, 'the code remains');
  const account = { email: newEmail(), firstName: 'Ada', lastName, password };
  return {
    signUp: wrongIn(await join(password)),
    change: wrongIn(changed, 'newPassword'),
    reset: wrongIn(reset, 'newPassword'),
    administrator: wrongIn(await admin.attempt(createUser, { body: account })),
    commandLine: await platform.platform.identity.ensureAdministrator({ ...account, email: newEmail() }).then(
      () => undefined,
      (error) => error.details.errors[0].message,
    ),
  };
}
const allOf = (message: string) => ({
  signUp: message,
  change: message,
  reset: message,
  administrator: message,
  commandLine: message,
});

test('common passwords are refused wherever one is set', async () => {
  assert.deepEqual(await everywhere('Password123', 'Lovelace'), allOf(TOO_COMMON));
  assert.deepEqual(
    asked.filter((path) => path.endsWith(digestOf('Password123').slice(0, 5))),
    [],
  );
});

test('names of the platform and of the operator do not count as characters of a password', async () => {
  assert.deepEqual(await everywhere('ACME-tr4ding-2026', 'Lovelace'), allOf(NAMES));
  for (const password of ['bull run 2026', 'Zephyrine!2026', '4dmin1str@tor', 'bullrunbullrun'])
    assert.equal(wrongIn(await join(password)), NAMES, password);
});

test('blanks around a common password do not make it another', async () => {
  for (const password of [' password123', 'Password123! ', '        '])
    assert.equal(wrongIn(await join(password)), TOO_COMMON, JSON.stringify(password));
});

test('a syllable of Hangul besides a name counts as one character', async () => {
  const join = (password: string) =>
    client.attempt(signUp, { body: { ...ADA, firstName: '김민수', email: newEmail(), password } });
  assert.equal(wrongIn(await join('김민수가나다라마')), NAMES);
  assert.equal((await join('김민수가나다라마바사아')).status, 201);
});

test('breached passwords are refused wherever one is set', async () => {
  assert.deepEqual(await everywhere(BREACHED, 'Lovelace'), allOf(IN_BREACH));
  assert.ok(asked.length > 0);
  for (const path of asked) assert.match(path, /^\/range\/[0-9A-F]{5}$/, 'no more than five digits are sent');
});

test('a password that is easy to guess is named with the other faults of a body, and breaches are not asked about it', async () => {
  const fields = async (path: string, body: object, by = client) =>
    (await by.raw('POST', path, body)).body.errors?.map(({ field }) => field).sort();
  const nameless = { platform: 'web', email: newEmail(), firstName: 'Ada', password: 'Password123' };
  assert.deepEqual(await fields('/v1/auth/signup', nameless), ['lastName', 'password']);
  const ofTheirs = { ...nameless, email: 'no address', lastName: 'Lovelace', password: 'lovelace1815' };
  assert.deepEqual(await fields('/v1/auth/signup', ofTheirs), ['email', 'password']);
  assert.deepEqual(await fields('/v1/admin/auth/users', nameless, admin), ['lastName', 'password']);
  const { client: member } = await platform.newMember();
  const newPassword = 'Password123';
  assert.deepEqual(await fields('/auth/change-password', { newPassword }, member), [
    'currentPassword',
    'newPassword',
  ]);
  assert.deepEqual(await fields('/auth/reset-password', { newPassword, code: 'x' }), [
    'code',
    'email',
    'newPassword',
  ]);
  asked.length = 0;
  assert.deepEqual(await fields('/v1/auth/signup', { ...nameless, password: BREACHED }), ['lastName']);
  assert.deepEqual(asked, []);
});

test('the names and the e-mail address of a member do not count as characters of their password', async () => {
  const email = `countess.byron-${newEmail()}`;
  for (const password of [email, 'lovelace1815', 'Ada.L0ve1ace!', 'Countess+Byron', 'ÁDÁ lovelace 99'])
    assert.equal(wrongIn(await join(password, email)), NAMES, password);
  assert.equal((await join('lovelace reckoned', email)).status, 201);
  const { email: address, client: member } = await platform.newMember();
  const change = { currentPassword: PASSWORD, newPassword: `${address.split('@')[0]} 1` };
  assert.equal(wrongIn(await member.attempt(changePassword, { body: change }), 'newPassword'), NAMES);
});

test('the names of a member are asked of a reset only once the code is right', async () => {
  const email = newEmail();
  await client.call(signUp, {
    body: { ...ADA, firstName: 'Wilhelmina', lastName: 'Featherstone', email, password: PASSWORD },
  });
  await client.call(forgotPassword, { body: { email } });
  const code = /\b\d{6}\b/.exec((await platform.mailTo(email, 'email.password-reset')).text)?.[0] as string;
  const reset = (given: string) =>
    client.attempt(resetPassword, { body: { email, code: given, newPassword: 'featherstone1' } });
  const wrong = await reset(code === '000000' ? '000001' : '000000');
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'INVALID_RESET_CODE']);
  assert.equal(wrongIn(await reset(code), 'newPassword'), NAMES);
});

test('passwords that were set before are accepted at sign-in, whatever they are', async () => {
  const email = newEmail();
  await join(PASSWORD, email);
  const { hash } = (await import('@node-rs/argon2')) as { hash(password: string): Promise<string> };
  await platform.database.execute(
    'update identity.password set hash = $2 where user_id = (select id from identity.user where email = $1)',
    [email, await hash('password123')],
  );
  const body = { email, password: 'password123', platform: 'web' as const };
  assert.equal((await client.attempt(signIn, { body })).status, 200);
});

test('a list of breaches that does not answer as it should keeps nobody out, and is counted', async () => {
  const unanswered = () => platform.metric('breached_password_checks_total\\{outcome="unanswered"\\}');
  const misbehaving: Record<string, RequestListener> = {
    'a failure': (_request, response) => response.writeHead(503).end(),
    'a refusal': (_request, response) => response.writeHead(404).end(),
    'a redirect to what has the password': (_request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    'a page': (_request, response) => response.end('<html>Welcome</html>'),
    'an answer without end': (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(`${'0'.repeat(35)}:1\r\n`.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    },
  };
  let before = await unanswered();
  for (const [what, listener] of Object.entries(misbehaving)) {
    answerWith = listener;
    assert.equal((await join(BREACHED)).status, 201, what);
    assert.equal(await unanswered(), ++before, what);
    // So that the next answer is asked for, however many were wrong.
    answerWith = honest;
    assert.equal(wrongIn(await join(BREACHED)), IN_BREACH);
  }
  assert.ok(!asked.includes('/elsewhere'));
  const told = platform.logged.join('');
  assert.ok(!told.includes(digestOf(BREACHED).slice(0, 5)), 'no digits of a digest are logged');
});

test('a list of breaches that is silent is waited for a moment, and then no more', async () => {
  const open = () => platform.metric('circuit_open\\{system="breaches"\\}');
  answerWith = () => undefined;
  const all = await Promise.all(Array.from({ length: 5 }, () => join(BREACHED)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [201]);
  const before = asked.length;
  assert.equal((await join(BREACHED)).status, 201);
  assert.deepEqual([asked.length, await open()], [before, 1], 'it is left alone');
  platform.clock.advance(11_000);
  answerWith = honest;
  assert.equal(wrongIn(await join(BREACHED)), IN_BREACH);
  assert.equal(await open(), 0);
});
