import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../test/support/platform.ts';
import { CONTROLS } from './controls.ts';

// What a control does not know would otherwise seem to be set, and the platform to be at fault.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });

async function assertRefused(method: string, path: string, body: unknown): Promise<void> {
  const url = platform.sandboxUrl + path.replace(':id', 'x');
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  const { error } = (await answer.json()) as { error?: string };
  assert.equal(answer.status, 422, `${method} ${path} ${JSON.stringify(body)}`);
  assert.match(error ?? '', /^".+\.$/);
}

for (const [control, { body }] of Object.entries(CONTROLS)) {
  if (!body) continue;
  const [method, path] = control.split(' ') as [string, string];
  test(`${control} refuses unknown fields and wrong values`, async () => {
    await assertRefused(method, path, { ...body, unknown: 1 });
    await assertRefused(method, path, [body]);
    for (const name of Object.keys(body)) await assertRefused(method, path, { ...body, [name]: [[]] });
  });
}

test('a price is set for a symbol, and a mode is named where nothing else is', async () => {
  await assertRefused('POST', '/control/prices', { price: 1 });
  await assertRefused('POST', '/control/prices', { symbol: 'GOLD' });
  for (const name of ['backoffice', 'mail', 'push', 'schedule', 'storage', 'wallet', 'webhooks'])
    await assertRefused('POST', `/control/${name}`, {});
});
