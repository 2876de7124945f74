// Writes of the console that conflict with writes of others, or whose response is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  getWalletAsAdmin,
  listReports,
  report,
  resolveReport,
  settleWithdrawal,
  withdrawKeys,
} from '../../sdk/src/index.ts';
import { newRoom, say } from '../support/chatrooms.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, settled, signedInPage } from '../support/console-pages.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin, newMember, newMemberWith } = platform;

/** Creates two reported messages; returns them oldest first. */
async function twoReports(): Promise<[first: string, second: string]> {
  const [author, reader] = [await newMember(), await newMember()];
  const room = await newRoom(author);
  const ids: string[] = [];
  for (const text of ['The first message', 'The second message']) {
    const { id } = await say(author, room, text);
    const body = { kind: 'message', subjectId: id, reason: 'Spam' } as const;
    ids.push((await reader.client.call(report, { body })).data.id);
  }
  return ids as [string, string];
}

const dialogOf = (page: Page) => page.getByRole('dialog');
const balanceOf = async ({ id }: Member) =>
  (await admin.call(getWalletAsAdmin, { params: { userId: id } })).data.balance;

/** Opens the dialog that funds a member, and fills in a number of Keys. */
async function fundingOf(page: Page, { id }: Member, keys: string) {
  await openConsole(page, url, `/members/${id}`);
  await page.getByRole('button', { name: 'Fund', exact: true }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Keys').fill(keys);
  await dialog.getByLabel('Reason').fill('a goodwill of the house');
  return { dialog, act: dialog.getByRole('button', { name: 'Fund' }) };
}

/** Funds a member with 25 Keys while the platform's responses are lost, until the dialog reports an unknown outcome. */
async function uncertainFunding(ada: Member) {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const { dialog, act } = await fundingOf(page, ada, '25');
  const path = /wallets\/admin\/fund/;
  await page.route(path, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await act.click();
  await dialog.getByText('It is not certain whether this was done').waitFor();
  await page.unroute(path);
  return { page, dialog, act };
}

test('a dialog keeps its subject when another operator has decided about it', {
  skip,
}, async () => {
  const [, second] = await twoReports();
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  await page.clock.install();
  await openConsole(page, url, '/moderation');
  await page.getByRole('link', { name: 'The second message' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel('Reason').fill('promises of profit');
  await admin.call(resolveReport, { params: { reportId: second }, body: { outcome: 'dismissed' } });
  await page.clock.runFor(40_000);
  await settled(page);
  await dialog.getByText('The second message').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('The report is already resolved').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('1 open').waitFor();
  const { data } = await admin.call(listReports, { query: { status: 'open' } });
  assert.deepEqual(
    data.map(({ text }) => text),
    ['The first message'],
  );
  assert.deepEqual(complaints, []);
});

test('of two operators who settle a withdrawal the second gets an error, and then sees its final state', {
  skip,
}, async () => {
  const ada = await newMemberWith(100);
  const { data } = await ada.client.call(withdrawKeys, { body: { amount: 40 } });
  const { transactionId } = data.transaction;
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, `/transactions/${transactionId}`);
  await page.getByRole('button', { name: 'Settle' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel(/It was paid/).check();
  await dialog.getByLabel('Reason').fill('confirmed by the provider');
  const body = { outcome: 'failed', reason: 'refused by the provider' } as const;
  await admin.call(settleWithdrawal, { params: { transactionId }, body });
  await dialog.getByRole('button', { name: 'Settle 40 Keys' }).click();
  await dialog.getByText('Nothing was changed').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('It failed.').waitFor();
  assert.equal(await balanceOf(ada), 100);
});

test('a write whose response was lost is not reported as failed, and pressing again takes effect once', {
  skip,
}, async () => {
  const ada = await newMemberWith(0);
  const { page, dialog, act } = await uncertainFunding(ada);
  await dialog.getByLabel('Keys').fill('30');
  await act.click();
  await dialog.getByText('An earlier attempt with other entries may have been done').waitFor();
  await dialog.getByLabel('Keys').fill('25');
  await act.click();
  await page.getByText('Funded 25 Keys.').waitFor();
  assert.equal(await balanceOf(ada), 25);
});

test('an operator who gives up a write whose response was lost sees its outcome', { skip }, async () => {
  const ada = await newMemberWith(0);
  const { page, dialog } = await uncertainFunding(ada);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('main').getByText('25 Keys').first().waitFor();
});

test('a dialog says that a request takes long, and its failure appears on the page if it was closed meanwhile', {
  skip,
}, async () => {
  const ada = await newMemberWith(0);
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await page.clock.install();
  const { dialog, act } = await fundingOf(page, ada, '25');
  let answer = () => undefined as undefined;
  const isAsked = new Promise<void>((resolve) => {
    void page.route(/wallets\/admin\/fund/, async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = () => void go();
      });
      const refusal = { success: false, status: 400, error: 'WALLET_LOCKED', message: 'Wallet is locked' };
      await route.fulfill({ status: 400, json: { ...refusal, meta: {} } });
    });
  });
  await act.click();
  await isAsked;
  await page.clock.runFor(6_000);
  await dialog.getByText('The platform has not answered yet').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  answer();
  await page.getByRole('alert').filter({ hasText: 'Wallet is locked' }).waitFor();
});

test('after erasing a member the list is shown, and the address of their page says that the account was erased', {
  skip,
}, async () => {
  const ada = await newMember();
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, `/members/${ada.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Erase' }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel(/^Type/).fill(ada.email);
  await dialog.getByLabel('Reason').fill('on the wish of the member');
  await dialog.getByRole('button', { name: 'Erase member' }).click();
  await page.getByText(/^Erased /).waitFor();
  await page.waitForURL(/\/console\/members$/);
  await openConsole(page, url, `/members/${ada.id}`);
  await page.getByText('The account was erased').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(complaints, []);
});

test('malformed addresses show that there is no such page', { skip }, async () => {
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  await page.evaluate('history.pushState(null, "", "/console/members/%E0%A4%A")');
  await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))');
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  assert.deepEqual(complaints, []);
});

test('the sign-in reports a proxy that answers in place of the platform', {
  skip,
}, async () => {
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await page.context().clearCookies();
  await page.goto(`${url}/console`);
  await page.route(/console\/session$/, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
      : route.continue(),
  );
  await page.getByLabel('E-mail').fill(ADMIN.email);
  await page.getByLabel('Password').fill(ADMIN.password);
  await page.keyboard.press('Enter');
  await page.getByText('Something in front of the platform answered in its place.').waitFor();
});
