// A webhook endpoint in the console: registered, tested, failing, replayed, with a new secret, deleted.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getOverview, listWebhookEndpoints } from '../../sdk/src/index.ts';
import { perform, type Step } from '../support/console-operator.ts';
import { browserOfFile, openConsole, signedInPage, violationsOn } from '../support/console-pages.ts';
import { until } from '../support/live.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin } = platform;
let page: Page;
let complaints: string[] = [];

const received: string[] = [];
let answers = 200;
const receiver = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text) => received.push(text));
  request.on('end', () => response.writeHead(answers).end('noted'));
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;

before(async () => {
  if (!skip) ({ page, complaints } = await signedInPage(await opened(), url, ADMIN));
});
after(() => receiver.close());

const endpoint = async () => (await admin.call(listWebhookEndpoints)).data[0];
const main = () => page.locator('main');
const says = (text: string | RegExp) => main().getByText(text).first().waitFor();
const more = (name: string): Step[] => [{ press: 'More actions' }, { press: name }];
async function openEndpoint(): Promise<void> {
  await openConsole(page, url, `/webhooks/${(await endpoint())?.id}`);
}
/**
 * Asserts that axe finds no violation at both widths, in light and dark, and that the page does not scroll sideways.
 */
async function isAccessible(): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violationsOn(page, colorScheme === 'dark' ? 'colours' : 'all'), []);
    }
  }
}

test('an endpoint is registered, and its secret is shown once', { skip }, async () => {
  await openConsole(page, url, '/webhooks');
  await perform(page, [
    { press: 'Register endpoint' },
    { fill: 'Address', with: address },
    { fill: 'Types', with: 'user.created, wallet.*' },
    { fill: 'Description', with: 'The CRM' },
    { confirm: 'Register endpoint' },
  ]);
  await says(/The secret of .* is whsec_/);
  const { url: registered, types, description } = (await endpoint()) ?? {};
  assert.deepEqual([registered, types, description], [address, ['user.created', 'wallet.*'], 'The CRM']);
  await page.reload();
  await says('The CRM');
  await isAccessible();
  assert.equal(await page.getByText('whsec_').count(), 0);
});

test('a test event arrives, and its delivery shows the body and the response', { skip }, async () => {
  await openEndpoint();
  await perform(page, [{ press: 'Test' }, { confirm: 'Send a test' }]);
  await until(() => received.some((body) => body.includes('webhook.test')), 'the test');
  await page.getByRole('row').filter({ hasText: 'delivered' }).waitFor();
  await isAccessible();
  await perform(page, [{ open: 'webhook.test' }]);
  await says('"type": "webhook.test"');
  await says('noted');
  await isAccessible();
  await page.goBack();
  await page.getByRole('row').filter({ hasText: 'delivered' }).waitFor();
});

test('a failing endpoint is listed on the overview, and its page says that it fails', { skip }, async () => {
  answers = 500;
  await openEndpoint();
  await perform(page, [{ press: 'Test' }, { confirm: 'Send a test' }]);
  const failing = async () =>
    (await admin.call(getOverview)).data.worklists.find(({ name }) => name === 'failingWebhooks')?.count;
  await until(async () => (await failing()) === 1, 'the failure');
  await openConsole(page, url, '/');
  await main()
    .getByRole('link', { name: /Failing webhook endpoints/ })
    .click();
  await perform(page, [{ open: /127\.0\.0\.1/ }]);
  // One was delivered just before, and the page says so.
  await says('Deliveries have failed');
  assert.equal(await page.getByText('No delivery has succeeded').count(), 0);
  await isAccessible();
  await perform(page, [...more('Disable'), { confirm: 'Disable' }]);
  await says('It is disabled.');
  assert.equal((await endpoint())?.enabled, false);
  answers = 200;
  await perform(page, [...more('Enable'), { confirm: 'Enable' }]);
  await until(async () => (await endpoint())?.failingSince === null, 'it is enabled');
});

test('an operator replays deliveries, replaces the secret and deletes the endpoint', { skip }, async () => {
  await openEndpoint();
  await perform(page, [{ press: 'Replay' }]);
  await isAccessible();
  await page.keyboard.press('Escape');
  const before = received.length;
  await perform(page, [{ press: 'Replay' }, { fill: 'Number', with: '1' }, { confirm: 'Send again' }]);
  await says(/sent again/);
  await until(() => received.length > before, 'what is sent again');
  await perform(page, [...more('Replace secret'), { confirm: 'Replace secret' }]);
  await says(/The new secret is whsec_/);
  await perform(page, [
    ...more('Delete'),
    { fill: 'Type “delete”', with: 'delete' },
    { confirm: 'Delete endpoint' },
  ]);
  await says(/^Deleted 127|^Deleted http/);
  await says('No endpoint is registered.');
  assert.equal(await endpoint(), undefined);
  assert.deepEqual(complaints, []);
});
