import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepRegistered } from '../../sdk/src/index.ts';
import { clientOf, ok, type Reply, refused, signedInAs } from '../support/sdk-hosts.ts';

const device = () => ({ platform: 'ios' as const, token: 'token' });

function phoneWith(register: Reply = () => ok({})) {
  const { api, sent, signIn } = clientOf({
    '/register': register,
    '/refresh-token': () => ok(signedInAs('ada again')),
    '/signout': () => ok({ sessionsEnded: 1 }),
  });
  const registrations = () => sent.filter(({ url }) => url.endsWith('/register')).map(({ body }) => body);
  return { api, signIn, registrations };
}

/** Everything that has begun without waiting for time to pass is done. */
const quiet = async () => {
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate);
};

test('a device is registered after each sign-in, and not before or when tokens are renewed', async () => {
  const { api, signIn, registrations } = phoneWith();
  keepRegistered(api, device);
  await quiet();
  assert.deepEqual(registrations(), []);
  await signIn();
  await quiet();
  assert.deepEqual(registrations(), [JSON.stringify(device())]);
  const { accessToken = '' } = (await api.session.read()) ?? {};
  await api.session.renew(accessToken);
  await quiet();
  assert.equal(registrations().length, 1);
  await api.signOut();
  await signIn();
  await quiet();
  assert.equal(registrations().length, 2);
});

test('it is registered at once where somebody is signed in, and no longer once it is stopped', async () => {
  const { api, signIn, registrations } = phoneWith();
  await signIn();
  const stop = keepRegistered(api, async () => device());
  await quiet();
  assert.equal(registrations().length, 1);
  stop();
  await signIn();
  await quiet();
  assert.equal(registrations().length, 1);
});

test('a member who wants no pushes is not registered, and a refusal is reported', async () => {
  const silent = phoneWith();
  keepRegistered(silent.api, () => undefined);
  await silent.signIn();
  await quiet();
  assert.deepEqual(silent.registrations(), []);
  const errors: unknown[] = [];
  const onError = (error: unknown) =>
    errors.push((error as { code?: string; message: string }).code ?? String(error));
  const faulty = phoneWith(() => refused(422, 'VALIDATION_FAILED'));
  keepRegistered(faulty.api, device, { onError });
  keepRegistered(faulty.api, () => Promise.reject(new Error('no permission')), { onError });
  await faulty.signIn();
  await quiet();
  assert.deepEqual(errors.sort(), ['Error: no permission', 'VALIDATION_FAILED']);
});

test('without a connection it is registered later, unless the member has signed out', async (t) => {
  let isAway = true;
  const { api, signIn, registrations } = phoneWith(() =>
    isAway ? Promise.reject(new TypeError('no network')) : ok({}),
  );
  await signIn();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  keepRegistered(api, device);
  await quiet();
  assert.equal(registrations().length, 1);
  isAway = false;
  t.mock.timers.tick(30_000);
  await quiet();
  assert.equal(registrations().length, 2);
  isAway = true;
  await signIn();
  await quiet();
  assert.equal(registrations().length, 3);
  await api.session.end(undefined, 'signed-out');
  t.mock.timers.tick(30_000);
  await quiet();
  assert.equal(registrations().length, 3);
});
