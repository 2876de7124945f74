import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { startCollector } from '../../../test/support/collector.ts';
import { until } from '../../../test/support/live.ts';
import { addOwnSpan, beginSpan } from '../spans.ts';
import { newTrace, type Trace, traceFrom, withTrace } from '../trace.ts';
import type { SamplerName } from './sampling.ts';
import { type ExportedTracing, exportTraces } from './tracing.ts';

const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const collector = await startCollector();
const begun: ExportedTracing[] = [];
after(() => Promise.all(begun.map((one) => one.close())));

function start(url: string, sampler: SamplerName = 'always_on', ratio = 1) {
  const errors: Error[] = [];
  const tracing = exportTraces({
    url: `${url}/v1/traces`,
    headers: { 'x-key': 'of the collector' },
    resource: { 'service.name': 'tests' },
    sampler,
    ratio,
    onError: (error) => errors.push(error),
  });
  begun.push(tracing);
  const [metric] = tracing.metrics;
  const count = (result: string): number => {
    const samples = metric?.read() as { labels: Record<string, string>; value: number }[];
    return samples.find(({ labels }) => labels.result === result)?.value ?? 0;
  };
  return { tracing, errors, count };
}

const remote = (flags: string): Trace => traceFrom(`00-${ID}-${SPAN}-${flags}`) as Trace;

function isRecorded(tracing: ExportedTracing, trace: Trace, isFromClient = false): boolean {
  tracing.begin(trace, isFromClient);
  assert.equal(trace.flags, trace.spans ? '01' : '00', 'what is passed on says what is recorded');
  return trace.spans !== undefined;
}

/** Records a trace of one request with so many statements. */
function record(tracing: ExportedTracing, statements = 0): void {
  const trace = newTrace();
  tracing.begin(trace, true);
  withTrace(trace, () => {
    for (let count = 0; count < statements; count++) beginSpan('statement', 'client')?.end();
  });
  addOwnSpan(trace, {
    name: 'GET /',
    kind: 'server',
    beganMs: performance.now(),
    attributes: { n: 1, x: 0.5 },
  });
}

test('samplers do what OpenTelemetry says of their names', async () => {
  const cases: [SamplerName, root: boolean, sampled: boolean, unsampled: boolean][] = [
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ];
  for (const [name, root, sampled, unsampled] of cases) {
    const { tracing } = start(collector.url, name);
    const found = [newTrace(), remote('01'), remote('00')].map((trace) => isRecorded(tracing, trace));
    assert.deepEqual(found, [root, sampled, unsampled], name);
  }
  const { tracing } = start(collector.url, 'traceidratio', 0.25);
  const traces = Array.from({ length: 4_000 }, newTrace);
  const share = traces.filter((trace) => isRecorded(tracing, trace)).length / traces.length;
  assert.ok(share > 0.2 && share < 0.3, `${share}`);
  const other = start(collector.url, 'parentbased_traceidratio', 0.25).tracing;
  const alike = traces.filter(
    ({ traceId, flags }) => isRecorded(other, { traceId, flags: '00' }) === (flags === '01'),
  );
  assert.equal(alike.length, traces.length, 'all processes decide alike');
});

test('clients who ask for all of their requests to be recorded get some of them', () => {
  const { tracing } = start(collector.url, 'parentbased_traceidratio', 0);
  const recorded = Array.from({ length: 1_000 }, () => isRecorded(tracing, remote('01'), true));
  const count = recorded.filter(Boolean).length;
  assert.ok(count >= 50 && count <= 100, `${count} in a second or two`);
  assert.ok(isRecorded(tracing, remote('01'), false), 'our own jobs follow what enqueued them');
});

test('spans arrive as OTLP in JSON, with the headers of the collector', async () => {
  const { tracing, count } = start(collector.url);
  record(tracing, 2);
  await until(() => count('exported') === 3, 'the spans');
  const [first, second, own] = collector.spans.slice(-3);
  assert.equal(own?.name, 'GET /');
  assert.equal(own.kind, 2);
  assert.equal(own.parentSpanId, undefined);
  for (const statement of [first, second]) {
    assert.equal(statement?.parentSpanId, own.spanId);
    assert.equal(statement.traceId, own.traceId);
    assert.equal(statement.kind, 3);
  }
  assert.deepEqual(own.attributes, [
    { key: 'n', value: { intValue: '1' } },
    { key: 'x', value: { doubleValue: 0.5 } },
  ]);
  const aroundMs = Number(BigInt(own.startTimeUnixNano) / 1_000_000n);
  assert.ok(Math.abs(aroundMs - Date.now()) < 60_000, own.startTimeUnixNano);
  assert.equal(collector.headers['x-key'], 'of the collector');
  assert.deepEqual(collector.resource, { 'service.name': 'tests' });
});

test('a request that sends thousands of statements keeps its own span and the first of theirs', async () => {
  const { tracing, count } = start(collector.url);
  record(tracing, 2_000);
  await until(() => count('exported') === 501, 'the spans');
  assert.equal(count('dropped'), 1_500);
  assert.equal(collector.spans.at(-1)?.name, 'GET /');
});

test('a collector that lies or refuses is believed no nonsense, and what it did not take is counted', async () => {
  const answers: [answer: typeof collector.answer, result: string, value: number][] = [
    [
      (response) => response.end('{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}'),
      'rejected',
      1,
    ],
    [(response) => response.end('{"partialSuccess":{"rejectedSpans":1e12}}'), 'rejected', 1],
    [(response) => response.end('{"partialSuccess":{"rejectedSpans":-7}}'), 'exported', 1],
    [(response) => response.end('{"partialSuccess":{"rejectedSpans":"many"}}'), 'exported', 1],
    [(response) => response.end('<html>nonsense'), 'exported', 1],
    [(response) => response.end('null'), 'exported', 1],
    [(response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'failed', 1],
    [(response) => response.writeHead(400).end('{"message":"bad"}'), 'failed', 1],
    [(response) => response.writeHead(503, { 'retry-after': '999999' }).end(), 'failed', 1],
    [(response) => response.end('x'.repeat(2 * 1024 * 1024)), 'failed', 1],
    [(response) => response.destroy(), 'failed', 1],
  ];
  const usual = collector.answer;
  for (const [answer, result, value] of answers) {
    collector.answer = answer;
    const { tracing, count, errors } = start(collector.url);
    record(tracing);
    await until(() => count(result) === value, `${result} after ${answer}`);
    assert.equal(errors.length, result === 'failed' ? 1 : 0);
    await tracing.close();
    const sum = ['exported', 'rejected', 'failed', 'dropped'].reduce((all, one) => all + count(one), 0);
    assert.equal(sum, 1, 'each span is counted once');
  }
  collector.answer = usual;
});

test('a collector that never answers holds nothing up: spans wait in a short queue, and are dropped beyond it', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  after(() => silent.close());
  const { port } = silent.address() as { port: number };
  const { tracing, count } = start(`http://127.0.0.1:${port}`);
  for (let request = 0; request < 20_000; request++) record(tracing);
  assert.ok(count('dropped') >= 20_000 - 4_096 - 512, `${count('dropped')}`);
  await tracing.close();
  const lost = count('dropped') + count('failed');
  assert.ok(lost >= 20_000 - 512 && count('exported') === 0, `${lost}`);
});
