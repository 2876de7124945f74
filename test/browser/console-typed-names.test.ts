// What cannot be undone is confirmed by typing the name of what goes, as it is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createChatroom, createCommunity, getChatroom, getCommunity } from '../../sdk/src/index.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin } = platform;
const ada = await newEducator(platform);

/** Opens the dialog that deletes what a page is about, with a reason in it. */
async function deletionAt(path: string): Promise<Locator> {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, path);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('promises of profit');
  return dialog;
}

test('a chatroom is deleted only once its name is typed, and not by the key Enter', { skip }, async () => {
  const body = { name: 'Gold only', type: 'private' } as const;
  const { id: chatroomId } = (await ada.client.call(createChatroom, { body })).data;
  const dialog = await deletionAt(`/chatrooms/${chatroomId}`);
  const [box, button] = [
    dialog.getByLabel('Type “Gold only”'),
    dialog.getByRole('button', { name: /^Delete/ }),
  ];
  for (const typed of ['', 'Gold', 'gold only', 'Silver only', 'Gold only!']) {
    await box.fill(typed);
    assert.equal(await button.isDisabled(), true, typed);
  }
  await box.fill('Gold only');
  assert.equal(await button.isDisabled(), false);
  await box.press('Enter');
  await box.fill('Gold');
  assert.equal(await button.isDisabled(), true, 'another text refuses again');
  await box.fill('Gold only');
  await button.click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await admin.attempt(getChatroom, { params: { chatroomId } })).status, 404);
});

test('blanks and characters that nobody sees need not be typed', { skip }, async () => {
  const name = 'Gold \u200B  rush\u2060';
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name } })).data;
  const dialog = await deletionAt(`/communities/${communityId}`);
  await dialog.getByLabel('Type “Gold rush”').fill(' Gold  rush ');
  await dialog.getByRole('button', { name: 'Delete community' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await admin.attempt(getCommunity, { params: { communityId } })).status, 404);
});
