// An administrator with an authenticator app in the console: signing in, and acts that ask for the factor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignPermissions, getBalance } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { browserOfFile, enter, openConsole, violationsOn, watchedPage } from '../support/console-pages.ts';
import { withApp } from '../support/factors.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url } = platform;

test('an administrator with an authenticator app signs in with a code, and confirms what moves money with another', {
  skip,
}, async () => {
  const operator = await platform.newMember();
  const params = { userId: operator.id };
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['admin'] } });
  const { app } = await withApp(platform, operator);
  const ada = await platform.newMemberWith(0);

  const { page, complaints } = await watchedPage(opened(), url, [1280, 800]);
  await page.goto(`${url}/console`);
  await enter(page, { email: operator.email, password: PASSWORD });
  const code = page.getByLabel('Code');
  await code.waitFor();
  await page.locator('[name=mfaCode]:focus').waitFor();
  assert.deepEqual(await violationsOn(page, 'all'), []);
  await code.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await code.fill(app.newCode());
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await openConsole(page, url, `/members/${ada.id}?act=fund`);
  const dialog = page.getByRole('dialog', { name: /^Fund/ });
  await dialog.getByLabel('Keys').fill('5');
  await dialog.getByLabel('Reason').fill('A gift for a test');
  await dialog.getByRole('button', { name: /^Fund/ }).click();
  await dialog.getByLabel('Code').fill(app.newCode());
  await dialog.getByRole('button', { name: /^Fund/ }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal((await ada.client.call(getBalance)).data.balance, 5);
  assert.deepEqual(complaints, []);
});
