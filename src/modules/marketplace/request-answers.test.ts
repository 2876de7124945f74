// Members' answers to the questions of a product.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANSWERED, indicatorTools } from '../../../test/support/indicators.ts';
import { marketplaceTools } from '../../../test/support/marketplace.ts';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { newMember } = platform;
const { newProduct, ask } = marketplaceTools(platform);
const { newIndicator } = indicatorTools(platform);

test('a required choice can be answered whatever spaces stand around its options', async () => {
  const options = ['Gold', ' Oil'];
  const requestFields = [{ label: 'Market', type: 'select' as const, required: true, options }];
  const [ada, product] = [await newMember(), await newProduct({ requestFields })];
  assert.deepEqual(product.requestFields[0]?.options, ['Gold', 'Oil']);
  const { data } = await ask(ada, product, { answers: { market: ' Oil' } });
  assert.deepEqual(data.answers, [{ key: 'market', label: 'Market', value: 'Oil' }]);
});

test('answers to questions that are not asked are named, and what is wrong is named at once', async () => {
  const requestFields = [
    { label: 'Why?', required: true },
    { label: 'Market', type: 'select' as const, options: ['Gold', 'Oil'] },
  ];
  const product = await newProduct({ requestFields });
  const scanner = await newProduct({
    ...{ requestFields, productType: 'scanner' as const, scannerId: (await newIndicator()).id },
  });
  const ada = await newMember();
  const submit = async (body: object, headers = {}) => {
    const path = '/v1/streams/marketplace/access-requests';
    const answer = await ada.client.with(headers).raw('POST', path, body);
    return { ...answer, fields: answer.body.errors?.map(({ field }) => field).sort() };
  };
  const who = { productId: product.id, fullName: 'Ada L', email: ada.email };
  const answers = { why: 'To learn', wy: 'To lern', market: 'Gold', market_2: 'Oil' };
  const key = { 'idempotency-key': `unknown answers of ${ada.id}`.replaceAll(' ', '-') };
  for (const headers of [key, key, {}]) {
    const { body } = await submit({ ...who, answers, note: 'x' }, headers);
    assert.deepEqual(body.meta.ignored, ['note', 'answers.wy', 'answers.market_2']);
  }
  assert.equal((await submit({ ...who, answers: { why: 'To learn' } })).body.meta.ignored, undefined);

  const wrong = { answers: { market: 'Silver' }, chartingId: 'not a handle' };
  for (const [body, status, ...fields] of [
    [{ ...who, ...wrong }, 422, 'answers.market', 'answers.why', 'chartingId'],
    [{ ...who, ...wrong, email: 'x' }, 422, 'answers.market', 'answers.why', 'chartingId', 'email'],
    [{ ...who, answers: 'x', email: 'x' }, 422, 'answers', 'email'],
    [{ ...who, productId: scanner.id, answers: {} }, 400, 'answers.why', 'chartingId'],
    [{ productId: scanner.id, fullName: 'Ada L' }, 422, 'answers.why', 'chartingId', 'email'],
    [{ productId: 'f'.repeat(24), answers: {} }, 422, 'email', 'fullName'],
  ] as [object, number, ...string[]][]) {
    const refused = await submit(body);
    assert.deepEqual([refused.status, ...(refused.fields ?? [])], [status, ...fields]);
  }
});
