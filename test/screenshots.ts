// `npm run screenshots`: pictures of the console and of the reference, for README and docs/console.md, from a platform of
// its own with sample data. `npm run screenshots -- <folder>` writes every page of the console into a folder instead: at two
// widths, in light and dark.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import {
  addChatroomMember,
  createChatroom,
  createClient,
  createCommunity,
  createPost,
  createTrade,
  deleteChatMessage,
  joinCommunity,
  report,
  sendChatMessage,
} from '../sdk/src/index.ts';
import { launchBrowser } from './support/browser.ts';
import { enter, openConsole, PAGE_PATHS } from './support/console-pages.ts';
import { startProgram } from './support/programs.ts';
import { provideTools } from './support/tools.ts';

const [everyPageTo] = process.argv.slice(2);
const { TEST_CHROMIUM: executablePath } = provideTools();
if (!executablePath) throw new Error('No Chromium was found');

// Programs of the tests keep nobody waiting; this one is waited for.
const awake = setInterval(() => undefined, 60_000);
const folder = mkdtempSync(join(tmpdir(), 'screenshots-'));
const settings = { DATA_DIR: join(folder, 'data'), PORT: '0', SANDBOX_PORT: '0' };
const program = await startProgram(['src/main.js', 'start'], settings);
const { url = '', apiKey = '', adminEmail = '', adminPassword = '' } = program.readyValues;
const seeded = { ...settings, PORT: new URL(url).port };
execFileSync(process.execPath, ['src/main.js', 'seed'], { env: { ...process.env, ...seeded } });

const PATHS: string[] = PAGE_PATHS;

const SEEDED_PASSWORD = 'a seed to grow from';

/** Makes what operators work on: withdrawals, refused sign-ins, and refused payments. */
async function makeWork(): Promise<string> {
  const members = [];
  for (const name of ['ada', 'benoit', 'chiara', 'dmitri']) {
    const client = createClient({ baseUrl: url, apiKey, retries: 0 });
    const credentials = { email: `${name}@example.com`, password: SEEDED_PASSWORD, platform: 'web' } as const;
    const { user } = await client.auth.signIn(credentials);
    members.push({ client, id: user.id });
  }
  for (const [place, { client }] of members.entries())
    await client.wallet.withdraw({ amount: 100 + place * 75 });
  const refused: Promise<unknown>[] = [];
  const stranger = createClient({ baseUrl: url, apiKey, retries: 0 });
  for (let attempt = 0; attempt < 5; attempt++)
    refused.push(stranger.auth.signIn({ email: 'esra@example.com', password: 'a guess', platform: 'app' }));
  const [ada, benoit] = members;
  if (!ada || !benoit) throw new Error('Nobody was seeded');
  for (let attempt = 0; attempt < 3; attempt++)
    refused.push(ada.client.wallet.transfer({ toUserId: benoit.id, amount: 50_000 }));
  await Promise.allSettled(refused);
  return ada.id;
}

/** Makes what moderators work on: a private talk with a report of it, and a post that two report. Returns their pages. */
async function makeTalk(): Promise<string[]> {
  const [ada, benoit, chiara] = await Promise.all(
    ['ada', 'benoit', 'chiara'].map(async (name) => {
      const client = createClient({ baseUrl: url, apiKey, retries: 0 });
      const credentials = { email: `${name}@example.com`, password: SEEDED_PASSWORD } as const;
      return { client, ...(await client.auth.signIn({ ...credentials, platform: 'web' })).user };
    }),
  );
  if (!ada || !benoit || !chiara) throw new Error('Nobody was seeded');
  const room = await ada.client.call(createChatroom, { body: { name: 'Gold traders', type: 'private' } });
  const params = { chatroomId: room.id };
  await ada.client.call(addChatroomMember, { params, body: { userId: benoit.id } });
  const say = async ({ client }: typeof ada, message: string) =>
    (await client.call(sendChatMessage, { params, body: { message } })).id;
  const rude = await say(ada, 'Nobody asked you.');
  await say(benoit, 'I only asked where you get your signals from.');
  await ada.client.call(deleteChatMessage, { params: { ...params, messageId: rude } });
  const subjectId = await say(
    ada,
    'Send me 500 Keys, and I double them by Friday. You would be a fool not to.',
  );
  await say(benoit, 'I will report that.');
  await benoit.client.call(report, { body: { kind: 'message', subjectId, reason: 'Promises of profit' } });
  const owner = createClient({ baseUrl: url, apiKey, retries: 0 });
  await owner.auth.signIn({ email: adminEmail, password: adminPassword, platform: 'web' });
  const { id: communityId } = await owner.call(createCommunity, {
    body: { name: 'Metals', description: 'Gold, silver and copper' },
  });
  await chiara.client.call(joinCommunity, { params: { communityId } });
  const body = { content: 'Guaranteed returns of 20 % a week. Write to me, and I tell you how.' };
  const post = await chiara.client.call(createPost, { params: { communityId }, body });
  for (const { client } of [ada, benoit])
    await client.call(report, { body: { kind: 'post', subjectId: post.id, reason: 'Fraud' } });
  const trade = await benoit.client.call(createTrade, {
    body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400, note: 'Breaks out above 2,390.' },
  });
  return [
    `/chatrooms/${room.id}`,
    `/communities/${communityId}`,
    `/posts/${post.id}`,
    `/trades/${trade.id}`,
    `/moderation?item=${subjectId}`,
  ];
}

/** A page that is signed in; the theme and the width are those of the picture. */
async function opened(browser: Browser, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
  const height = width < 500 ? 844 : 800;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(`${url}/console`);
  await enter(page, { email: adminEmail, password: adminPassword });
  await page.locator('#main').waitFor();
  return page;
}

async function take(page: Page, path: string, file: string): Promise<void> {
  await openConsole(page, url, path);
  const context = page.locator('.context summary');
  if (await context.isVisible()) await context.click();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: file });
}

const browser = await launchBrowser([], executablePath);
try {
  const ada = await makeWork();
  const talk = await makeTalk();
  if (everyPageTo) {
    mkdirSync(everyPageTo, { recursive: true });
    for (const width of [1280, 390])
      for (const scheme of ['light', 'dark'] as const) {
        const page = await opened(browser, width, scheme);
        for (const path of [...PATHS, `/members/${ada}`, ...talk]) {
          const name = path.split(/[/?]/)[1] || 'overview';
          const suffix = PATHS.includes(path) ? '' : '-one';
          await take(page, path, join(everyPageTo, `${name}${suffix}-${width}-${scheme}.png`));
        }
        await page.context().close();
      }
  } else {
    const light = await opened(browser, 1280, 'light');
    await take(light, '', 'docs/images/console-overview.png');
    await take(light, `/members/${ada}`, 'docs/images/console-member.png');
    await take(light, '/withdrawals', 'docs/images/console-withdrawals.png');
    await take(await opened(browser, 1280, 'dark'), '/error-groups', 'docs/images/console-errors.png');
    await light.goto(`${url}/reference`);
    await light.screenshot({ path: 'docs/images/reference.png' });
  }
} finally {
  await browser.close();
  await program.end('SIGTERM');
  clearInterval(awake);
  rmSync(folder, { recursive: true, force: true });
}
