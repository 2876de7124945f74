// The pages of the console in a real browser: for every role, at two sizes, in light and dark, and by keyboard.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import {
  assignPermissions,
  banCommunityMember,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  deleteUser,
  muteChatMember,
} from '../../sdk/src/index.ts';
import { say } from '../support/chatrooms.ts';
import { PASSWORD } from '../support/client.ts';
import { ADMIN } from '../support/console.ts';
import {
  browserOfFile,
  enter,
  openConsole,
  PAGE_FILES,
  PAGE_PATHS,
  signedInPage,
  violationsOn,
  watchedPage,
} from '../support/console-pages.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform();
const { url } = platform;

/** The pages about what members say to one another, with something on each. */
async function communityPaths(): Promise<string[]> {
  const [ada, ben] = [await newEducator(platform), await platform.newMember()];
  const { id: room } = (await ada.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } }))
    .data;
  await say(ben, room, 'Hello');
  await ada.client.call(muteChatMember, {
    params: { chatroomId: room, userId: ben.id },
    body: { minutes: 9 },
  });
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Metals' } })).data;
  const params = { communityId, userId: ben.id };
  await ada.client.call(banCommunityMember, { params });
  const body = { content: 'Gold '.repeat(200) };
  const { id: post } = (await ada.client.call(createPost, { params: { communityId }, body })).data;
  await ada.client.call(createComment, { params: { postId: post }, body });
  const trade = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400, note: 'Up' } as const;
  const { id } = (await ada.client.call(createTrade, { body: trade })).data;
  return [
    ...['', '?tab=restrictions'].map((tab) => `/chatrooms/${room}${tab}`),
    ...['', '?tab=members', '?tab=bans'].map((tab) => `/communities/${communityId}${tab}`),
    `/posts/${post}`,
    `/trades/${id}`,
  ];
}

/** The pages about a failure, a queue and an erased member. */
async function systemPaths(): Promise<string[]> {
  const { id: userId, client } = await platform.newMember();
  const refused = await client.raw('POST', '/v1/wallets/transfer', { amount: -1 });
  await platform.admin.call(deleteUser, { params: { userId }, body: { reason: 'At their wish' } });
  return [`/errors/${refused.body.errorId}`, '/jobs/wallet.verify', `/members/${userId}`];
}

const ABOUT_ADMIN = [
  '',
  '?tab=wallet',
  '?tab=sessions',
  '?tab=purchases',
  '?tab=grants',
  '?tab=reports',
  '?tab=audit',
];
const PATHS = [
  ...PAGE_PATHS,
  ...ABOUT_ADMIN.map((tab) => `/members/${platform.adminId}${tab}`),
  `/educators/${platform.adminId}`,
  ...(await communityPaths()),
  ...(await systemPaths()),
  '/nowhere',
];
const SIZES: [number, number][] = [
  [1280, 800],
  [390, 844],
];

test('every page has a path, and so is among those that are opened here, except the sign-in', () => {
  const files = readdirSync('console/src/pages');
  assert.deepEqual(PAGE_FILES.toSorted(), files.filter((name) => name !== 'sign-in.tsx').toSorted());
});

for (const size of SIZES)
  test(`every page opens without errors at ${size[0]} px, is accessible, and does not scroll sideways`, {
    skip,
  }, async () => {
    const { page, complaints } = await signedInPage(await opened(), url, ADMIN, size);
    const violations: string[] = [];
    for (const path of PATHS) {
      await openConsole(page, url, path);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.ok((width as number) <= size[0], `${path} is ${width} px wide`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        violations.push(
          ...(await violationsOn(page, colorScheme === 'dark' ? 'colours' : 'all')).map(
            (found) => `${path} ${colorScheme} ${found}`,
          ),
        );
      }
    }
    assert.deepEqual(violations, []);
    assert.deepEqual(complaints, []);
  });

for (const permission of ['moderator', 'read_users'])
  test(`with only the permission ${permission}, every page opens without errors and names the missing permission`, {
    skip,
  }, async () => {
    const member = await platform.newMember();
    const body = { permissions: [permission] };
    await platform.admin.call(assignPermissions, { params: { userId: member.id }, body });
    const { page, complaints } = await signedInPage(await opened(), url, {
      email: member.email,
      password: PASSWORD,
    });
    for (const path of PATHS) await openConsole(page, url, path);
    assert.deepEqual(complaints, []);
    await openConsole(page, url, '/withdrawals');
    await page.getByText('This page needs the permission admin').waitFor();
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0);
    await openConsole(page, url, `/members/${platform.adminId}`);
    const mayMute = permission === 'moderator';
    const mute = page.getByRole('button', { name: 'Mute everywhere' });
    const email = page.locator('main').getByText(ADMIN.email);
    await (mayMute ? mute : email).waitFor();
    assert.equal(await (mayMute ? email : mute).count(), 0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(ADMIN.email);
    const found = page.getByRole('option').filter({ hasText: ADMIN.email });
    if (mayMute) await page.getByText('Nothing with this.').waitFor();
    else await found.waitFor();
    assert.equal(await found.count(), mayMute ? 0 : 1);
    assert.deepEqual(complaints, []);
  });

test('a member without permissions cannot sign in to the console, but can try again', { skip }, async () => {
  const member = await platform.newMember();
  const { page } = await watchedPage(await opened(), url, [1280, 800]);
  await page.goto(`${url}/console/errors?severity=medium`);
  await enter(page, { email: member.email, password: PASSWORD });
  await page.getByRole('alert').waitFor();
  await enter(page, { ...ADMIN, password: 'a guess' });
  await page
    .getByRole('alert')
    .filter({ hasText: 'The e-mail address or the password is wrong. Error' })
    .waitFor();
  await enter(page, ADMIN);
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

test('the search finds a member by keyboard only, and one of its links opens a dialog', {
  skip,
}, async () => {
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const ada = await platform.newMemberWith(10);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the page');
  await page.keyboard.press('Control+k');
  const options = page.getByRole('option');
  await page.keyboard.type(ada.email);
  await options.filter({ hasText: ada.email }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/members/${ada.id}`));
  await page.keyboard.press('Control+k');
  await page.keyboard.type(ada.email);
  await options.filter({ hasText: 'Fund' }).waitFor();
  for (let step = 0; step < 20; step++) {
    if ((await page.locator('[aria-selected=true]').textContent())?.includes('Fund')) break;
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: /^Fund/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit');
  await options.filter({ hasText: 'Audit log' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.deepEqual(complaints, []);
});
