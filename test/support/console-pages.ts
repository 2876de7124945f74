import { readdirSync, readFileSync } from 'node:fs';
import { after } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { executablePath, launchBrowser, newPage } from './browser.ts';
import { until } from './live.ts';

const registered = readdirSync('console/src')
  .filter((name) => name.endsWith('pages.ts'))
  .map((name) => readFileSync(`console/src/${name}`, 'utf8'))
  .join('\n');

/** The paths of all pages of the console that are not about a single record. */
export const PAGE_PATHS = registered.match(/(?<=path: ')\/[\w-]*(?=')/g) ?? [];

/** The files of all pages of the console that have a path. */
export const PAGE_FILES = registered.match(/(?<=import\('\.\/pages\/)[\w-]+\.tsx(?='\))/g) ?? [];

/** A page of the console, with the problems that the browser reported. */
export interface Watched {
  page: Page;
  complaints: string[];
}

/**
 * Opens a page and records the problems that the browser reports: script errors, violations of the content security
 * policy, requests to other origins. Refused requests are not counted, since pages expect them.
 */
export async function watchedPage(browser: Browser, url: string, size: [number, number]): Promise<Watched> {
  const page = await newPage(browser, size);
  const complaints: string[] = [];
  page.on('console', (message) => {
    const isRefusal = /Failed to load resource/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== 'blob:') complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}

/**
 * Launches a browser for the tests of this file, which are skipped without Chromium. `opened` is a promise, since hooks of
 * a file that is still being read run at once, and beside each other: one that opens a page must wait for the browser.
 */
export function browserOfFile(): { skip: false | string; opened: () => Promise<Browser> } {
  const browser = executablePath ? launchBrowser() : Promise.reject(new Error('no Chromium'));
  browser.catch(() => undefined);
  after(async () => (await browser.catch(() => undefined))?.close());
  return { skip: !executablePath && 'no Chromium', opened: () => browser };
}

export interface Credentials {
  email: string;
  password: string;
}

/** Enters credentials in the sign-in form. */
export async function enter(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

/** Opens the console and signs in. */
export async function signedInPage(
  browser: Browser,
  url: string,
  who: Credentials,
  size: [number, number] = [1280, 800],
): Promise<Watched> {
  const watched = await watchedPage(browser, url, size);
  await watched.page.goto(`${url}/console`);
  await enter(watched.page, who);
  await watched.page.locator('#main').waitFor();
  return watched;
}

/** Opens a path of the console, and waits until the page has loaded all its data. */
export async function openConsole(page: Page, url: string, path: string): Promise<void> {
  await page.goto(`${url}/console${path === '/' ? '' : path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

/** Waits until the page is not loading anything. */
export const settled = (page: Page): Promise<unknown> =>
  until(
    () => page.evaluate('!document.querySelector(".loading, [aria-busy=true]")'),
    'the parts of the page',
  );

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/**
 * Returns the accessibility violations that axe finds on the page, all or only those of colours, with their elements.
 */
export async function violationsOn(page: Page, of: 'all' | 'colours'): Promise<string[]> {
  // Half a megabyte, which is sent once for each document.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`{ ${axe} }`);
  const rules = of === 'colours' ? "runOnly: ['color-contrast']," : '';
  return page.evaluate(`axe.run(document, { ${rules} resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`);
}
