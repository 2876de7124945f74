// Calls that the platform refuses until the member confirms who they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createCaller,
  createClient,
  steppingUp,
  stepUp,
  transferKeys,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { appOf } from '../support/factors.ts';
import { startPlatform } from '../support/platform.ts';
import { clientOf, failureOf, ok, refused, signedInAs } from '../support/sdk-hosts.ts';

const transferred = () => ok({ transaction: {}, fromWallet: {}, toWallet: {} });
/** Longer than a session stays stepped up. */
const STEPPED_UP_MS = 11 * 60_000;
const TRANSFER = { toUserId: 'a', amount: 1 };

type OnStepUp = NonNullable<NonNullable<Parameters<typeof clientOf>[1]>['onStepUp']>;

/** A server that refuses transfers until the session is stepped up, and the client of a member. */
async function newScene(onStepUp: OnStepUp) {
  const state = { isSteppedUp: false, asked: 0 };
  const scene = clientOf(
    {
      '/step-up': () => {
        state.isSteppedUp = true;
        return ok({ until: '' });
      },
      '/transfer': () => (state.isSteppedUp ? transferred() : refused(403, 'STEP_UP_REQUIRED')),
      '/balance': () => refused(403, 'STEP_UP_REQUIRED'),
    },
    {
      onStepUp: (api) => {
        state.asked++;
        return onStepUp(api);
      },
    },
  );
  await scene.signIn();
  const keys = () =>
    scene.sent
      .filter(({ url }) => url.endsWith('/transfer'))
      .map(({ headers }) => headers['Idempotency-Key']);
  return { ...scene, state, keys };
}
const byPassword: OnStepUp = (api) => api.secondFactors.stepUp({ password: 'p' });

test('a refused call is repeated once the session is stepped up, under the same Idempotency-Key', async () => {
  const { api, state, keys } = await newScene(byPassword);
  const call = api.wallet.transfer(TRANSFER);
  await call;
  assert.deepEqual(keys(), [call.idempotencyKey, call.idempotencyKey]);
  await api.raw('transferKeys', { body: TRANSFER });
  assert.equal(state.asked, 1);
});

test('calls that are refused at once ask once, also when a refusal comes late', async () => {
  const { api, state, options } = await newScene(byPassword);
  const { fetch } = options;
  let release: (() => void) | undefined;
  const slow = createClient({
    ...options,
    storage: api.session.storage,
    // Holds the first refusal back.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (url.endsWith('/transfer') && !release)
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return response;
    },
  });
  const late = slow.wallet.transfer(TRANSFER);
  await Promise.all(Array.from({ length: 5 }, () => slow.wallet.transfer(TRANSFER)));
  release?.();
  await late;
  assert.equal(state.asked, 1);
});

test('who gives up leaves the refusals as they were, and is asked again by the next call', async () => {
  const ways: OnStepUp[] = [
    async () => false,
    async () => Promise.reject(new Error('closed')),
    () => {
      throw new Error('closed at once');
    },
  ];
  for (const give of ways) {
    const { api, state, keys } = await newScene(give);
    const calls = [api.wallet.transfer(TRANSFER), api.wallet.transfer(TRANSFER)];
    for (const error of await Promise.all(calls.map(failureOf)))
      assert.deepEqual(
        [error.code, error.status, error.operation],
        ['STEP_UP_REQUIRED', 403, 'transferKeys'],
      );
    assert.deepEqual([state.asked, keys().length], [1, 2]);
    await failureOf(api.wallet.transfer(TRANSFER));
    assert.equal(state.asked, 2);
  }
});

test('a call that stays refused fails after one confirmation', async () => {
  const { api, state } = await newScene(byPassword);
  assert.equal((await failureOf(api.wallet.getBalance())).code, 'STEP_UP_REQUIRED');
  assert.equal(state.asked, 1);
});

test('a call that is aborted does not wait for the confirmation', async () => {
  let confirm: (() => void) | undefined;
  const { api, keys } = await newScene(
    () =>
      new Promise<void>((resolve) => {
        confirm = resolve;
      }),
  );
  const controller = new AbortController();
  const call = api.wallet.transfer(TRANSFER, { signal: controller.signal });
  while (!confirm) await new Promise(setImmediate);
  controller.abort(new Error('closed'));
  await assert.rejects(call, { message: 'closed' });
  confirm();
  await new Promise(setImmediate);
  assert.equal(keys().length, 1, 'and is not sent again');
});

test('the error thrown by the handler is the cause of the refusal', async () => {
  const mistake = new TypeError('dialog is not a function');
  const { api } = await newScene(() => {
    throw mistake;
  });
  const error = await failureOf(api.wallet.transfer(TRANSFER));
  assert.deepEqual([error.code, error.status, error.cause], ['STEP_UP_REQUIRED', 403, mistake]);
  assert.ok(!Object.keys(error).includes('cause'), 'logs do not write it out');
});

