import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from '../../src/sandbox/page.ts';
import { closePage, executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { paleTexts } from '../support/contrast.ts';
import { startPlatform } from '../support/platform.ts';

test('pages of the sandbox and the root are readable in light and dark, on a phone and a desk', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const platform = await startPlatform();
  await platform.newMember(); // whose welcome is in the mailbox
  const browser = await launchBrowser();
  const addresses = [
    `${platform.url}/`,
    ...[...PAGES.map(({ path }) => path), '/live', '/paid', '/not-paid'].map(
      (path) => platform.sandboxUrl + path,
    ),
  ];
  try {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [390, 1280]) {
        const page = await newPage(browser, [width, 800], { colorScheme });
        for (const [place, address] of addresses.entries()) {
          await page.goto(address);
          const label = `${address} ${colorScheme} ${width}`;
          assert.deepEqual(await paleTexts(page), [], label);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok((overflow as number) <= 0, label);
          if (process.env.SCREENSHOTS)
            await page.screenshot({
              path: `${process.env.SCREENSHOTS}/${place}-${colorScheme}-${width}.png`,
            });
        }
        await closePage(page);
      }
  } finally {
    await browser.close();
  }
});
