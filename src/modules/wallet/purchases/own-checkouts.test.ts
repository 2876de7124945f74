import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getOwnCheckout, listTransactions } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertRefused } from '../../../../test/support/refused.ts';
import { invalidId } from '../../../kernel/failures.ts';
import { checkoutNotFound } from '../../merchant/contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { pay } = platform;
await platform.standIn('payments', { webhookPause: 50 });

test("a member sees what became of their checkouts, and of nobody else's", async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const [paid, declined, cancelled] = [
    await platform.checkout(ada, 10),
    await platform.checkout(ada, 20),
    await platform.checkout(ada, 30),
  ];
  const find = (checkoutSessionId: string, { client } = ada) =>
    client.attempt(getOwnCheckout, { params: { checkoutSessionId } });
  const { data: open } = await find(paid.id);
  assert.deepEqual([open?.status, open?.transactionId, open?.settledAt], ['open', null, null]);
  await pay(paid.link);
  await pay(declined.link, 'decline');
  await pay(cancelled.link, 'cancel');
  const [transaction] = (await ada.client.call(listTransactions)).data;
  const { data } = await find(paid.id);
  assert.deepEqual(
    [data?.checkoutSessionId, data?.status, data?.keys, data?.usd, data?.transactionId],
    [paid.id, 'paid', 10, 10, transaction?.transactionId],
  );
  assert.deepEqual((await find(declined.id)).data?.status, 'failed');
  assert.deepEqual((await find(cancelled.id)).data?.status, 'open', 'it can still be paid');
  assertRefused(await find(paid.id, ben), checkoutNotFound);
  assertRefused(await find('cs_unknown'), checkoutNotFound);
  assertRefused(await find('a b'), invalidId('checkout session'));
});
