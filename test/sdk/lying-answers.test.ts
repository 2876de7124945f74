// What a client must stand of whoever is between it and the platform: answers that look right, and none that ends.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { adminOf } from '../../sdk/src/admin.ts';
import { createClient, finishedVideo, once, uploadVideo } from '../../sdk/src/index.ts';
import { until } from '../support/live.ts';
import { clientOf, failureOf, ok, type Reply, refused, signedInAs } from '../support/sdk-hosts.ts';

const TRANSFER = { toUserId: 'a', amount: 1 };

/** As the page of a wireless network that asks for a sign-in may answer everything. */
const portal = () => Response.json({ success: true, redirect: 'http://sign-in.test' });

test('an incomplete success is not accepted: the transfer is sent again under its key', async () => {
  const answers: Reply[] = [
    portal,
    () => Response.json({ success: true, data: {} }),
    () => Response.json({ success: true, meta: {} }),
    () => ok({ transaction: { status: 'completed' } }),
  ];
  const { api, sent } = clientOf({ '/transfer': (one) => (answers.shift() as Reply)(one) });
  const { transaction } = await api.wallet.transfer(TRANSFER);
  assert.equal(transaction.status, 'completed');
  assert.equal(sent.length, 4);
  assert.equal(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size, 1);
});

test('a write that only a liar has answered may have taken effect', async () => {
  const { api } = clientOf({ '/transfer': portal }, { retries: 0 });
  const { kind, status, isOutcomeUnknown } = await failureOf(api.wallet.transfer(TRANSFER));
  assert.deepEqual([kind, status, isOutcomeUnknown], ['unreadable', 200, true]);
});

test('a JSON refusal of a proxy is not taken for one of the platform: an intent keeps its key', async () => {
  const forbidden = () => Response.json({ message: 'Forbidden', error: 'Forbidden' }, { status: 403 });
  const answers = [forbidden, () => ok({ transaction: {} })];
  const { api, sent } = clientOf(
    { '/transfer': () => (answers.shift() as () => Response)() },
    { retries: 0 },
  );
  const pay = () => once(api, 'rent', (key) => api.wallet.transfer(TRANSFER, key));
  const { kind, code, isOutcomeUnknown } = await failureOf(pay());
  assert.deepEqual([kind, code, isOutcomeUnknown], ['unreadable', 'UNREADABLE_ANSWER', true]);
  await pay();
  assert.equal(sent[0]?.headers['Idempotency-Key'], sent[1]?.headers['Idempotency-Key']);
});

test('data other than a list is unreadable where a list is requested', async () => {
  const pagination = { page: 1, limit: 1, total: 1, pages: 1 };
  for (const data of [{ id: 'a' }, null, 'a']) {
    const { api } = clientOf({ '/courses': () => ok(data, { pagination }) }, { retries: 0 });
    assert.equal((await failureOf(api.courses.list())).kind, 'unreadable', JSON.stringify(data));
  }
});

test('a list and a feed with cursors end although every page is the first one', async () => {
  const page = () =>
    ok([{ transactionId: 'txn_1' }], { pagination: { page: 1, limit: 1, total: 9, pages: 9 } });
  const events = () => ok([{ id: 'evt_1' }], { pagination: { nextCursor: 'c' } });
  const { api, sent } = clientOf({ '/transactions': page, '/events': events });
  for await (const { transactionId } of api.wallet.listTransactions()) assert.equal(transactionId, 'txn_1');
  assert.equal(sent.length, 2);
  for await (const { id } of adminOf(api).events.list()) assert.equal(id, 'evt_1');
  assert.equal(sent.length, 4);
});

test('a refresh and a sign-in without tokens leave those that there are', async () => {
  for (const data of [{}, null, { accessToken: 'alone' }]) {
    const { api, signIn } = clientOf(
      { '/profile': () => refused(401, 'TOKEN_EXPIRED'), '/refresh-token': () => ok(data) },
      { onSignedOut: () => assert.fail('nobody is signed out') },
    );
    await signIn();
    const kept = await api.session.read();
    await failureOf(api.profile.get());
    assert.deepEqual(await api.session.read(), kept);
    const { api: other } = clientOf({ '/signin': () => ok(data) });
    const call = other.auth.signIn({ email: 'a@b.c', password: 'p', platform: 'web' });
    assert.equal((await failureOf(call)).kind, 'unreadable');
    assert.equal(await other.session.read(), undefined);
  }
});

test('a limit of time that no timer can have is no limit', async () => {
  const profile: Reply = async ({ signal }) => {
    await new Promise(setImmediate);
    signal.throwIfAborted();
    return ok({ id: 'a' });
  };
  const { api } = clientOf({ '/profile': profile }, { retries: 0 });
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31])
    assert.equal((await api.profile.get({ timeoutMs })).id, 'a');
});

test('a call ends in time, and when it is aborted, although its fetch heeds no signal', async () => {
  const { api } = clientOf({ '/profile': () => new Promise(() => undefined) }, { retries: 0 });
  const { kind, code } = await failureOf(api.profile.get({ timeoutMs: 20 }));
  assert.deepEqual([kind, code], ['timeout', 'TIMEOUT']);
  const controller = new AbortController();
  const call = api.profile.get({ signal: controller.signal });
  controller.abort(new Error('closed'));
  await assert.rejects(Promise.resolve(call), { message: 'closed' });
});

