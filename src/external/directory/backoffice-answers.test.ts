// Answers of a backoffice that differ from those of the sandbox.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { PASSWORD } from '../../../test/support/client.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { backofficeDirectory } from './backoffice.ts';

const platform = await startPlatform();

test('a refusal without a visible message, a number as an id and an answer without a body are understood', async (t) => {
  let answer: [number, object?] = [204];
  const server = createServer((request, response) => {
    request.resume();
    const [status, body] = answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const directory = backofficeDirectory({ baseUrl, apiKey: 'a key of a test', clock: platform.clock });
  const enrol = await directory.preparePassword('ada@example.com', PASSWORD);
  await platform.database.transaction((tx) => enrol(tx, platform.adminId));
  answer = [403, { error: 'CLOSED', message: '\u200b' }];
  await assert.rejects(directory.authenticate('ada@example.com', PASSWORD), {
    status: 403,
    code: 'CLOSED',
    message: 'External Backoffice refused the request',
  });
  answer = [200, { data: { customer: { id: 10293, email: 'ada@example.com' } } }];
  assert.equal((await directory.authenticate('ada@example.com', PASSWORD)).customerId, '10293');
  answer = [200, { data: { customer: { id: 0, email: 'ada@example.com' } } }];
  assert.equal((await directory.authenticate('ada@example.com', PASSWORD)).customerId, null);
  const products = [{ sku: { toString: 1 }, product_name: ['a'] }, { sku: 202 }];
  answer = [200, { data: { services: { products } } }];
  assert.deepEqual(
    (await directory.products('ada@example.com')).map(({ sku, product_name }) => [sku, product_name]),
    [
      ['', ''],
      ['202', ''],
    ],
  );
});
