import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ExternalFault, outboundClient } from './outbound.ts';

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
const call = outboundClient({ baseUrl, timeoutMs: 60_000, retries: 2, pauseMs: 5 });
const impatient = outboundClient({ baseUrl, timeoutMs: 200, retries: 2, pauseMs: 5 });

async function counted<T>(
  work: () => Promise<T>,
): Promise<{ calls: number; outcome: PromiseSettledResult<T> }> {
  calls = 0;
  const [outcome] = await Promise.allSettled([work()]);
  return { calls, outcome: outcome as PromiseSettledResult<T> };
}
const faultOf = (outcome: PromiseSettledResult<unknown>) =>
  outcome.status === 'rejected' && outcome.reason instanceof ExternalFault;

test('a 4xx response is returned without a retry', async () => {
  answerWith = (_request, response) => response.writeHead(404).end('{"a":1}');
  const { calls, outcome } = await counted(() => call({ method: 'GET', path: '/x' }));
  assert.equal(calls, 1);
  assert.ok(outcome.status === 'fulfilled' && outcome.value.status === 404);
});

test('a 5xx response is retried only when the request is safe to repeat', async () => {
  answerWith = (_request, response) => response.writeHead(500).end();
  const get = await counted(() => call({ method: 'GET', path: '/x' }));
  assert.deepEqual([get.calls, faultOf(get.outcome)], [3, true]);
  const post = await counted(() => call({ method: 'POST', path: '/x', body: {} }));
  assert.deepEqual([post.calls, faultOf(post.outcome)], [1, true]);
  const keyed = await counted(() => call({ method: 'POST', path: '/x', body: {}, idempotent: true }));
  assert.equal(keyed.calls, 3);
});

test('a retried request succeeds once the server recovers', async () => {
  answerWith = (_request, response) => response.writeHead(calls < 3 ? 503 : 200).end('{"ok":true}');
  const { calls: sent, outcome } = await counted(() => call({ method: 'GET', path: '/x' }));
  assert.equal(sent, 3);
  assert.ok(outcome.status === 'fulfilled');
  assert.deepEqual(outcome.value.body, { ok: true });
});

test('a silent server times out; malformed, redirecting and oversized responses are faults', async () => {
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

test('a refused connection is a fault', async () => {
  const nowhere = outboundClient({ baseUrl: 'http://127.0.0.1:1', retries: 1, pauseMs: 5 });
  assert.ok(faultOf((await counted(() => nowhere({ method: 'GET', path: '/' }))).outcome));
});

test('a fault carries the status, the Retry-After of the server, and whether the request was sent', async () => {
  const told = async (work: () => Promise<unknown>) => {
    const { outcome } = await counted(work);
    const { status, retryAfterMs, wasSent } = (outcome as PromiseRejectedResult).reason as ExternalFault;
    return [status, retryAfterMs, wasSent];
  };
  const once = outboundClient({ baseUrl, retries: 0 });
  answerWith = (_request, response) => response.writeHead(429, { 'retry-after': '7' }).end();
  assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [429, 7000, true]);
  answerWith = (_request, response) => response.writeHead(302, { location: '/' }).end();
  assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [302, undefined, true]);
  answerWith = (request) => request.destroy();
  assert.deepEqual(await told(() => once({ method: 'POST', path: '/x' })), [undefined, undefined, true]);
  const nowhere = outboundClient({ baseUrl: 'http://127.0.0.1:2', retries: 0 });
  assert.deepEqual(await told(() => nowhere({ method: 'POST', path: '/' })), [undefined, undefined, false]);
});