test('a call that is aborted does not wait for a refresh without an answer, on which others wait', async () => {
  const refreshes: ((answer: Response) => void)[] = [];
  let isExpired = true;
  const { api, signIn } = clientOf({
    '/profile': () => (isExpired ? refused(401, 'TOKEN_EXPIRED') : ok({ id: 'a' })),
    '/refresh-token': () => new Promise((resolve) => refreshes.push(resolve)),
  });
  await signIn();
  const controller = new AbortController();
  const aborted = api.profile.get({ signal: controller.signal });
  const patient = api.profile.get();
  await until(() => refreshes.length > 0, 'the refresh');
  controller.abort(new Error('closed'));
  await assert.rejects(Promise.resolve(aborted), { message: 'closed' });
  isExpired = false;
  refreshes[0]?.(ok(signedInAs('renewed')));
  assert.equal((await patient).id, 'a');
  assert.equal(refreshes.length, 1);
});

test('a storage of videos that cannot be reached is a failure as any other, and an upload can be aborted', async () => {
  const ticket = {
    uploadUrl: 'http://storage.test/video',
    instructions: { method: 'PUT', headers: {} },
    fileKey: 'k',
  };
  const file = new File(['a'], 'a.mp4', { type: 'video/mp4' });
  const unreachable = () => Promise.reject(new TypeError('fetch failed'));
  const { api } = clientOf({ '/request-upload-url': () => ok(ticket), '/video': unreachable });
  const { kind, code, cause } = await failureOf(uploadVideo(api, 'lesson', file));
  assert.deepEqual([kind, code, String(cause)], ['offline', 'OFFLINE', 'TypeError: fetch failed']);

  const controller = new AbortController();
  const aborting = () => {
    controller.abort(new Error('closed'));
    return unreachable();
  };
  const { api: other } = clientOf({ '/request-upload-url': () => ok(ticket), '/video': aborting });
  await assert.rejects(uploadVideo(other, 'lesson', file, { signal: controller.signal }), {
    message: 'closed',
  });
});

test('the end of an upload is repeated when its answer is lost, so that the file need not be sent again', async () => {
  const ticket = {
    uploadUrl: 'http://storage.test/video',
    instructions: { method: 'PUT', headers: {} },
    fileKey: 'k',
  };
  const answers: Reply[] = [
    () => Promise.reject(new TypeError('fetch failed')),
    () => refused(503, 'SERVICE_UNAVAILABLE'),
    () => ok({ status: 'processing' }),
  ];
  const { api, sent } = clientOf({
    '/request-upload-url': () => ok(ticket),
    '/video': () => new Response(),
    '/complete-upload': (one) => (answers.shift() as Reply)(one),
    '/video-status': () => ok({ status: 'complete' }),
  });
  const file = new File(['a'], 'a.mp4', { type: 'video/mp4' });
  assert.equal((await uploadVideo(api, 'lesson', file)).status, 'complete');
  assert.equal(sent.filter(({ url }) => url.endsWith('/video')).length, 1);
  assert.equal(answers.length, 0);
});

test('waiting for a video ends: at once if the lesson has none, and in time if it is never finished', async () => {
  const waiting = (video: object, timeoutMs?: number) => {
    const { api, sent } = clientOf({ '/video-status': () => ok(video) });
    return { failure: failureOf(finishedVideo(api, 'lesson', { timeoutMs })), sent };
  };
  const none = await waiting({ status: null, progress: null, error: null }).failure;
  assert.deepEqual([none.kind, none.code], ['client', 'NO_VIDEO']);
  // A limit that is no number is one, too.
  for (const timeoutMs of [20, Number.NaN]) {
    const endless = waiting({ status: 'processing', progress: 50, error: null }, timeoutMs);
    const { kind, code } = await endless.failure;
    assert.deepEqual([kind, code, endless.sent.length], ['timeout', 'TIMEOUT', 1]);
  }
});

/** A server that is none of the platform's. */
async function serving(t: TestContext, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(answer as never);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a body without an end ends the call in time', async (t) => {
  const baseUrl = await serving(t, (_request, response) => {
    const more = setInterval(() => response.write(' '.repeat(1_024)), 1);
    response.on('close', () => clearInterval(more));
  });
  const api = createClient({ baseUrl, apiKey: 'k', retries: 0, timeoutMs: 200 });
  assert.equal((await failureOf(api.profile.get())).code, 'TIMEOUT');
});

test('neither keys nor tokens go where a redirect leads', async (t) => {
  const visits: unknown[] = [];
  const elsewhere = await serving(t, (request, response) => {
    visits.push(request.headers);
    response.end('{}');
  });
  for (const status of [301, 307]) {
    const baseUrl = await serving(t, (_request, response) =>
      response.writeHead(status, { location: `${elsewhere}/v1/wallets/transfer` }).end(),
    );
    const api = createClient({ baseUrl, apiKey: 'k', retries: 0 });
    const { kind, isOutcomeUnknown } = await failureOf(api.wallet.transfer(TRANSFER));
    assert.deepEqual([kind, isOutcomeUnknown], ['offline', true]);
  }
  assert.deepEqual(visits, []);
});
