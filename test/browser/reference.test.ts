import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closePage, executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { paleTexts } from '../support/contrast.ts';
import { startPlatform } from '../support/platform.ts';

test('the reference works in a browser, with nothing from elsewhere', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const platform = await startPlatform();
  const browser = await launchBrowser(['--disable-background-networking', '--disable-component-update']);
  try {
    const page = await newPage(browser, [1280, 900]);
    const foreign: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(platform.url) && !/^(data|blob|about):/.test(url)) foreign.push(url);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${platform.url}/reference`);
    await page.getByRole('heading', { name: 'Push and preferences' }).waitFor();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/contents.png` });
    await page.getByRole('link', { name: 'The interactive reference', exact: true }).click();
    await page.getByRole('button', { name: 'Wallet' }).first().click();
    await page.getByText('Send Keys to another member').first().waitFor();
    await page.waitForTimeout(500);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/reference.png` });
    assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.title]'), [
      'en',
      'Interactive reference of the Platform API',
    ]);
    for (const colorScheme of ['light', 'dark'] as const) {
      const looking = await newPage(browser, [1280, 900], { colorScheme });
      await looking.goto(`${platform.url}/reference`);
      assert.deepEqual(await paleTexts(looking), [], `contents, ${colorScheme}`);
      await looking.goto(`${platform.url}/reference/interactive`);
      await looking.getByRole('button', { name: 'Wallet' }).first().waitFor();
      assert.deepEqual(await paleTexts(looking), [], colorScheme);
      await closePage(looking);
    }
    assert.deepEqual(foreign, []);
    assert.deepEqual(faults, []);

    // An operation of the contents leads to its place, and can be called there; so does an address of older releases.
    for (const address of ['#models', '#models/Error', '#description/errors', '#tag/wallet']) {
      const former = await newPage(browser, [1280, 900]);
      // Where it leads is known long before the page has loaded all of its large script.
      await former.goto(`${platform.url}/reference${address}`, { waitUntil: 'commit' });
      await former.waitForURL(`${platform.url}/reference/interactive${address}`, { waitUntil: 'commit' });
      await closePage(former);
    }
    await page.goto(`${platform.url}/reference#tag/wallet/GET/v1/wallets/balance`);
    const button = page.getByRole('button', { name: /Test Request/i }).first();
    await button.scrollIntoViewIfNeeded();
    await button.click();
    await page.getByRole('button', { name: /Send/i }).first().click();
    await page
      .getByText(/API_KEY_REQUIRED|INVALID_API_KEY/)
      .first()
      .waitFor();
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/try.png` });
    assert.deepEqual(foreign, []);
  } finally {
    await browser.close();
  }
});
