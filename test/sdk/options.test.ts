// What programs in JavaScript may give that a compiler would have refused, and what a client does with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClientOptions,
  createClient,
  getBalance,
  memoryStorage,
  once,
  transferKeys,
} from '../../sdk/src/index.ts';
import { clientOf, failureOf, ok, refused } from '../support/sdk-hosts.ts';

const complete = { baseUrl: 'https://api.example.com', apiKey: 'secret-key' };

test('a client says which of its options is wrong, and what is expected', () => {
  const wrong: [unknown, RegExp][] = [
    [undefined, /'baseUrl' must be .* but is undefined/],
    [{}, /'baseUrl' must be .* such as 'https:\/\/api\.example\.com', but is undefined/],
    [{ ...complete, baseUrl: 'api.example.com' }, /'baseUrl' must be .* but is 'api\.example\.com'/],
    [{ ...complete, baseUrl: 'ws://api.example.com' }, /'baseUrl'/],
    [{ ...complete, baseUrl: 'https:///v1' }, /'baseUrl'/],
    [{ ...complete, baseUrl: 4000 }, /'baseUrl' must be .* but is number/],
    [{ ...complete, baseUrl: new URL(complete.baseUrl) }, /'baseUrl' must be .* but is object/],
    [{ ...complete, baseUrl: 'https://api.example.com?key=5' }, /'baseUrl'/],
    [{ ...complete, baseUrl: 'https://me:secret-word@api.example.com' }, /'baseUrl'/],
    [{ ...complete, apiKey: '' }, /'apiKey' must be .* but is empty/],
    [{ ...complete, apiKey: 'secret-key\n' }, /'apiKey' must be/],
    [{ baseUrl: complete.baseUrl }, /'apiKey' must be .* but is empty/],
    [{ ...complete, storage: { getItem: () => null } }, /'storage' must have 'get' and 'set'/],
    [{ ...complete, timeoutMs: Number.NaN }, /'timeoutMs' must be .* but is NaN/],
    [{ ...complete, timeoutMs: '15000' }, /'timeoutMs' must be/],
    [{ ...complete, retries: -1 }, /'retries' must be .* but is -1/],
    [{ ...complete, fetch: {} }, /'fetch' must be a function, but is object/],
    [{ ...complete, onStepUp: true }, /'onStepUp' must be a function, but is boolean/],
  ];
  for (const [options, expected] of wrong)
    assert.throws(
      () => createClient(options as ClientOptions),
      (error) => error instanceof TypeError && expected.test(error.message) && !/secret/.test(error.message),
    );
  for (const baseUrl of ['http://[::1]:3000', 'https://api.example.com/platform/'])
    createClient({ ...complete, baseUrl });
  createClient({ ...complete, timeoutMs: Number.POSITIVE_INFINITY, retries: 0 });
});

test('an Idempotency-Key that would not reach the platform is refused without a request', async () => {
  const { api, sent } = clientOf({
    '/transfer': () => ok({ transaction: {} }),
    '/transactions': () => ok([]),
  });
  const transfer = (idempotencyKey: unknown) =>
    api.wallet.transfer({ toUserId: 'a', amount: 1 }, { idempotencyKey: idempotencyKey as string });
  for (const key of ['', ' ', 'rent →', 'rent\n', 'x'.repeat(256), 42])
    await assert.rejects(async () => transfer(key), /^TypeError: 'idempotencyKey' must have/, String(key));
  assert.equal(sent.length, 0);
  for (const key of [undefined, null]) await transfer(key);
  // Small programs, which have no such check, do not lose the protection.
  await api.raw(transferKeys, { body: { toUserId: 'a', amount: 1 } }, { idempotencyKey: '' });
  for (const { headers } of sent) assert.match(headers['Idempotency-Key'] ?? '', /^[0-9a-f-]{36}$/);
});

