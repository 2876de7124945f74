// The limits of large bodies: how many a process handles at a time, and how many a member may send at a time.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { Type } from 'typebox';
import { member as anyMember } from '../../src/kernel/operations/access.ts';
import {
  DEFAULT_MAX_BODY_BYTES,
  LARGE_BODY_BYTES,
  ok,
  operation,
} from '../../src/kernel/operations/operation.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

/** Blocks the handlers until the test resolves it. */
let gate = Promise.withResolvers<void>();
let heldBodies = 0;
const holding = operation({
  method: 'POST',
  path: '/v1/tests/held',
  id: 'holdBody',
  tag: 'Tests',
  summary: 'Hold a body',
  access: anyMember,
  maxBodyBytes: LARGE_BODY_BYTES,
  body: Type.Object({ text: Type.String({ maxLength: 250_000 }) }),
  success: ok(Type.Object({ bytes: Type.Integer() })),
  handle: async ({ body }) => {
    if (body.text.length > DEFAULT_MAX_BODY_BYTES) {
      heldBodies++;
      await gate.promise;
    }
    return { bytes: body.text.length };
  },
});
const platform = await startPlatform({}, [{ name: 'tests', service: undefined, operations: [holding] }]);
const member = await platform.newMember();
const KIB = 1024;

test('two large bodies are processed at a time, twenty wait, and further ones are refused with a time to retry', async () => {
  const senders = [member, await platform.newMember(), await platform.newMember()];
  const send = (text: string, { client } = member) => client.raw('POST', '/v1/tests/held', { text });
  await until(async () => {
    gate = Promise.withResolvers();
    heldBodies = 0;
    const statuses: number[] = [];
    const large = Array.from({ length: 30 }, async (_, number) => {
      const { status, headers } = await send('x'.repeat(100 * KIB), senders[number % senders.length]);
      if (status === 503) assert.equal(headers.get('retry-after'), '1');
      statuses.push(status);
    });
    await until(() => statuses.length >= 8 && heldBodies === 2, 'further ones are refused');
    assert.equal((await send('x')).status, 200, 'small ones pass');
    assert.equal(heldBodies, 2);
    gate.resolve();
    await Promise.all(large);
    // They wait for five seconds at most, which a busy machine may need for the requests alone.
    if (statuses.filter((status) => status === 503).length > 8) return false;
    assert.deepEqual(statuses, [...Array(8).fill(503), ...Array(22).fill(200)]);
    return true;
  }, 'bodies none of which waits too long');
  assert.equal((await send('x'.repeat(100 * KIB))).status, 200);
});

test('a member sends ten large bodies at a time; others are not affected', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(100 * KIB) });
  const begin = ({ client } = member) => {
    const sending = request(`${platform.url}/v1/tests/held`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': 'application/json', 'content-length': body.length },
      agent: false,
    });
    sending.write(body.slice(0, -1));
    const status = once(sending, 'response').then(([response]) => {
      response.resume();
      return response.statusCode as number;
    });
    return { status, end: () => sending.end(body.slice(-1)) };
  };
  const all = Array.from({ length: 11 }, () => begin());
  const refused = await Promise.race(all.map(async ({ status }, place) => [await status, place] as const));
  assert.equal(refused[0], 429);
  const admitted = all.filter((_, place) => place !== refused[1]);
  const { status, headers } = await member.client.sendText('POST', '/v1/tests/held', body);
  assert.deepEqual([status, headers.get('retry-after')], [429, '1']);
  const other = await platform.newMember();
  assert.equal((await other.client.sendText('POST', '/v1/tests/held', body)).status, 200);
  for (const { end } of admitted) end();
  assert.deepEqual(await Promise.all(admitted.map((one) => one.status)), Array(10).fill(200));
  assert.equal((await member.client.sendText('POST', '/v1/tests/held', body)).status, 200);
});
