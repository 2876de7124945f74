// Administrators with second factors in the console: signing in, and actions that ask for the factor.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addPasskey,
  assignPermissions,
  getBalance,
  getPasskeyOptions,
  type wire,
} from '../../sdk/src/index.ts';
import { MINUTE_MS } from '../../src/kernel/time/time.ts';
import { PASSWORD } from '../support/client.ts';
import { browserOfFile, enter, openConsole, violationsOn, watchedPage } from '../support/console-pages.ts';
import { exportAsAdmin } from '../support/exports.ts';
import { withApp } from '../support/factors.ts';
import { addVirtualAuthenticator } from '../support/independent-authenticators.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url } = platform;

test('an administrator with an authenticator app signs in with a code, and confirms moving money with another one', {
  skip,
}, async () => {
  const operator = await platform.newMember();
  const params = { userId: operator.id };
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['admin'] } });
  const { app } = await withApp(platform, operator);
  const ada = await platform.newMemberWith(0);

  const { page, complaints } = await watchedPage(await opened(), url, [1280, 800]);
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

  // The link to an export requires another confirmation once the earlier one has expired.
  await exportAsAdmin(platform, ada.id);
  platform.clock.advance(10 * MINUTE_MS + 1);
  await openConsole(page, url, `/members/${ada.id}?tab=export`);
  await page.getByRole('button', { name: 'Show the export' }).click();
  const confirming = page.getByRole('dialog', { name: /export/ });
  await confirming.getByRole('button', { name: 'Show the export' }).click();
  await confirming.getByLabel('Code').fill(app.newCode());
  await confirming.getByRole('button', { name: 'Show the export' }).click();
  const link = await page.getByRole('link', { name: 'Download the ZIP' }).getAttribute('href');
  assert.equal((await fetch(link as string)).status, 200);
  assert.deepEqual(complaints, []);
});

test('an administrator whose only factor is a passkey signs in and confirms moving money with it', {
  skip,
}, async () => {
  const operator = await platform.newMember();
  const params = { userId: operator.id };
  await platform.admin.call(assignPermissions, { params, body: { permissions: ['admin'] } });
  const ada = await platform.newMemberWith(0);
  // In development, passkeys are only valid for localhost.
  const here = url.replace('127.0.0.1', 'localhost');

  const { page, complaints } = await watchedPage(await opened(), here, [1280, 800]);
  await addVirtualAuthenticator(page);
  await page.goto(`${here}/console`);
  await page.getByLabel('E-mail').waitFor();
  const { data: options } = await operator.client.call(getPasskeyOptions);
  const response = await page.evaluate<wire.NewPasskeyResponse>(`(async () => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(options)});
    return (await navigator.credentials.create({ publicKey })).toJSON();
  })()`);
  await operator.client.call(addPasskey, { body: { name: 'A laptop', response } });

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await openConsole(page, here, `/members/${ada.id}?act=fund`);
  const dialog = page.getByRole('dialog', { name: /^Fund/ });
  await dialog.getByLabel('Keys').fill('5');
  await dialog.getByLabel('Reason').fill('A gift for a test');
  await dialog.getByRole('button', { name: /^Fund/ }).click();
  const confirm = dialog.getByRole('button', { name: 'Use a passkey' });
  await confirm.waitFor();
  assert.equal(await dialog.getByLabel('Code').count(), 0);
  assert.deepEqual(await violationsOn(page, 'all'), []);
  await confirm.click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal((await ada.client.call(getBalance)).data.balance, 5);
  assert.deepEqual(complaints, []);
});
