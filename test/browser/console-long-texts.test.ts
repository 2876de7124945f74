// Texts as long as the platform allows, in one word and in many, on every page of the console.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  assignPermissions,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createProduct,
  createTrade,
  fundWalletAsAdmin,
  report,
  submitAccessRequest,
  updateUser,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { announce } from '../support/announcements.ts';
import { newRoom, say } from '../support/chatrooms.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, PAGE_PATHS, signedInPage } from '../support/console-pages.ts';
import { newCourse } from '../support/courses.ts';
import { indicatorTools } from '../support/indicators.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin, newMember, newMemberWith } = platform;
const { grant, newIndicator } = indicatorTools(platform);

const word = (length: number) => 'Donaudampfschifffahrt'.repeat(100).slice(0, length);
const sentence = (length: number) => `${word(30)} `.repeat(100).slice(0, length).trim();

let paths: string[] = [];

before(async () => {
  if (skip) return;
  const long = await newMemberWith(1_234_567);
  const params = { userId: long.id };
  const names = { firstName: word(50), lastName: word(50), email: `${word(60)}@${word(40)}.example.com` };
  await admin.call(updateUser, { params, body: names });
  await admin.call(assignPermissions, { params, body: { permissions: ['educator'] } });
  await admin.call(fundWalletAsAdmin, { body: { userId: long.id, amount: 5, reason: sentence(400) } });
  const { data } = await long.client.call(withdrawKeys, { body: { amount: 100 } });
  const room = await newRoom(long);
  const reader = await newMember();
  const reported: string[] = [];
  for (const text of [word(1500), sentence(1500)]) {
    const { id } = await say(long, room, text);
    reported.push(id);
    await reader.client.call(report, {
      body: { kind: 'message', subjectId: id, reason: text.slice(0, 400) },
    });
  }
  const { id: closed } = (
    await long.client.call(createChatroom, {
      body: { name: word(100), description: word(1000), rules: [word(200)], type: 'private' },
    })
  ).data;
  const { id: communityId } = (
    await long.client.call(createCommunity, { body: { name: word(100), description: sentence(1000) } })
  ).data;
  const { id: postId } = (
    await long.client.call(createPost, { params: { communityId }, body: { content: word(2000) } })
  ).data;
  await long.client.call(createComment, { params: { postId }, body: { content: word(2000) } });
  const trade = { symbol: 'GOLD', direction: 'long', entryPrice: 0.123456789012, note: word(2000) } as const;
  const { id: tradeId } = (await long.client.call(createTrade, { body: trade })).data;
  await announce(long, { title: word(100), content: sentence(1000) });
  await newCourse(platform, { owner: long, course: { title: word(100), description: word(500) } });
  await grant(await newIndicator({ name: word(100) }), long, word(30));
  const product = { name: word(100), description: word(500), productType: 'misc' } as const;
  const { id: productId } = (await admin.call(createProduct, { body: product })).data;
  const accessRequest = { productId, fullName: word(100), email: names.email };
  await long.client.call(submitAccessRequest, { body: accessRequest });
  const tabs = ['', 'wallet', 'sessions', 'grants', 'notifications', 'reports', 'audit'];
  paths = [
    ...PAGE_PATHS,
    ...tabs.map((tab) => `/members/${long.id}?tab=${tab}`),
    `/educators/${long.id}`,
    ...reported.map((id) => `/moderation?item=${id}`),
    `/chatrooms/${closed}`,
    `/communities/${communityId}`,
    `/communities/${communityId}?tab=members`,
    `/posts/${postId}`,
    '/posts?q=Donaudampfschifffahrt',
    `/trades/${tradeId}`,
    `/audit?target=${long.id}`,
    `/transactions/${data.transaction.transactionId}`,
  ];
});

test('a dialog that is longer than the screen begins at its top', { skip }, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN, [390, 500]);
  await openConsole(page, url, '/sending');
  await page.getByRole('button', { name: 'Notify many' }).click();
  const dialog = page.getByRole('dialog', { name: 'Notify many members' });
  await dialog.waitFor();
  const [top, isLonger] = await dialog.evaluate(({ scrollTop, scrollHeight, clientHeight }) => [
    scrollTop,
    scrollHeight > clientHeight,
  ]);
  assert.deepEqual([top, isLonger], [0, true]);
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const)
  test(`the longest texts leave every page within ${width} px, every table within its card, and the chosen tab in sight`, {
    skip,
  }, async () => {
    const { page, complaints } = await signedInPage(await opened(), url, ADMIN, [width, height]);
    const wide: string[] = [];
    for (const path of paths) {
      await openConsole(page, url, path);
      const context = page.locator('.context summary');
      if (path.startsWith('/moderation') && (await context.isVisible())) {
        await context.click();
        await page.getByRole('list', { name: 'Context' }).waitFor();
      }
      const found = await page.evaluate<string[]>(`
        [document.documentElement, ...document.querySelectorAll('.rows, .card, #main > *')]
          .filter((one) => one.scrollWidth > one.clientWidth + 1 && !one.matches('.tabs'))
          .map((one) => one.tagName + '.' + one.className + ' ' + one.scrollWidth + ' > ' + one.clientWidth)`);
      wide.push(...found.map((one) => `${path} ${one}`));
      const outOfSight = await page.evaluate<string[]>(`
        [...document.querySelectorAll('.tabs [aria-current]')]
          .filter((one) => one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent)`);
      wide.push(...outOfSight.map((one) => `${path} tab ${one}`));
    }
    assert.deepEqual(wide, []);
    assert.deepEqual(complaints, []);
  });

for (const size of [
  [1280, 800],
  [390, 844],
] as [number, number][])
  test(`the longest name leaves the buttons of a dialog in sight at ${size[0]} px`, { skip }, async () => {
    const { page } = await signedInPage(await opened(), url, ADMIN, size);
    await openConsole(page, url, paths.find((path) => path.startsWith('/members/')) ?? '');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Change permissions' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.equal(await dialog.evaluate((one) => one.scrollWidth - one.clientWidth), 0);
  });

test('at twice the size, tables scroll within their card, and buttons cover no other column', {
  skip,
}, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN, [720, 450]);
  for (const path of ['/withdrawals', '/grants', '/requests', '/jobs']) {
    await openConsole(page, url, path);
    const found = await page.evaluate(`[
      document.documentElement.scrollWidth - innerWidth,
      ...[...document.querySelectorAll('td.row-acts')].map((one) =>
        one.previousElementSibling.getBoundingClientRect().right - one.getBoundingClientRect().left),
    ].filter((covered) => covered > 1)`);
    assert.deepEqual(found, [], path);
  }
});
