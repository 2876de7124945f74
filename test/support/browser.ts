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

/** The texts that an element has had, for those that a page shows too briefly to be waited for on a busy machine. */
export interface ShownTexts {
  all(): Promise<string[]>;
  /** Waits until a text that contains this has been shown since the last `forget`, for however short a time. */
  contain(part: string): Promise<unknown>;
  forget(): Promise<unknown>;
}

/** Notes each text of the element with this id, from now until the page is left. */
export async function noteTexts(page: Page, id: string): Promise<ShownTexts> {
  const texts = `window.shownTexts[${JSON.stringify(id)}]`;
  await page.evaluate(`{
    const element = document.getElementById(${JSON.stringify(id)});
    window.shownTexts ??= {};
    ${texts} = [];
    new MutationObserver(() => ${texts}.push(element.textContent))
      .observe(element, { childList: true, attributes: true });
  }`);
  return {
    all: () => page.evaluate<string[]>(texts),
    contain: (part) =>
      page.waitForFunction(`${texts}.some((text) => text.includes(${JSON.stringify(part)}))`),
    forget: () => page.evaluate(`${texts}.length = 0`),
  };
}
