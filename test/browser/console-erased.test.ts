// The page of an erased member says that the account was erased, when, and what is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assignPermissions, deleteOwnAccount, deleteUser } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin } = platform;
const adminPage = async () => (await signedInPage(await opened(), url, ADMIN)).page;

async function showsErased(page: Page, { id, email }: Member): Promise<void> {
  await page.getByText('The account was erased').waitFor();
  await page.getByRole('heading', { name: 'Erased member' }).waitFor();
  await page.getByText('user deleted').waitFor();
  const links = [
    'Transactions',
    'withdrawals',
    'Posts',
    'Errors of the last days',
    'What they did as an operator',
  ];
  for (const name of links)
    assert.match(
      (await page.getByRole('link', { name, exact: true }).last().getAttribute('href')) ?? '',
      new RegExp(id),
    );
  assert.ok(!(await page.content()).includes(email), 'nothing of the person is left');
}

test('of a member whom an administrator erased, it says so, by whom, and leads to their transactions', {
  skip,
}, async () => {
  const ada = await platform.newMemberWith(10);
  const body = { remainingKeys: 'forfeit', reason: 'At their own wish' } as const;
  await admin.call(deleteUser, { params: { userId: ada.id }, body });
  const page = await adminPage();
  await openConsole(page, url, `/members/${ada.id}`);
  await showsErased(page, ada);
  await page.getByText('At their own wish').waitFor();
  const note = page.locator('.note', { hasText: 'The account was erased' });
  await note.getByRole('link', { name: 'First Administrator' }).waitFor();
  await page.locator('.facts').getByRole('link', { name: 'Transactions' }).click();
  await page.getByRole('row').filter({ hasText: '10' }).first().waitFor();
});

test('to a moderator it says that the account was erased or never was, and what it has published', {
  skip,
}, async () => {
  const [ada, mod] = [await platform.newMember(), await platform.newMember()];
  await admin.call(deleteUser, { params: { userId: ada.id } });
  const params = { userId: mod.id };
  await admin.call(assignPermissions, { params, body: { permissions: ['moderator'] } });
  const { page } = await signedInPage(await opened(), url, { email: mod.email, password: PASSWORD });
  await openConsole(page, url, `/members/${ada.id}`);
  await page.getByText('it was erased, or the id is wrong').waitFor();
  const href = await page.getByRole('link', { name: 'Posts' }).getAttribute('href');
  assert.match(href ?? '', new RegExp(ada.id));
});

test('of a member who left, it says so, and of an id that nobody ever had, that it is wrong', {
  skip,
}, async () => {
  const ben = await platform.newMember();
  await ben.client.call(deleteOwnAccount, { body: { password: PASSWORD } });
  const page = await adminPage();
  await openConsole(page, url, `/members/${ben.id}`);
  await showsErased(page, ben);
  await page.getByText(/by the member/).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Erased member user deleted' }).waitFor();
  await openConsole(page, url, `/members/${'f'.repeat(24)}`);
  await page.getByText('The id is wrong').waitFor();
  assert.equal(await page.getByText('The account was erased').count(), 0);
});