test('a sign-out ends the waiting, and the next member is asked again', async () => {
  let answerFirst: () => void = () => undefined;
  const { api, signIn, state } = await newScene(() =>
    state.asked === 1
      ? new Promise<void>((resolve) => {
          answerFirst = resolve;
        })
      : Promise.resolve(false),
  );
  const left = failureOf(api.wallet.transfer(TRANSFER));
  while (state.asked === 0) await new Promise(setImmediate);
  await api.session.end();
  assert.equal((await left).code, 'STEP_UP_REQUIRED');
  await signIn();
  const next = failureOf(api.wallet.transfer(TRANSFER));
  answerFirst();
  assert.equal((await next).code, 'STEP_UP_REQUIRED');
  assert.equal(state.asked, 2, 'also if the former one answers in the end');
});

test('a call that is aborted without a reason, as on some phones, is an AbortError', async () => {
  const { api, state } = await newScene(() => new Promise(() => undefined));
  const listeners = new Set<() => void>();
  const signal = {
    aborted: false,
    addEventListener: (_type: 'abort', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: 'abort', listener: () => void) => void listeners.delete(listener),
  };
  const call = api.wallet.transfer(TRANSFER, { signal });
  while (state.asked === 0) await new Promise(setImmediate);
  signal.aborted = true;
  for (const listener of listeners) listener();
  await assert.rejects(Promise.resolve(call), { name: 'AbortError' });
  assert.equal(listeners.size, 0);
});

test('calls of the confirmation itself do not wait for it', async () => {
  let inner: string | undefined;
  const { api } = await newScene(async (own) => {
    inner = (await failureOf(own.wallet.getBalance())).code;
    await own.secondFactors.stepUp({ password: 'p' });
  });
  await api.wallet.transfer(TRANSFER);
  assert.equal(inner, 'STEP_UP_REQUIRED');
});

test('a call is not repeated as another member who has signed in meanwhile', async () => {
  const { api, keys } = await newScene(async (own) => {
    await own.secondFactors.stepUp({ password: 'p' });
    await own.auth.signIn({ email: 'b@b.c', password: 'p', platform: 'web' });
  });
  assert.equal((await failureOf(api.wallet.transfer(TRANSFER))).code, 'STEP_UP_REQUIRED');
  assert.equal(keys().length, 1);
});

test('other refusals are as before', async () => {
  let asked = 0;
  const { api } = clientOf(
    { '/balance': () => refused(403, 'FORBIDDEN') },
    { onStepUp: async () => asked++ },
  );
  assert.equal((await failureOf(api.wallet.getBalance())).code, 'FORBIDDEN');
  assert.equal(asked, 0);
});

test('a program of few operations has it, too', async () => {
  let isSteppedUp = false;
  const { options } = clientOf({
    '/step-up': () => {
      isSteppedUp = true;
      return ok({ until: '' });
    },
    '/transfer': () => (isSteppedUp ? transferred() : refused(403, 'STEP_UP_REQUIRED')),
  });
  const api = steppingUp(createCaller(options), async (caller) =>
    caller.call(stepUp, { body: { password: 'p' } }),
  );
  await api.session.write({ id: 's', ...signedInAs('ada'), receivedAt: 0 });
  await api.call(transferKeys, { body: TRANSFER });
  assert.ok(isSteppedUp);
});

test('the platform accepts the repeated call, and responds to it under its key', async () => {
  const platform = await startPlatform();
  const { key: apiKey } = await platform.newKey('admin');
  const member = await platform.newMemberWith(100);
  let asked = 0;
  let newCode = (): string => assert.fail('there is no app yet');
  const api = createClient({
    baseUrl: platform.url,
    apiKey,
    onStepUp: (own) => {
      asked++;
      return own.secondFactors.stepUp({ mfaCode: newCode() });
    },
  });
  await api.auth.signIn({ email: member.email, password: PASSWORD, platform: 'web' });
  const { secret } = await api.secondFactors.enrollAuthenticator();
  const app = appOf(platform, secret);
  await api.secondFactors.confirmAuthenticator({ code: app.code() });
  newCode = app.newCode;
  platform.clock.advance(STEPPED_UP_MS);
  const call = api.wallet.withdraw({ amount: 50 });
  await call;
  assert.equal(asked, 1);
  const again = await api.raw(
    withdrawKeys,
    { body: { amount: 50 } },
    { idempotencyKey: call.idempotencyKey },
  );
  assert.deepEqual([again.isReplayed, asked], [true, 1]);
  assert.equal((await api.wallet.getBalance()).balance, 50);
});
