// What a session must stand: storages that fail, listeners that throw, several clients on one storage.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserStorage, memoryStorage, type Storage } from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';
import {
  clientOf,
  failureOf,
  ok,
  type Reply,
  refused,
  signedInAs,
  slowStorage,
  tokenOf,
  twoTabs,
  WebSocket,
  without,
} from '../support/sdk-hosts.ts';

test('a wrong API key does not sign members out', async () => {
  const reasons: string[] = [];
  const { api, signIn } = clientOf(
    {
      '/profile': () => refused(401, 'TOKEN_EXPIRED'),
      '/refresh-token': () => refused(401, 'INVALID_API_KEY'),
    },
    { onSignedOut: (reason) => reasons.push(reason) },
  );
  await signIn();
  const error = await failureOf(api.profile.get());
  assert.deepEqual([error.code, error.operation], ['INVALID_API_KEY', 'getProfile']);
  assert.equal((await api.session.read())?.accessToken, tokenOf('ada'));
  assert.deepEqual(reasons, []);
});

test('two clients on one storage refresh once, also without navigator.locks', () =>
  without(navigator, 'locks', async () => {
    const storage = slowStorage();
    let token = 'ada';
    let refreshes = 0;
    const replies: Record<string, Reply> = {
      '/profile': ({ headers }) =>
        headers.Authorization === `Bearer ${tokenOf('ada')}`
          ? refused(401, 'TOKEN_EXPIRED')
          : ok({ id: 'a' }),
      '/refresh-token': ({ body }) => {
        refreshes++;
        if (!body?.includes(`"${token}-refresh"`)) return refused(401, 'INVALID_REFRESH_TOKEN');
        token = 'ada2';
        return ok(signedInAs(token));
      },
    };
    const [one, other] = [clientOf(replies, { storage }), clientOf(replies, { storage })];
    await one.signIn();
    await Promise.all([one.api.profile.get(), other.api.profile.get(), one.api.profile.get()]);
    assert.equal(refreshes, 1);
  }));

test('clients in different tabs renew their tokens one after another', async (t) => {
  const held: string[] = [];
  const own = Object.getOwnPropertyDescriptor(navigator, 'locks');
  const request = async (name: string, work: () => Promise<unknown>) => {
    held.push(name);
    return work().finally(() => held.push('released'));
  };
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  t.after(() => own && Object.defineProperty(navigator, 'locks', own));
  const { api, signIn } = clientOf(
    { '/refresh-token': () => ok(signedInAs('ada2')) },
    { storage: slowStorage() },
  );
  await signIn();
  await api.session.renew(tokenOf('ada'));
  assert.equal((await api.session.read())?.accessToken, tokenOf('ada2'));
  assert.deepEqual(held, ['platform refresh', 'released']);
});

test('the end of a session is reported once, although the storage is slow and the listener throws and signs out', async (t) => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  t.after(() => {
    process.removeAllListeners('uncaughtException');
    for (const one of before) process.on('uncaughtException', one);
  });
  const reasons: string[] = [];
  const { api, signIn } = clientOf(
    { '/profile': () => refused(401, 'INVALID_TOKEN') },
    {
      storage: slowStorage(),
      onSignedOut: (reason) => {
        reasons.push(reason);
        void api.signOut();
        throw new Error('a fault of the program');
      },
    },
  );
  await signIn();
  const errors = await Promise.all([failureOf(api.profile.get()), failureOf(api.profile.get())]);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['INVALID_TOKEN', 'INVALID_TOKEN'],
  );
  await until(() => uncaught.length > 0, 'the fault being reported');
  assert.deepEqual(reasons, ['session-ended']);
});

test('a storage that cannot forget, or holds nonsense, keeps nobody signed in', async () => {
  const kept = memoryStorage();
  let isFull = false;
  const storage: Storage = {
    get: kept.get,
    set: (key, value) => {
      if (isFull) throw new Error('QuotaExceededError');
      return kept.set(key, value);
    },
  };
  const reasons: string[] = [];
  const { api, sent, signIn } = clientOf(
    { '/signout': () => ok({}), '/profile': () => ok({ id: 'a' }) },
    { storage, onSignedOut: (reason) => reasons.push(reason) },
  );
  await signIn();
  isFull = true;
  await assert.rejects(api.signOut(), /Quota/);
  assert.deepEqual(reasons, ['signed-out']);
  await api.profile.get();
  assert.equal(sent.at(-1)?.headers.Authorization, undefined);
  kept.set('tokens', '{ cut');
  await api.profile.get();
  assert.equal(sent.at(-1)?.headers.Authorization, undefined);
});

