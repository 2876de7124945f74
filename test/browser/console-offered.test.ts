// Forms of the console: indicators and products, and the field that finds a member.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  createIndicator,
  createProduct,
  getIndicator,
  getProduct,
  listDeliveries,
  updateIndicator,
  updateProduct,
  updateUser,
} from '../../sdk/src/index.ts';
import { perform, type Step } from '../support/console-operator.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform();
const { admin, url } = platform;

/** Edits the row with this name on a page of the console. */
async function change(page: Page, path: string, row: string, fields: Step[]): Promise<void> {
  await openConsole(page, url, path);
  await perform(page, [{ press: 'Change', row }, ...fields, { confirm: 'Save' }]);
  await page.getByText(`Saved ${row}.`).first().waitFor();
}

const emptied = (...labels: string[]): Step[] => labels.map((fill) => ({ fill, with: '' }));

test('emptied fields of an indicator and of a product are cleared', { skip }, async () => {
  const about = { name: 'Momentum', description: 'Shows when to buy.', pineId: 'PUB;momentum' };
  const indicator = (await admin.call(createIndicator, { body: about })).data;
  const described = { description: 'For whoever asks.' };
  const scanner = (
    await admin.call(createProduct, {
      body: { ...described, name: 'Momentum for all', productType: 'scanner', scannerId: indicator.id },
    })
  ).data;
  const linked = (
    await admin.call(createProduct, {
      body: {
        ...described,
        name: 'A book about momentum',
        productType: 'misc',
        ctaType: 'link',
        ctaUrl: 'https://example.com/momentum',
      },
    })
  ).data;
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  await change(page, '/products', scanner.name, [
    ...emptied('Description'),
    { choose: 'What its holders are granted', option: 'none' },
  ]);
  await change(page, '/products', linked.name, emptied('Description', 'Link'));
  const changed = await Promise.all(
    [scanner, linked].map(async ({ id }) => (await admin.call(getProduct, { params: { id } })).data),
  );
  assert.deepEqual(
    changed.map(({ description, scannerId, ctaUrl, ctaType }) => [description, scannerId, ctaUrl, ctaType]),
    [
      ['', null, null, 'form'],
      ['', null, null, 'form'],
    ],
  );
  await change(page, '/indicators', indicator.name, emptied('Description', 'id at the charting platform'));
  const { description, pineId } = (await admin.call(getIndicator, { params: { id: indicator.id } })).data;
  assert.deepEqual([description, pineId], ['', null]);
  assert.deepEqual(complaints, []);
});

test('an operator who saves what another one has changed meanwhile is told so, and loads it anew', {
  skip,
}, async () => {
  const about = { name: 'Trend', description: 'As it was.\n\nIn two paragraphs. ', pineId: 'PUB;trend' };
  const indicator = (await admin.call(createIndicator, { body: about })).data;
  const body = { ...about, name: 'Trend for all', productType: 'misc', pineId: undefined } as const;
  const product = (await admin.call(createProduct, { body })).data;
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const description = 'As another operator has it.';
  const link: Step[] = [{ fill: 'Link', with: 'https://example.com/trend' }];
  const script: Step[] = [{ fill: 'Its id at the charting platform', with: 'PUB;other' }];
  for (const [path, { name }, other, fields] of [
    [
      '/products',
      product,
      () => admin.call(updateProduct, { params: { id: product.id }, body: { description } }),
      link,
    ],
    [
      '/indicators',
      indicator,
      () => admin.call(updateIndicator, { params: { id: indicator.id }, body: { description } }),
      script,
    ],
  ] as const) {
    await openConsole(page, url, path);
    await perform(page, [{ press: 'Change', row: name }]);
    await other();
    await perform(page, fields);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('a workflow of the tests');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Nothing was saved. It has been changed since you opened this form.').waitFor();
    await dialog.getByRole('button', { name: 'Load anew' }).click();
    await dialog.getByText(description).waitFor();
    await perform(page, [...fields, { confirm: 'Save' }]);
    await page.getByText(`Saved ${name}.`).first().waitFor();
  }
  const sold = (await admin.call(getProduct, { params: { id: product.id } })).data;
  assert.deepEqual(
    [sold.description, sold.ctaUrl, sold.ctaType],
    [description, 'https://example.com/trend', 'link'],
  );
  const granted = (await admin.call(getIndicator, { params: { id: indicator.id } })).data;
  assert.deepEqual([granted.description, granted.pineId], [description, 'PUB;other']);
  assert.deepEqual(complaints, []);
});

/** Counts from now on how often the dialog's button becomes enabled. */
async function countOffers(page: Page): Promise<() => Promise<unknown>> {
  const counter = await page.evaluateHandle(`(() => {
    const button = document.querySelector('dialog button[type=submit]:disabled');
    const counted = { offers: 0 };
    new MutationObserver(() => { if (!button.disabled) counted.offers++; }).observe(button, { attributes: true });
    return counted;
  })()`);
  return async () => (await counter.getProperty('offers')).jsonValue();
}

test('the receiver of a notification is found by name, or by e-mail if several have the same name', {
  skip,
}, async () => {
  const [ada, other] = [await platform.newMember(), await platform.newMember()];
  const name = { firstName: 'Adaora', lastName: 'Eze' };
  await admin.call(updateUser, { params: { userId: ada.id }, body: name });
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const dialog = page.getByRole('dialog');
  await openConsole(page, url, '/sending');
  await page.getByRole('button', { name: 'Notify a member' }).click();
  await dialog.getByLabel('Title').fill('Gold moves');
  await dialog.getByLabel('Text').fill('Now.');
  const member = dialog.getByLabel('Member', { exact: false }).first();
  await member.fill('nobody of this name');
  await dialog.getByText('Nobody is found.').waitFor();
  await member.fill('adaora eze');
  await dialog.getByText(`Adaora Eze, ${ada.email}`).waitFor();
  await admin.call(updateUser, { params: { userId: other.id }, body: name });
  await member.fill('');
  await member.fill('Adaora Eze');
  await dialog.getByText('Several are called this.').waitFor();
  await dialog.getByLabel('Reason').fill('They asked for it.');
  const offers = await countOffers(page);
  await member.fill(other.email);
  await dialog.getByText(`Adaora Eze, ${other.email}`).waitFor();
  await dialog.getByRole('button', { name: 'Send' }).and(dialog.locator(':enabled')).waitFor();
  assert.equal(
    await offers(),
    1,
    'the button becomes enabled only once: a click in between would have been lost',
  );
  await perform(page, [{ confirm: 'Send' }]);
  await page.getByText(/^Sent\./).waitFor();
  const sentTo = async (userId: string) => (await admin.call(listDeliveries, { query: { userId } })).data;
  const titled = [...(await sentTo(ada.id)), ...(await sentTo(other.id))].filter(
    ({ title }) => title === 'Gold moves',
  );
  assert.ok(titled.length > 0 && titled.every(({ userId }) => userId === other.id));
  assert.deepEqual(complaints, []);
});
