import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { fundWalletAsAdmin, getError, transferKeys } from '../../sdk/src/index.ts';
import { type Event, on, onExternal, onMany } from '../../src/kernel/messaging/events.ts';
import { outboundClient } from '../../src/kernel/net/outbound.ts';
import { currentTrace } from '../../src/kernel/trace.ts';
import { walletFunded, walletTransferred } from '../../src/modules/wallet/contract.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

/** The `traceparent` of each call to the external system, by path. */
const called = new Map<string, string | undefined>();
const outside = createServer((request, response) => {
  called.set(request.url as string, String(request.headers.traceparent));
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await once(outside, 'listening');
after(() => outside.close());
const call = outboundClient({ baseUrl: `http://127.0.0.1:${(outside.address() as AddressInfo).port}` });

/** The traces in which subscribers handled the events of transactions. */
const tracesOf = { one: new Map<string, string>(), many: new Map<string, string>() };
const note = (where: Map<string, string>, { data }: Event<{ transactionId: string }>) =>
  where.set(data.transactionId, currentTrace()?.traceId as string);
const platform = await startPlatform({}, [
  {
    name: 'listener',
    service: undefined,
    subscriptions: [
      on(walletTransferred, 'one', async (event) => void note(tracesOf.one, event)),
      onMany(walletFunded, 'many', async (events) => {
        for (const event of events) note(tracesOf.many, event);
      }),
      onExternal(walletTransferred, 'outside', async ({ data }) => {
        await call({ method: 'POST', path: `/${data.transactionId}` });
      }),
    ],
  },
]);

const newId = () => randomBytes(16).toString('hex');
const traceparent = (id: string) => `00-${id}-${randomBytes(8).toString('hex')}-01`;

test('of transfers that commit together, the jobs and calls of each are in the trace of its own request', async () => {
  const ben = await platform.newMember();
  const senders = await Promise.all(Array.from({ length: 12 }, () => platform.newMemberWith(10)));
  const sent = await Promise.all(
    senders.map(async ({ client }) => {
      const id = newId();
      const answer = await client
        .with({ traceparent: traceparent(id) })
        .call(transferKeys, { body: { toUserId: ben.id, amount: 1 } });
      return { id, transactionId: answer.data.transaction.transactionId };
    }),
  );
  await until(
    () =>
      sent.every(({ transactionId }) => tracesOf.one.has(transactionId) && called.has(`/${transactionId}`)),
    'all of them',
  );
  for (const { id, transactionId } of sent) {
    assert.equal(tracesOf.one.get(transactionId), id);
    assert.match(called.get(`/${transactionId}`) ?? '', new RegExp(`^00-${id}-[\\da-f]{16}-01$`));
  }
});

test('a request without a trace, or with a malformed one, begins one', async () => {
  const ada = await platform.newMember();
  const ids: string[] = [];
  for (const header of [undefined, 'nonsense', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`]) {
    const { data } = await platform.admin
      .with({ traceparent: header })
      .call(fundWalletAsAdmin, { body: { userId: ada.id, amount: 1 } });
    await until(() => tracesOf.many.has(data.transaction.transactionId), 'the event');
    ids.push(tracesOf.many.get(data.transaction.transactionId) as string);
  }
  for (const id of ids) assert.match(id, /^(?!0{32})[\da-f]{32}$/);
  assert.equal(new Set(ids).size, ids.length);
});

test('a failure is found with its trace, and the trace of a refused body too', async () => {
  const ada = await platform.newMember();
  for (const body of [{ toUserId: ada.id, amount: 1 }, { toUserId: 5 }]) {
    const id = newId();
    const refused = await ada.client
      .with({ traceparent: traceparent(id) })
      .raw('POST', '/v1/wallets/transfer', body);
    assert.ok(refused.status >= 400);
    const report = await platform.client.call(getError, {
      params: { errorId: refused.body.errorId as string },
    });
    assert.equal(report.data.request.traceId, id);
  }
});

test('browsers of other origins may send a traceparent', async () => {
  const response = await fetch(`${platform.url}/v1/wallets`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.com', 'access-control-request-headers': 'traceparent' },
  });
  assert.match(response.headers.get('access-control-allow-headers') ?? '', /\btraceparent\b/);
});
