// The keys of intents in a storage that others share, or that holds what is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStorage, once } from '../../sdk/src/index.ts';
import { clientOf, failureOf, ok, refused } from '../support/sdk-hosts.ts';

const TRANSFER = { toUserId: 'a', amount: 1 };

test('an intent whose note cannot be read is looked up, not repeated under another key', async () => {
  for (const noted of ['no JSON', 'null', '{}', '"x"', '1', '{"key":"","at":1}', '{"key":"k"}']) {
    const storage = memoryStorage();
    await storage.set('intent:rent', noted);
    const { api, sent } = clientOf({ '/transfer': () => ok({ transaction: {} }) }, { storage });
    const error = await failureOf(once(api, 'rent', (key) => api.wallet.transfer(TRANSFER, key)));
    assert.deepEqual([error.kind, error.code, sent.length], ['client', 'INTENT_EXPIRED', 0], noted);
    assert.equal(await storage.get('intent:rent'), noted);
  }
});

test('a refusal removes the refused key, but not a key stored after it', async () => {
  const answers: ((answer: Response) => void)[] = [];
  const storage = memoryStorage();
  const { api, sent } = clientOf(
    { '/transfer': () => new Promise((resolve) => answers.push(resolve)) },
    { storage, retries: 0 },
  );
  const pay = () => once(api, 'rent', (key) => api.wallet.transfer(TRANSFER, key));
  const begun = async (count: number) => {
    while (answers.length < count) await new Promise(setImmediate);
  };
  const [first, second] = [failureOf(pay()), failureOf(pay())];
  await begun(2);
  answers[0]?.(refused(400, 'INSUFFICIENT_BALANCE'));
  await first;
  const third = failureOf(pay());
  await begun(3);
  answers[1]?.(refused(400, 'INSUFFICIENT_BALANCE'));
  await second;
  answers[2]?.(new Response('', { status: 502 }));
  await third;
  const again = pay();
  await begun(4);
  answers[3]?.(ok({ transaction: {} }));
  await again;
  const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
  assert.equal(keys[1], keys[0]);
  assert.notEqual(keys[2], keys[0]);
  assert.equal(keys[3], keys[2], 'what may have taken effect is repeated under its key');
});
