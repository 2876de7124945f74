// The console in a real browser: signing in, its pages by keyboard and pointer, and what the policy of the page refuses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { getWalletAsAdmin } from '../../sdk/src/index.ts';
import { MINUTE_MS } from '../../src/kernel/time/time.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { ADMIN } from '../support/console.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const skip = !executablePath && 'no Chromium';
const platform = await startPlatform();
const { url } = platform;
let browser: Browser;

before(async () => {
  if (executablePath) browser = await launchBrowser();
});
after(() => browser?.close());

const PAGES = ['', '/withdrawals', '/errors', '/audit', `/members/${platform.adminId}`];
const SIZES: [number, number][] = [
  [1280, 800],
  [390, 844],
];

/** A page with an administrator signed in, and what the browser complained about. */
async function signedIn(size: [number, number]): Promise<{ page: Page; complaints: string[] }> {
  const page = await newPage(browser, size);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The browser also writes a line for each refusal, which pages expect.
    const isRefusal = /status of 4\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(`${url}/console`);
  await page.getByLabel('E-mail').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Members' }).waitFor();
  return { page, complaints };
}

for (const size of SIZES)
  test(`every page opens without a complaint of the browser at ${size[0]} px, and none scrolls sideways`, {
    skip,
  }, async () => {
    const { page, complaints } = await signedIn(size);
    for (const path of PAGES) {
      await page.goto(`${url}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await until(
        () => page.evaluate('!document.querySelector(".loading, [aria-busy=true]")'),
        'the parts of the page',
      );
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok((width as number) <= size[0], `${path} is ${width} px wide`);
      if (process.env.PICTURES)
        for (const scheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: scheme });
          await page.screenshot({
            path: `${process.env.PICTURES}/${path.split('/')[1] || 'list'}-${size[0]}-${scheme}.png`,
          });
        }
    }
    assert.deepEqual(complaints, []);
  });

test('a member is found, funded with the password asked again, and the balance is the one of the API', {
  skip,
}, async () => {
  const { page, complaints } = await signedIn([1280, 800]);
  const ada = await platform.newMemberWith(0);
  await page.keyboard.press('/');
  await page.keyboard.type(ada.email);
  const row = page.getByRole('row').filter({ hasText: ada.email });
  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Fund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Keys').fill('25');
  await dialog.getByLabel('Reason').fill('a goodwill of the house');
  platform.clock.advance(6 * MINUTE_MS);
  await dialog.getByRole('button', { name: 'Fund' }).dblclick();
  await dialog.getByLabel('Your password').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Fund' }).dblclick();
  await page.getByText('Funded 25 Keys.').waitFor();
  const { data } = await platform.admin.call(getWalletAsAdmin, { params: { userId: ada.id } });
  assert.equal(data.balance, 25);
  assert.deepEqual(complaints, []);
});

test('a page that is opened without a sign-in opens after it, and Back leads through the filters', {
  skip,
}, async () => {
  const page = await newPage(browser, [1280, 800]);
  await page.goto(`${url}/console/errors?severity=medium`);
  await page.getByLabel('E-mail').fill(ADMIN.email);
  await page.getByLabel('Password').fill('a guess');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Errors' }).waitFor();
  const severity = page.getByLabel('Severity');
  assert.equal(await severity.inputValue(), 'medium');
  await severity.selectOption('critical');
  await page.waitForURL(/severity=critical/);
  await page.goBack();
  assert.equal(await severity.inputValue(), 'medium');
  await page.getByRole('link', { name: 'AUTHENTICATION_FAILED' }).first().click();
  await page.getByRole('heading', { name: 'AUTHENTICATION_FAILED' }).waitFor();
});

test('a sign-in that ended elsewhere shows the sign-in at the same address', { skip }, async () => {
  const { page } = await signedIn([1280, 800]);
  const admin = await platform.signInAdmin();
  await admin.raw('POST', '/v1/auth/signout', {});
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
  assert.match(page.url(), /\/console\/audit$/);
});
