import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createProduct,
  deleteIndicator,
  getProduct,
  listAccessRequests,
  listAllProducts,
  listAudit,
  listProducts,
  presignProductImage,
  updateProduct,
} from '../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../test/support/indicators.ts';
import { marketplaceTools, type ProductDraft } from '../../../test/support/marketplace.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../test/support/refused.ts';
import { indicatorNotFound } from '../indicators/contract.ts';
import { productNotFound } from './contract.ts';
import { noForm } from './requests.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember, client } = platform;
const { newIndicator } = indicatorTools(platform);
const { newProduct, ask, tryToAsk } = marketplaceTools(platform);
/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

test('questions get keys from their labels; answers are validated and keep the label of their time', async () => {
  const ada = await newMember();
  const product = await newProduct({
    requestFields: [
      { label: 'How long have you traded?', required: true },
      { label: 'Márket', type: 'select', options: ['Forex', 'Crypto'] },
      { label: 'Market' },
    ],
  });
  const keys = product.requestFields.map(({ key }: { key: string }) => key);
  assert.deepEqual(keys, ['how_long_have_you_traded', 'market', 'market_2']);
  const faulty = await tryToAsk(ada, product, { answers: { market: 'Bonds', other: 1 } });
  assertInvalid(faulty);
  assert.deepEqual(
    faulty.body.errors?.map(({ field }) => field),
    ['answers.how_long_have_you_traded', 'answers.market'],
  );
  const request = await ask(ada, product, {
    answers: { how_long_have_you_traded: ' 2 years ', market: 'Forex', x: 1 },
  });
  assert.deepEqual(request.data.answers, [
    { key: keys[0], label: 'How long have you traded?', value: '2 years' },
    { key: 'market', label: 'Márket', value: 'Forex' },
  ]);
  const corrected = await admin.call(updateProduct, {
    params: { id: product.id },
    body: {
      requestFields: [
        { key: keys[0], label: 'For how long have you traded?', required: true },
        { label: 'New' },
      ],
    },
  });
  assert.deepEqual(
    corrected.data.requestFields.map(({ key }: { key: string }) => key),
    [keys[0], 'new'],
  );
  const untouched = await admin.call(updateProduct, {
    params: { id: product.id },
    body: { name: 'Renamed' },
  });
  assert.equal(untouched.data.requestFields.length, 2);
  const { data: queue } = await admin.call(listAccessRequests, { query: { productId: product.id } });
  assert.equal(queue[0]?.answers[0]?.label, 'How long have you traded?');
  const many = Array.from({ length: 26 }, (_, place) => ({ label: `Q${place}` }));
  assertInvalid(
    await admin.attempt(updateProduct, { params: { id: product.id }, body: { requestFields: many } }),
  );
});

test('inconsistent links, forms and types of a product are refused', async () => {
  const scanner = await newIndicator();
  const make = (fields: Omit<ProductDraft, 'name'>) =>
    admin.attempt(createProduct, { body: { name: 'P', ...fields } });
  const link = { ctaType: 'link' as const, ctaUrl: 'https://example.com/buy' };
  assertInvalid(await make({ productType: 'scanner', scannerId: scanner.id, ...link }));
  assertInvalid(await make({ productType: 'misc', ctaType: 'link' }));
  assertInvalid(await make({ productType: 'misc', scannerId: scanner.id }));
  assertRefused(await make({ productType: 'scanner', scannerId: 'f'.repeat(24) }), indicatorNotFound);
  const product = await newProduct({ requestFields: [{ label: 'Why?' }] });
  const linked = await admin.call(updateProduct, { params: { id: product.id }, body: link });
  assert.deepEqual([linked.data.requestFields, linked.data.ctaUrl], [[], link.ctaUrl]);
  const ada = await newMember();
  assertRefused(await tryToAsk(ada, product), noForm);
  const back = await admin.call(updateProduct, { params: { id: product.id }, body: { ctaType: 'form' } });
  assert.deepEqual([back.data.ctaUrl, back.data.requestFields], [null, []]);
  await admin.call(updateProduct, { params: { id: product.id }, body: { isActive: false } });
  assertRefused(await tryToAsk(ada, product), productNotFound);
  const shown = await client.call(listProducts, { query: { includeInactive: true } });
  const managed = await admin.call(listAllProducts);
  assert.deepEqual(
    [shown, managed].map(({ data }) => data.some(({ id }) => id === product.id)),
    [false, true],
  );
});

test('an available product is read by its id as in the list, a deactivated one is not', async () => {
  const { id } = await newProduct({ name: 'Mentoring' });
  const params = { id };
  const { data } = await client.call(getProduct, { params });
  assert.deepEqual(
    data,
    (await client.call(listProducts)).data.find((one) => one.id === id),
  );
  await admin.call(updateProduct, { params, body: { isActive: false } });
  assertRefused(await client.attempt(getProduct, { params }), productNotFound);
  assertRefused(await admin.attempt(getProduct, { params }), productNotFound);
});

test('a scanner product that becomes a link is detached from its indicator', async () => {
  const scanner = await newIndicator();
  const product = await newProduct({ productType: 'scanner' as const, scannerId: scanner.id });
  const link = { productType: 'misc' as const, ctaType: 'link' as const, ctaUrl: 'https://shop.example.com' };
  const { status, data } = await admin.call(updateProduct, { params: { id: product.id }, body: link });
  assert.deepEqual([status, data.scannerId, data.ctaType], [200, null, 'link']);
  assert.equal((await admin.call(deleteIndicator, { params: { id: scanner.id } })).status, 200);
});

test('a product image is uploaded by a signed link and is public', async () => {
  const bytes = Buffer.from(PNG, 'base64');
  const upload = { fileName: 'p.png', fileSize: bytes.length, contentType: 'image/png' as const };
  const { status, data } = await admin.call(presignProductImage, { body: upload });
  assert.deepEqual([status, data.expiresIn], [201, 900]);
  const put = await fetch(data.uploadUrl, { method: 'PUT', headers: data.instructions.headers, body: bytes });
  assert.equal(put.status, 200);
  assert.equal((await fetch(data.publicUrl)).status, 200);
  assert.equal((await newProduct({ imageUrl: data.publicUrl })).imageUrl, data.publicUrl);
});

test('a change of a product that changes nothing writes nothing', async () => {
  const { id, name, requestFields, updatedAt } = await newProduct({ requestFields: [{ label: 'Market' }] });
  platform.clock.advance(60_000);
  for (const body of [{}, { name }, { name, requestFields: [{ label: 'Market' }] }, { requestFields }])
    assert.equal((await admin.call(updateProduct, { params: { id }, body })).data.updatedAt, updatedAt);
  const { data: log } = await admin.call(listAudit, { query: { target: id } });
  assert.deepEqual(
    log.map(({ action }) => action),
    ['product.created'],
  );
});
