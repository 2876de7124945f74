// Two operators who change the same thing: the second is told so, and continues with what the first has saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assignPermissions,
  createCommunity,
  getCommunity,
  getUser,
  muteUser,
  updateCommunity,
} from '../../sdk/src/index.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin, newMember } = platform;

const CHANGED =
  'Nothing was saved. It has been changed since you opened this form. Copy what you have typed, then load it anew.';
const REASON = 'asked for by support';

const dialogOf = (page: Page) => page.getByRole('dialog');
const button = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true });
const adminPage = async (size?: [number, number]) => signedInPage(await opened(), url, ADMIN, size);

/** Presses the confirming button with a reason, which is refused because of another operator. */
async function refused(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByLabel('Reason').fill(REASON);
  await button(page, name).click();
  await dialogOf(page).getByRole('alert').filter({ hasText: CHANGED }).waitFor();
  assert.equal(await button(page, name).isDisabled(), true);
  assert.match((await button(page, 'Load anew').getAttribute('class')) ?? '', /primary/);
  assert.doesNotMatch((await button(page, name).getAttribute('class')) ?? '', /primary|danger/);
}

/** Opens the form of a community's texts, which then get another description. */
async function changedMeanwhile(page: Page): Promise<string> {
  const { client } = await newEducator(platform);
  const { id: communityId } = (await client.call(createCommunity, { body: { name: 'Gold' } })).data;
  await openConsole(page, url, `/communities/${communityId}`);
  await page.getByRole('button', { name: 'Change texts' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Gold and silver');
  await client.call(updateCommunity, { params: { communityId }, body: { description: 'Of the day' } });
  return communityId;
}

test('the form that is loaded anew has what another operator has saved, however long the reading takes', {
  skip,
}, async () => {
  const { page, complaints } = await adminPage([390, 480]);
  const communityId = await changedMeanwhile(page);
  await refused(page, 'Save');
  for (const part of [dialogOf(page).getByRole('alert'), button(page, 'Load anew')]) {
    const box = await part.boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 480, 'it is seen without scrolling');
  }

  let go = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(new RegExp(`communities/${communityId}$`), async (route) => {
    await released;
    await route.continue();
  });
  await button(page, 'Load anew').click();
  await button(page, 'Loading').waitFor();
  assert.equal(await dialogOf(page).getByRole('textbox', { name: 'Name' }).inputValue(), 'Gold and silver');
  go();
  await dialogOf(page).getByText('Of the day').waitFor();
  assert.equal(await dialogOf(page).getByRole('alert').count(), 0);
  assert.equal(await dialogOf(page).getByRole('textbox', { name: 'Name' }).inputValue(), 'Gold');
  await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Gold and silver');
  await dialogOf(page).getByLabel('Reason').fill(REASON);
  await button(page, 'Save').click();
  await page.getByText('Saved the texts of Gold and silver.').waitFor();
  const { name, description } = (await admin.call(getCommunity, { params: { communityId } })).data;
  assert.deepEqual([name, description], ['Gold and silver', 'Of the day']);
  assert.deepEqual(complaints, []);
});

test('a form that could not be loaded anew says so and stays, and can be loaded again', {
  skip,
}, async () => {
  const { page } = await adminPage();
  const communityId = await changedMeanwhile(page);
  await refused(page, 'Save');
  const path = new RegExp(`communities/${communityId}$`);
  await page.route(path, (route) => route.abort());
  await button(page, 'Load anew').click();
  await dialogOf(page).getByText('It could not be loaded anew').waitFor();
  assert.equal(await dialogOf(page).getByRole('textbox', { name: 'Name' }).inputValue(), 'Gold and silver');
  await page.unroute(path);
  await button(page, 'Load anew').click();
  await dialogOf(page).getByText('Of the day').waitFor();
  await button(page, 'Cancel').click();
  await page.getByText('Of the day').first().waitFor();
});

test('of two operators who change permissions, the second loads those of the first', { skip }, async () => {
  const { id: userId } = await newMember();
  const { page, complaints } = await adminPage();
  await openConsole(page, url, `/members/${userId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Change permissions' }).click();
  const box = (name: string) => dialogOf(page).getByRole('checkbox', { name, exact: true });
  await box('educator').check();
  await admin.call(assignPermissions, { params: { userId }, body: { permissions: ['read_users'] } });
  await refused(page, 'Change permissions');
  await button(page, 'Load anew').click();
  await dialogOf(page).locator('.facts').getByText('read_users').waitFor();
  assert.deepEqual([await box('read_users').isChecked(), await box('educator').isChecked()], [true, false]);
  await box('educator').check();
  await dialogOf(page).getByLabel('Reason').fill(REASON);
  await button(page, 'Change permissions').click();
  await page.getByText(/^The permissions of .* are: /).waitFor();
  const { permissions } = (await admin.call(getUser, { params: { userId } })).data;
  assert.deepEqual(permissions.toSorted(), ['educator', 'read_users']);
  assert.deepEqual(complaints, []);
});

test('a mute that another operator sets while the dialog is open is shown before it is replaced', {
  skip,
}, async () => {
  const { id: userId } = await newMember();
  const { page, complaints } = await adminPage();
  await openConsole(page, url, `/members/${userId}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Mute everywhere' }).click();
  await dialogOf(page).locator('input[name=mutedUntil]').waitFor({ state: 'attached' });
  await admin.call(muteUser, { params: { userId }, body: { minutes: 100_000, reason: REASON } });
  await refused(page, 'Mute');
  await button(page, 'Load anew').click();
  // The form that was refused says it too, before the new one takes its place.
  await dialogOf(page).getByRole('alert').waitFor({ state: 'detached' });
  await dialogOf(page)
    .getByText(/^Muted until .* already; this replaces it\.$/)
    .waitFor();
  await dialogOf(page).getByLabel('Reason').fill(REASON);
  await button(page, 'Mute').click();
  await page.getByText(/ is muted everywhere until /).waitFor();
  assert.deepEqual(complaints, []);
});
