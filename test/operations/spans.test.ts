import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { getBalance, signIn, transferKeys } from '../../sdk/src/index.ts';
import { onExternal } from '../../src/kernel/messaging/events.ts';
import { outboundClient } from '../../src/kernel/net/outbound.ts';
import { walletTransferred } from '../../src/modules/wallet/contract.ts';
import { PASSWORD } from '../support/client.ts';
import { type ReceivedSpan, startCollector, valuesOf } from '../support/collector.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const collector = await startCollector();
/** An external system, and the `traceparent` of each call to it. */
const called: string[] = [];
const outside = createServer((request, response) => {
  called.push(String(request.headers.traceparent));
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await once(outside, 'listening');
after(() => outside.close());
const call = outboundClient({ baseUrl: `http://127.0.0.1:${(outside.address() as AddressInfo).port}` });

const platform = await startPlatform(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20collector',
    OTEL_SERVICE_NAME: 'tested',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  },
  [
    {
      name: 'listener',
      service: undefined,
      subscriptions: [
        onExternal(walletTransferred, 'outside', async ({ data }) => {
          await call({ method: 'POST', path: `/secret-path/${data.transactionId}` });
        }),
      ],
    },
  ],
);

const newId = (bytes: number) => randomBytes(bytes).toString('hex');
const spansOf = (traceId: string): ReceivedSpan[] =>
  collector.spans.filter((span) => span.traceId === traceId);

test('a request, its statements, the jobs it causes and their calls are one trace, whose parents are right', async () => {
  const [ada, ben] = await Promise.all([platform.newMemberWith(10), platform.newMember()]);
  const [traceId, clientSpan] = [newId(16), newId(8)];
  const client = ada.client.with({ traceparent: `00-${traceId}-${clientSpan}-01` });
  await client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } });
  const named = (name: RegExp) => spansOf(traceId).find((span) => name.test(span.name));
  await until(() => named(/^POST$/) !== undefined && named(/^POST \/v1\//) !== undefined, 'the spans');

  const request = named(/^POST \/v1\/wallets/) as ReceivedSpan;
  assert.equal(request.parentSpanId, clientSpan);
  assert.equal(request.kind, 2);
  const facts = valuesOf(request.attributes);
  assert.equal(facts['http.response.status_code'], 201);
  assert.equal(facts['platform.operation'], 'transferKeys');
  assert.equal(facts['http.route'], request.name.slice('POST '.length));

  const statements = spansOf(traceId).filter(
    (span) => span.parentSpanId === request.spanId && span.kind === 3,
  );
  assert.ok(statements.length > 0);
  for (const { attributes } of statements) assert.equal(valuesOf(attributes)['db.system.name'], 'postgresql');
  const job = named(/^process .*outside/) as ReceivedSpan;
  assert.equal(job.kind, 5);
  assert.equal(job.parentSpanId, request.spanId, 'the request caused it');
  const outbound = named(/^POST$/) as ReceivedSpan;
  assert.equal(outbound.parentSpanId, job.spanId);
  assert.ok(called.includes(`00-${traceId}-${outbound.spanId}-01`), 'the other system continues the trace');
  for (const { startTimeUnixNano: begins, endTimeUnixNano: ends } of spansOf(traceId))
    assert.ok(BigInt(begins) <= BigInt(ends));
  assert.equal(collector.resource['service.name'], 'tested');
  assert.equal(collector.headers['x-key'], 'of the collector');
});

test('a failed request says how it failed, and no span has a secret or names a person', async () => {
  const ada = await platform.newMember();
  const [refused, traceId] = [newId(16), newId(16)];
  const as = (id: string) => ({ traceparent: `00-${id}-${newId(8)}-01` });
  await platform.client.with(as(refused)).attempt(signIn, {
    body: { email: ada.email, password: 'a wrong password of Ada', platform: 'web' },
  });
  await platform.client.with(as(traceId)).call(signIn, {
    body: { email: ada.email, password: PASSWORD, platform: 'web' },
  });
  await fetch(`${platform.url}/v1/nowhere/${ada.id}?token=${ada.accessToken}`, { headers: as(traceId) });
  await until(
    () =>
      spansOf(refused).some(({ kind }) => kind === 2) &&
      spansOf(traceId).filter(({ kind }) => kind === 2).length === 2,
    'the spans',
  );
  const request = spansOf(refused).find(({ kind }) => kind === 2) as ReceivedSpan;
  assert.equal(valuesOf(request.attributes)['platform.refusal'], 'AUTHENTICATION_FAILED');
  assert.equal(request.status, undefined, 'the fault is not ours');
  const sent = collector.texts.join('\n');
  for (const secret of [
    ada.email,
    ada.id,
    ada.accessToken,
    ada.refreshToken,
    PASSWORD,
    'a wrong password',
    'secret-path',
  ])
    assert.ok(!sent.includes(secret), secret);
});

test('a request that its caller or the sampler does not choose is not recorded, nor are its jobs', async () => {
  const [ada, ben] = await Promise.all([platform.newMemberWith(10), platform.newMember()]);
  const traceId = newId(16);
  const before = called.length;
  const client = ada.client.with({ traceparent: `00-${traceId}-${newId(8)}-00` });
  await client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } });
  await until(() => called.slice(before).some((header) => header.startsWith(`00-${traceId}`)), 'the call');
  const later = newId(16);
  const recorded = ada.client.with({ traceparent: `00-${later}-${newId(8)}-01` });
  await recorded.call(getBalance, {});
  await until(() => spansOf(later).length > 0, 'a later one');
  assert.deepEqual(spansOf(traceId), []);
});

test('while the collector hangs, requests are answered and lost spans are counted', async () => {
  const usual = collector.answer;
  collector.answer = () => undefined;
  const ada = await platform.newMemberWith(1);
  const failed = () => platform.metric('trace_spans_total\\{result="failed"\\}');
  await until(async () => {
    const client = ada.client.with({ traceparent: `00-${newId(16)}-${newId(8)}-01` });
    await client.call(getBalance, {});
    return (await failed()) > 0;
  }, 'spans that failed');
  collector.answer = usual;
  const exported = () => platform.metric('trace_spans_total\\{result="exported"\\}');
  const before = await exported();
  const client = ada.client.with({ traceparent: `00-${newId(16)}-${newId(8)}-01` });
  await client.call(getBalance, {});
  await until(async () => (await exported()) > before, 'spans that are exported again');
});
