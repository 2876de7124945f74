import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const CONNECTIONS = 20;
const RETIRES_MS = 16_000;

test('a process that retires closes its connections one after another, and serves new ones to the end', async () => {
  const { accessToken } = await platform.newMember();
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => LiveClient.open(platform.url, accessToken)),
  );
  platform.platform.retire(RETIRES_MS);
  const closed = () => clients.filter((client) => client.closed);
  await until(() => closed().length > 0, 'the first close');
  assert.ok(closed().length < CONNECTIONS, 'not all at once');
  await until(() => closed().length === CONNECTIONS, 'the last close');
  assert.deepEqual(new Set(closed().map((client) => client.closed?.code)), new Set([1012]));
  const late = await LiveClient.open(platform.url, accessToken);
  assert.equal(late.closed, undefined, 'a balancer may not have noticed yet');
});
