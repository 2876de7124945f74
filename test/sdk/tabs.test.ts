// Tabs of one browser share their sign-in: what one does, the others learn.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { Client } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser } from '../support/browser.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { PATIENCE_MS } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

/** What the page of a tab offers to the test. */
interface Tab {
  api: Client;
  reasons: string[];
}

const SCRIPT = `import { browserStorage, createClient } from './sdk/src/index.ts';
const [baseUrl, apiKey] = location.hash.slice(1).split('/').map(decodeURIComponent);
const reasons = [];
const api = createClient({ baseUrl, apiKey, storage: browserStorage(), onSignedOut: (reason) => reasons.push(reason) });
Object.assign(globalThis, { tab: { api, reasons } });`;

const skip = executablePath ? false : 'SKIPPED: no chromium here';
const platform = await startPlatform();
const { key } = await platform.newKey('admin');

/** Starts a browser, and returns how to open tabs with a client each in it. */
async function newBrowser(): Promise<() => Promise<Page>> {
  const bundle = {
    stdin: { contents: SCRIPT, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'esm',
  } as const;
  const { outputFiles } = await build(bundle);
  const page = `<!doctype html><script type="module">${outputFiles[0]?.text}</script>`;
  const pages = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  );
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
  const browser = await launchBrowser();
  after(async () => {
    await browser.close();
    pages.close();
  });
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  return async () => {
    const tab = await context.newPage();
    const { port } = pages.address() as AddressInfo;
    await tab.goto(`http://127.0.0.1:${port}/#${[platform.url, key].map(encodeURIComponent).join('/')}`);
    await tab.waitForFunction('globalThis.tab');
    return tab;
  };
}

/** Waits until a tab has been told why its member is no longer signed in. */
const told = (page: Page, reasons: string[]) =>
  page.waitForFunction(
    (expected) => JSON.stringify((globalThis as unknown as { tab: Tab }).tab.reasons) === expected,
    JSON.stringify(reasons),
  );

/** Signs a new member up in a tab. */
const signUp = (page: Page, email: string) =>
  page.evaluate(
    async ([email, password]) => {
      const { api } = (globalThis as unknown as { tab: Tab }).tab;
      await api.auth.signUp({ email, password, platform: 'web', firstName: 'Ada', lastName: 'L' });
    },
    [email, PASSWORD] as [string, string],
  );

test('two tabs with fifty calls at once refresh an expired token once', { skip }, async () => {
  const open = await newBrowser();
  const tabs = [await open(), await open()];
  await signUp(tabs[0] as Page, newEmail());
  platform.clock.advance(16 * 60_000);
  let refreshes = 0;
  for (const tab of tabs)
    tab.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/refresh-token')) refreshes++;
    });
  const names = await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(async () => {
        const { api, reasons } = (globalThis as unknown as { tab: Tab }).tab;
        const calls = Array.from({ length: 25 }, () => api.profile.get());
        return [...(await Promise.all(calls)).map(({ firstName }) => firstName), ...reasons];
      }),
    ),
  );
  assert.deepEqual(names.flat(), Array(50).fill('Ada'));
  assert.equal(refreshes, 1);
});

test('other tabs learn of a sign-out, of another member and of a cleared storage, and their live channel ends', {
  skip,
}, async () => {
  const open = await newBrowser();
  const [one, other] = [await open(), await open()];
  const goLive = () =>
    other.evaluate(async () => {
      const live = (globalThis as unknown as { tab: Tab }).tab.api.live();
      live.reconnect();
      while (live.state.name !== 'live') await new Promise((resolve) => setTimeout(resolve, 10));
    });
  const isOver = () =>
    other.waitForFunction(
      () => (globalThis as unknown as { tab: Tab }).tab.api.live().state.name === 'ended',
    );

  await signUp(one, newEmail());
  await goLive();
  await one.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.api.signOut());
  await told(other, ['signed-out']);
  await isOver();
  assert.equal(
    await other.evaluate(() =>
      (globalThis as unknown as { tab: Tab }).tab.api.profile.get().then(
        () => 'signed in',
        ({ code }) => code,
      ),
    ),
    'AUTHENTICATION_REQUIRED',
  );

  await signUp(one, newEmail());
  await goLive();
  const bob = newEmail();
  await signUp(one, bob);
  await told(other, ['signed-out', 'replaced']);
  await isOver();
  const { email } = await other.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.api.profile.get());
  assert.equal(email, bob);

  await goLive();
  await one.evaluate(() => localStorage.clear());
  await told(other, ['signed-out', 'replaced', 'signed-out']);
  await isOver();
});

test('a tab that has signed in over a sign-in learns of what the other tabs do', { skip }, async () => {
  const open = await newBrowser();
  const [one, other] = [await open(), await open()];

  await signUp(other, newEmail());
  await signUp(other, newEmail());
  await signUp(one, newEmail());
  await told(other, ['replaced']);

  await signUp(other, newEmail());
  await one.evaluate(() => (globalThis as unknown as { tab: Tab }).tab.api.signOut());
  await told(other, ['replaced', 'signed-out']);
});
