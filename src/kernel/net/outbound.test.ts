import assert from 'node:assert/strict';
import dns from 'node:dns';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { failureOf } from '../spans.ts';
import { frequentCalls } from './frequent-calls.ts';
import { type Exchange, ExternalFault, outboundClient } from './outbound.ts';

let answerWith: RequestListener = (_request, response) => response.end('{}');
let calls = 0;
const server = createServer((request, response) => {
  calls++;
  answerWith(request, response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function counted<T>(
  work: () => Promise<T>,
): Promise<{ calls: number; outcome: PromiseSettledResult<T> }> {
  calls = 0;
  const [outcome] = await Promise.allSettled([work()]);
  return { calls, outcome: outcome as PromiseSettledResult<T> };
}
const faultOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && outcome.reason instanceof ExternalFault;

for (const [by, exchange] of [
  ['', undefined],
  [', by frequent calls', frequentCalls()],
] as [string, Exchange | undefined][]) {
  const clientOf = (options: Parameters<typeof outboundClient>[0]) =>
    outboundClient({ ...options, ...(exchange ? { exchange } : {}) });
  const call = clientOf({ baseUrl, timeoutMs: 60_000, retries: 2, pauseMs: 5 });
  const impatient = clientOf({ baseUrl, timeoutMs: 200, retries: 2, pauseMs: 5 });

  test(`a 4xx response is returned without a retry${by}`, async () => {
    answerWith = (_request, response) => response.writeHead(404).end('{"a":1}');
    const { calls, outcome } = await counted(() => call({ method: 'GET', path: '/x' }));
    assert.equal(calls, 1);
    assert.ok(outcome.status === 'fulfilled' && outcome.value.status === 404);
  });

  test(`a 5xx response is retried only when the request is safe to repeat${by}`, async () => {
    answerWith = (_request, response) => response.writeHead(500).end();
    const get = await counted(() => call({ method: 'GET', path: '/x' }));
    assert.deepEqual([get.calls, faultOf(get.outcome)], [3, true]);
    const post = await counted(() => call({ method: 'POST', path: '/x', body: {} }));
    assert.deepEqual([post.calls, faultOf(post.outcome)], [1, true]);
    const keyed = await counted(() => call({ method: 'POST', path: '/x', body: {}, idempotent: true }));
    assert.equal(keyed.calls, 3);
  });

  test(`a fault names neither the query, which may be about a member, nor an address by which anyone can push${by}`, async () => {
    answerWith = (_request, response) => response.writeHead(500).end();
    for (const [path, named] of [
      ['products?email=ada%40example.com', 'products'],
      [`${baseUrl}/push/secret`, baseUrl],
    ] as const)
      await assert.rejects(call({ method: 'POST', path }), { message: `POST ${named}: answered 500` });
  });

  test(`a retried request succeeds once the server recovers${by}`, async () => {
    answerWith = (_request, response) => response.writeHead(calls < 3 ? 503 : 200).end('{"ok":true}');
    const { calls: sent, outcome } = await counted(() => call({ method: 'GET', path: '/x' }));
    assert.equal(sent, 3);
    assert.ok(outcome.status === 'fulfilled');
    assert.deepEqual(outcome.value.body, { ok: true });
  });

  test(`a silent server times out; malformed, redirecting and oversized responses are faults${by}`, async () => {
    answerWith = () => undefined;
    const silent = await counted(() => impatient({ method: 'POST', path: '/x' }));
    assert.ok(faultOf(silent.outcome));
    answerWith = (_request, response) => response.end('<html>');
    assert.ok(faultOf((await counted(() => call({ method: 'GET', path: '/x' }))).outcome));
    answerWith = (_request, response) => response.writeHead(302, { location: `${baseUrl}/other` }).end();
    const redirected = await counted(() => call({ method: 'GET', path: '/x' }));
    assert.deepEqual([redirected.calls, faultOf(redirected.outcome)], [1, true]);
    answerWith = (_request, response) => response.end(`"${'x'.repeat(2 * 1024 * 1024)}"`);
    assert.ok(faultOf((await counted(() => call({ method: 'GET', path: '/x' }))).outcome));
  });

  test(`texts of a response can be stored: a NUL and half of a surrogate pair are replaced${by}`, async () => {
    answerWith = (_request, response) =>
      response.end(
        String.raw`{"name":"a\u0000b","list":["\uD83D","\ud83d\ude00"],"\udc00":{"n":1}, "plain":"\\u0000"}`,
      );
    const { outcome } = await counted(() => call({ method: 'GET', path: '/x' }));
    assert.ok(outcome.status === 'fulfilled');
    const expected = { name: 'a\ufffdb', list: ['\ufffd', '😀'], '\ufffd': { n: 1 }, plain: '\\u0000' };
    assert.deepEqual(outcome.value.body, expected);
  });

  test(`a refused connection is a fault${by}`, async () => {
    const nowhere = clientOf({ baseUrl: 'http://127.0.0.1:1', retries: 1, pauseMs: 5 });
    assert.ok(faultOf((await counted(() => nowhere({ method: 'GET', path: '/' }))).outcome));
  });

  test(`a fault carries the status, the Retry-After of the server, and whether the request was sent${by}`, async () => {
    const told = async (work: () => Promise<unknown>) => {
      const { outcome } = await counted(work);
      const { status, retryAfterMs, wasSent } = (outcome as PromiseRejectedResult).reason as ExternalFault;
      return [status, retryAfterMs, wasSent];
    };
    const once = clientOf({ baseUrl, retries: 0 });
    answerWith = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end();
    assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [429, 7000, true]);
    answerWith = (_request, response) => response.writeHead(302, { location: '/' }).end();
    assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [302, undefined, true]);
    answerWith = (request) => request.destroy();
    assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [undefined, undefined, true]);
    const nowhere = clientOf({ baseUrl: 'http://127.0.0.1:2', retries: 0 });
    assert.deepEqual(await told(() => nowhere({ method: 'POST', path: '/' })), [undefined, undefined, false]);
  });

  test(`a response that stops halfway is a fault, at once or when the time is over${by}`, async () => {
    answerWith = (request, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('{');
      setTimeout(() => request.socket.destroy(), 20);
    };
    assert.ok(faultOf((await counted(() => impatient({ method: 'POST', path: '/x' }))).outcome));
    answerWith = (_request, response) => void response.writeHead(200).write('{');
    assert.ok(faultOf((await counted(() => impatient({ method: 'POST', path: '/x' }))).outcome));
  });
}