test('an invalid id is refused without a request', async () => {
  const { api, sent } = clientOf({ '/courses': () => ok({}) });
  for (const id of [undefined, null, {}, [], '', '..', Number.NaN])
    await assert.rejects(api.courses.get(id as string), /^TypeError: '.*' is no id$/, String(id));
  assert.equal(sent.length, 0);
});

test('a list ends although something between answers every page with the first one', async () => {
  const pagination = { page: 1, limit: 1, total: 3, pages: 3 };
  const same = () => ok([{ id: 'a' }], { pagination });
  const { api, sent } = clientOf({ '/educators': same, '/courses': same });
  for await (const { id } of api.educators.list()) assert.equal(id, 'a');
  assert.equal(sent.length, 3, 'by pages');
  for await (const { id } of api.courses.list()) assert.equal(id, 'a');
  assert.equal(sent.length, 5, 'by cursors, of which the second is the first again');
});

test('a list without pagination is unreadable', async () => {
  const { api } = clientOf(
    { '/courses': () => ok([{ id: 'a' }], { pagination: undefined }) },
    { retries: 0 },
  );
  const error = await failureOf(api.courses.list());
  assert.deepEqual(
    [error.kind, error.code, error.operation],
    ['unreadable', 'UNREADABLE_ANSWER', 'listCourses'],
  );
});

test('tokens that somebody else has stored are those of the next call', async () => {
  const storage = memoryStorage();
  const { api, sent, signIn } = clientOf({ '/balance': () => ok({}) }, { storage });
  await signIn();
  await api.wallet.getBalance();
  const stored = JSON.parse(String(await storage.get('tokens')));
  await storage.set('tokens', JSON.stringify({ ...stored, accessToken: 'other' }));
  await api.wallet.getBalance();
  for (const text of ['no JSON', undefined]) {
    await storage.set('tokens', text);
    await api.wallet.getBalance();
  }
  const carried = sent.slice(1).map(({ headers }) => headers.Authorization);
  assert.deepEqual(carried, [`Bearer ${stored.accessToken}`, 'Bearer other', undefined, undefined]);
});

test('an intent that is carried out twice at once has one key', async () => {
  const { api, sent } = clientOf({ '/transfer': () => ok({ transaction: {} }) });
  const pay = () => once(api, 'rent', (key) => api.wallet.transfer({ toUserId: 'a', amount: 1 }, key));
  await Promise.all([pay(), pay()]);
  const [first, second] = sent.map(({ headers }) => headers['Idempotency-Key']);
  assert.ok(first);
  assert.equal(second, first);
});

test('the tokens of a deleted account are forgotten, those of one that is still there are kept', async () => {
  const reasons: string[] = [];
  const answers = [() => refused(401, 'AUTHENTICATION_FAILED'), () => ok(null)];
  const { api, sent, signIn } = clientOf(
    { '/v1/user': () => (answers.shift() as () => Response)(), '/profile': () => ok({ id: 'a' }) },
    { onSignedOut: (reason) => reasons.push(reason) },
  );
  await signIn();
  await failureOf(api.users.deleteOwnAccount({ password: 'mistyped' }));
  assert.ok(await api.session.read());
  assert.deepEqual(reasons, []);
  await api.users.deleteOwnAccount({ password: 'p' });
  assert.equal(await api.session.read(), undefined);
  assert.deepEqual(reasons, ['signed-out']);
  await api.profile.get();
  assert.equal(sent.at(-1)?.headers.Authorization, undefined);
});

test('the whole answer of an operation comes by its id, too, and an unknown id is named', async () => {
  const { api, sent } = clientOf({ '/balance': () => ok({ balance: 5 }, { message: 'fine' }) });
  const [byId, byValue] = [await api.raw('getBalance'), await api.raw(getBalance)];
  assert.deepEqual(
    [byId.message, byId.data, byId],
    ['fine', { balance: 5 }, { ...byValue, meta: byId.meta }],
  );
  // @ts-expect-error no such operation
  assert.throws(() => api.raw('getBalanse'), /^TypeError: 'getBalanse' is not an operation of members/);
  assert.equal(sent.length, 2);
});