test('the other tabs hear of a sign-out and of another member, and their live channel ends', async (t) => {
  const [here, there] = twoTabs();
  const reasons: string[] = [];
  const one = clientOf({ '/signout': () => ok({}) }, { storage: here });
  const other = clientOf(
    { '/profile': () => ok({ id: 'a' }) },
    { storage: there, WebSocket, onSignedOut: (reason) => reasons.push(reason) },
  );
  t.after(() => other.api.live().close());
  const isLive = async () => {
    other.api.live().reconnect();
    await until(() => other.api.live().state.name === 'live', 'the connection');
  };
  await one.signIn();
  await other.api.profile.get();
  await isLive();
  await one.api.signOut();
  await until(() => reasons.length === 1, 'the sign-out');
  assert.deepEqual(other.api.live().state, { name: 'ended', reason: 'signed out' });
  await one.signIn();
  await isLive();
  await one.signIn();
  await until(() => reasons.length === 2, 'another sign-in');
  assert.equal(other.api.live().state.name, 'ended');
  assert.deepEqual(reasons, ['signed-out', 'replaced']);
});

test('the browser tells other tabs of changes of its local storage', (t) => {
  const page = new EventTarget();
  const fakes = {
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    addEventListener: page.addEventListener.bind(page),
  };
  for (const [name, value] of Object.entries(fakes)) {
    const own = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() =>
      own ? Object.defineProperty(globalThis, name, own) : Reflect.deleteProperty(globalThis, name),
    );
  }
  const keys: string[] = [];
  browserStorage('mine').subscribe?.((key) => keys.push(key));
  for (const key of ['theirs:tokens', 'mine:tokens', 'mine:device', null])
    page.dispatchEvent(Object.assign(new Event('storage'), { key }));
  assert.deepEqual(keys.splice(0), ['tokens', 'device', 'tokens'], 'also when everything is cleared');
  for (const persisted of [false, true])
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));
  assert.deepEqual(keys, ['tokens'], 'and when a page comes back as it was left');
});

test('tokens that the storage cannot keep are not lost: the failure is reported, and calls continue with them', async () => {
  const kept = memoryStorage();
  let isFull = false;
  const storage: Storage = {
    get: kept.get,
    set: (key, value) => {
      if (isFull) throw new Error('QuotaExceededError');
      return kept.set(key, value);
    },
  };
  const reasons: string[] = [];
  const tokens = ['ada2', 'ada3'];
  let accepted = 'none yet';
  const replies: Record<string, Reply> = {
    '/profile': ({ headers }) =>
      headers.Authorization === `Bearer ${tokenOf(accepted)}`
        ? ok({ id: 'a' })
        : refused(401, 'TOKEN_EXPIRED'),
    '/refresh-token': ({ body }) => {
      if (!body?.includes(accepted === 'none yet' ? 'ada-refresh' : `${accepted}-refresh`))
        return refused(401, 'INVALID_REFRESH_TOKEN');
      accepted = tokens.shift() as string;
      return ok(signedInAs(accepted));
    },
  };
  const options = { storage, onSignedOut: (reason: string) => void reasons.push(reason) };
  const [one, other] = [clientOf(replies, options), clientOf(replies, options)];
  await one.signIn();
  isFull = true;
  await assert.rejects(one.api.profile.get(), /Quota/);
  assert.deepEqual([await one.api.profile.get(), await other.api.profile.get()], [{ id: 'a' }, { id: 'a' }]);
  isFull = false;
  accepted = 'ada2';
  await one.api.session.renew(tokenOf('ada2'));
  assert.equal(JSON.parse((await kept.get('tokens')) as string).accessToken, tokenOf('ada3'));
  assert.deepEqual(await one.api.profile.get(), { id: 'a' });
  assert.deepEqual(reasons, []);
});