test('frequent calls share connections, and open another when the system has closed one', async () => {
  const sockets = new Set<unknown>();
  answerWith = (request, response) => {
    sockets.add(request.socket);
    response.end('{}');
  };
  const call = outboundClient({ baseUrl, retries: 0, exchange: frequentCalls() });
  const post = () => call({ method: 'POST', path: '/x', body: { text: 'Zażółć' } });
  for (let time = 0; time < 3; time++) assert.equal((await post()).status, 200);
  assert.equal(sockets.size, 1);
  server.closeIdleConnections();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await post()).status, 200);
  assert.equal(sockets.size, 2);
  await Promise.all([post(), post(), post()]);
  assert.equal(sockets.size, 4);
});

test('frequent calls say why a host with several addresses was not reached, and that time was over', async (t) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  t.mock.method(dns, 'lookup', (_host: string, _options: object, answer: (...all: unknown[]) => void) =>
    answer(null, addresses),
  );
  const faultOf = (url: string, timeoutMs: number): Promise<ExternalFault> => {
    const call = outboundClient({ baseUrl: url, retries: 0, timeoutMs, exchange: frequentCalls() });
    return call({ method: 'POST', path: '/x' }).then(
      () => assert.fail('it was reached'),
      (error) => error,
    );
  };
  const refused = await faultOf('http://two.example:1', 60_000);
  assert.match(refused.message, /connect ECONNREFUSED 127\.0\.0\.1:1, connect E\w+ ::1:1/);
  assert.deepEqual([refused.wasSent, failureOf(refused.cause)], [false, 'ECONNREFUSED']);
  answerWith = () => undefined;
  assert.equal(failureOf((await faultOf(baseUrl, 100)).cause), 'TimeoutError');
});

test('frequent calls ask for responses that they can read', async () => {
  answerWith = (request, response) => response.end(JSON.stringify(request.headers['accept-encoding']));
  const call = outboundClient({ baseUrl, retries: 0, exchange: frequentCalls() });
  assert.equal((await call({ method: 'POST', path: '/x' })).body, 'identity');
});

test('frequent calls refuse an upgrade', async () => {
  answerWith = (_request, response) =>
    response.writeHead(101, { upgrade: 'h2c', connection: 'Upgrade' }).end();
  const call = outboundClient({ baseUrl, retries: 0, exchange: frequentCalls() });
  await assert.rejects(call({ method: 'POST', path: '/x' }), ExternalFault);
});
