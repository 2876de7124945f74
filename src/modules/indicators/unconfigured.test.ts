import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWERED, indicatorTools } from '../../../test/support/indicators.ts';
import { startPlatform } from '../../../test/support/platform.ts';

test('without a configured secret webhooks are 503 before the body is read', async () => {
  const platform = await startPlatform({ ...ANSWERED, WEBHOOK_SECRET: '' });
  for (const path of ['indicator-access', 'activity-status']) {
    const response = await fetch(`${platform.url}/v1/streams/webhooks/${path}`, {
      method: 'POST',
      body: '{',
    });
    const { error } = (await response.json()) as { error: string };
    assert.deepEqual([response.status, error], [503, 'WEBHOOK_NOT_CONFIGURED']);
  }
});

test('during a rotation both webhook secrets are accepted', async () => {
  const [old, next] = ['the secret of yesterday', 'the secret of today'];
  const platform = await startPlatform({ ...ANSWERED, WEBHOOK_SECRET: `${old},${next}` });
  const { access } = indicatorTools(platform);
  const body = { customer_id: 'nobody', action: 'grant' };
  for (const [secret, status] of [
    [old, 404],
    [next, 404],
    [`${old},${next}`, 401],
    ['', 401],
  ] as const)
    assert.equal((await access(body, secret)).status, status, secret);
  const { headers } = await access(body, next);
  assert.equal(headers.get('x-ratelimit-limit'), '60000');
});
