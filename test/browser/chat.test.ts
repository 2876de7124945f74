import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { executablePath, launchBrowser, newPage, noteTexts } from '../support/browser.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { freePort } from '../support/ports.ts';
import { startProgram } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';

const redis = await startRedis();
const { url: databaseUrl, drop } = await newDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'platform-chat-'));
const start = (port: string) =>
  startProgram(['src/main.js', 'start'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    PORT: port,
    ...(redis ? { REDIS_URL: redis.url } : {}),
  });
const shots = process.env.SCREENSHOTS;

test('in a browser two windows chat through two processes and miss nothing when one is killed', {
  skip: executablePath && redis ? false : 'no chromium or no redis-server here',
}, async () => {
  const port = await freePort();
  const [one, two] = [await start('0'), await start(port)];
  const browser = await launchBrowser();
  after(async () => {
    await browser.close();
    for (const program of [one, two]) await program.end('SIGKILL');
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const faults: string[] = [];
  const { adminApiKey: key, sandbox } = one.readyValues;

  async function open(name: string, api: string, room = ''): Promise<Page> {
    const page = await newPage(browser, [520, 640]);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${sandbox}/chat?key=${key}&api=${encodeURIComponent(api)}${room && `&room=${room}`}`);
    await page.getByLabel('E-mail').fill(`${name}.${Date.now()}@example.com`);
    await page.getByLabel('Password').fill('a password');
    await page.getByLabel('First name').fill(name);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('connected', { exact: true }).waitFor();
    return page;
  }
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const lines = (page: Page): Promise<string[]> => page.locator('#messages p').allTextContents();
  const shot = async (page: Page, name: string) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
  };

  const ada = await open('Ada', one.readyValues.url as string);
  const ben = await open('Ben', two.readyValues.url as string);
  await ada.getByText('2 online').waitFor();
  await say(ada, 'Gold breaks out!');
  await ben.getByText('Gold breaks out!').waitFor();
  const typing = await noteTexts(ada, 'typing');
  await ben.getByLabel('Message').pressSequentially('hm');
  await typing.contain('…');
  await say(ben, '<b>not</b> bold');
  await ada.getByText('<b>not</b> bold').waitFor();
  await ada.locator('#price-GOLD').waitFor();
  await shot(ada, 'chat-ada');
  await shot(ben, 'chat-ben');

  const states = await noteTexts(ben, 'state');
  await ben.getByRole('button', { name: 'Drop the connection' }).click();
  await states.contain('reconnecting');
  await say(ada, 'while you were away');
  await ben.getByText('while you were away').waitFor();
  await until(async () => String(await lines(ben)) === String(await lines(ada)), 'the same for both');

  // Both use the process that will be killed, behind one address, as with a load balancer.
  await states.forget();
  two.process.kill('SIGKILL');
  await states.contain('reconnecting');
  await shot(ben, 'chat-reconnecting');
  for (const text of ['one', 'two', 'three']) await say(ada, text);
  await say(ben, 'said while away');
  const again = await start(port);
  after(() => again.end('SIGKILL'));
  // The page gives up after half a minute and offers to try again; a start on a busy machine may take longer.
  const isBack = ben.getByText('connected', { exact: true });
  const tryAgain = ben.getByRole('button', { name: 'Reconnect' });
  await isBack.or(tryAgain).waitFor();
  if (await tryAgain.isVisible()) await tryAgain.click();
  await isBack.waitFor();
  await ada.getByText('said while away').waitFor();
  await until(async () => String(await lines(ben)) === String(await lines(ada)), 'the same for both');
  assert.deepEqual(await lines(ada), [
    'Gold breaks out!',
    '<b>not</b> bold',
    'while you were away',
    'one',
    'two',
    'three',
    'said while away',
  ]);
  await shot(ben, 'chat-after');
  assert.deepEqual(faults, []);
});
