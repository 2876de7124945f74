import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const control = (path: string, body: object) =>
  fetch(`${platform.sandboxUrl}/control/payments/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the sandbox refuses refunds and disputes that a provider would refuse', async () => {
  const { id: session, link } = await platform.checkout(await platform.newMember(), 10);
  await platform.pay(link);
  const refused = async (path: string, body: object, status = 422) => {
    const answer = await control(path, body);
    const { error } = (await answer.json()) as { error?: string };
    assert.equal(answer.status, status, `${path} ${JSON.stringify(body)}`);
    assert.match(error ?? '', /\.$/);
  };
  for (const cents of [undefined, null, 0, -1, 1.5, '500', 1_001, Number.MAX_SAFE_INTEGER])
    await refused(`${session}/refund`, { cents });
  const whole = { event: 'created', id: 'dp_refused', status: 'needs_response' };
  for (const part of [{ id: undefined }, { id: '' }, { status: undefined }, { event: 7 }, { amount: -1 }])
    await refused(`${session}/dispute`, { ...whole, ...part });
  for (const [action, body] of [
    ['refund', { cents: 1 }],
    ['dispute', whole],
    ['expire', {}],
  ] as const)
    await refused(`cs_unknown/${action}`, body, 404);
  await refused('../payouts/po_unknown/end', { status: 'paid' }, 404);
  const { id: unpaid } = await platform.checkout(await platform.newMember(), 10);
  await refused(`${unpaid}/refund`, { cents: 1 });
  await refused(`${unpaid}/dispute`, whole);
});
