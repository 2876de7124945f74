import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from './live.ts';

/** Chromium's path, as found by `npm test`; without it tests of pages are skipped. */
export const executablePath = process.env.TEST_CHROMIUM;

/** Launches Chromium, as root too; `more` are further arguments of its command line. */
export const launchBrowser = (more: string[] = [], path = executablePath): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu', ...more] });

/** Opens a page with a browser context of its own and the time limits that all tests use. */
export async function newPage(
  browser: Browser,
  [width, height]: [number, number],
  more: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, ...more });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

/**
 * Closes a page with its context. Closing the page alone may never end if Chromium is just about to show another document in
 * it: the page stays open, and Playwright waits for its end without a limit of time.
 */
export const closePage = (page: Page): Promise<void> => page.context().close();
