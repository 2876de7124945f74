import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Loose } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { body: description } = await platform.client.with({ 'x-api-key': undefined }).get('/openapi.json');
const described = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations as Record<string, Loose>).map(([method, operation]) => ({
    method,
    path,
    operation,
  })),
);

test('the description is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(description));
  assert.ok(valid, JSON.stringify(errors, null, 2));
  assert.equal(description.openapi, '3.1.0');
});

test('it describes every operation, and each one whole', () => {
  assert.equal(described.length, platform.platform.operations.length);
  const ids = new Set<string>();
  for (const { method, path, operation } of described) {
    const name = `${method} ${path}`;
    assert.ok(operation.summary, name);
    assert.ok(!ids.has(operation.operationId), name);
    ids.add(operation.operationId);
    assert.ok(operation.security.length > 0, name);
    const statuses = Object.keys(operation.responses);
    assert.ok(
      statuses.some((status) => status.startsWith('2')),
      name,
    );
    // A link that we signed stands for credentials: one that we did not is malformed.
    const needed = operation.security[0].signedLink ? ['400', '429', '503'] : ['401', '429', '503'];
    for (const status of needed) assert.ok(statuses.includes(status), `${name} ${status}`);
    for (const [status, response] of Object.entries(operation.responses as Record<string, Loose>)) {
      assert.ok(response.content['application/json'].schema, `${name} ${status}`);
      if (Number(status) >= 400)
        assert.ok(Object.keys(response.content['application/json'].examples).length > 0);
    }
  }
});

test('what is only ours does not leak into it', () => {
  const text = JSON.stringify(description);
  for (const word of ['"refusal"', '"clampTo"', '"maxBytes"', '"$id"', '"mailbox"', '"http-url"']) {
    assert.ok(!text.includes(word), word);
  }
});
