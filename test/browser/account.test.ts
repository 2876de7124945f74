// The sandbox's account page, with an authenticator app and passkeys that share no code with the platform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addPasskey,
  confirmByCode,
  dialogOf,
  entrance,
  part,
  signIn,
  signOut,
  signUp,
} from '../support/account-page.ts';
import { downloaded } from '../support/archives.ts';
import { closePage, newPage } from '../support/browser.ts';
import { PASSWORD } from '../support/client.ts';
import { browserOfFile, violationsOn } from '../support/console-pages.ts';
import { paleTexts } from '../support/contrast.ts';
import {
  addVirtualAuthenticator,
  oathtoolCode,
  oathtoolPath,
} from '../support/independent-authenticators.ts';
import { startPlatform } from '../support/platform.ts';
import { scanned } from '../support/qr-code.ts';

const { skip: withoutChromium, opened } = browserOfFile();
const skip = withoutChromium || (!oathtoolPath && 'oathtool is missing');
const platform = await startPlatform({ VERIFIED_EMAIL: 'money' });
const { url, sandboxUrl, clock } = platform;
const { key } = await platform.newKey('mobile');

/** Opens the page on a device of its own; `faults` collects the errors of its scripts. */
async function accountPage(options = {}, size: [number, number] = [1280, 900]) {
  const page = await newPage(await opened(), size, options);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await addVirtualAuthenticator(page);
  await page.goto(`${sandboxUrl}/account?key=${key}&api=${encodeURIComponent(url)}`);
  return { page, faults };
}

/** Returns a code that was not used yet. */
function newCode(secret: string): string {
  clock.advance(30_000);
  return oathtoolCode(secret, clock.now());
}

/** Adds an authenticator app, and returns its secret and the recovery codes. */
async function addApp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  const app = part(page, 'Authenticator app');
  await app.getByRole('button', { name: 'Add an authenticator app' }).click();
  await app.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = await app.getByRole('code').innerText();
  await app.getByLabel('Code that the app shows').fill(oathtoolCode(secret, clock.now()));
  await app.getByRole('button', { name: 'Confirm the app' }).click();
  await app.getByText('The app is set up.').waitFor();
  const codes = app.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  return { secret, recoveryCodes: await codes.allInnerTexts() };
}

test('a member signs up, verifies the address, adds an app and a passkey, confirms, ends a session and exports data', {
  skip,
}, async () => {
  const { page, faults } = await accountPage();
  const email = await signUp(page);

  const address = part(page, 'E-mail address');
  const { text } = await platform.mailTo(email, 'email.verification');
  await address.getByLabel('Code').fill(/\b\d{6}\b/.exec(text)?.[0] ?? '');
  await address.getByRole('button', { name: 'Verify' }).click();
  await address.getByText(`${email} is verified.`).waitFor();

  const app = part(page, 'Authenticator app');
  await app.getByRole('button', { name: 'Add an authenticator app' }).click();
  await app.getByRole('img', { name: 'QR code' }).waitFor();
  const read = new URL(await scanned(page));
  assert.equal(decodeURIComponent(read.href).split('?', 1)[0], `otpauth://totp/Platform:${email}`);
  const secret = read.searchParams.get('secret') as string;
  await app.getByLabel('Code that the app shows').fill(oathtoolCode(secret, clock.now()));
  await app.getByRole('button', { name: 'Confirm the app' }).click();
  await app.getByText('The app is set up.').waitFor();

  // Adding another factor requires a confirmation by the first.
  await addPasskey(page, 'Laptop');
  await confirmByCode(page, newCode(secret));
  await part(page, 'Passkeys').getByText('Laptop was added.').waitFor();

  // Another device has to present both the password and a code of the app.
  const elsewhere = await accountPage();
  await signIn(elsewhere.page, email, { code: newCode(secret) });

  clock.advance(10 * 60_000); // the confirmation has expired
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const confirmation = part(page, 'Confirmation');
  await confirmation.getByText('This session is not confirmed.').waitFor();
  await confirmation.getByRole('button', { name: 'Confirm now' }).click();
  await dialogOf(page).getByRole('button', { name: 'Use a passkey' }).click();
  await confirmation.getByText('This session is confirmed until').waitFor();

  const sessions = part(page, 'Sessions');
  await sessions.getByText('by passkey').waitFor();
  assert.equal(await sessions.getByRole('listitem').count(), 2);
  await sessions.getByRole('button', { name: 'End Phone on web' }).click();
  await sessions.getByText('The session has ended.').waitFor();
  assert.equal(await sessions.getByRole('listitem').count(), 1);
  await part(elsewhere.page, 'Confirmation').getByRole('button', { name: 'Confirm now' }).click();
  await elsewhere.page.getByText('Your session has ended.').waitFor();

  const data = part(page, 'Your data');
  await data.getByRole('button', { name: 'Export your data' }).click();
  const link = data.getByRole('link', { name: 'Download the ZIP' });
  await link.waitFor();
  const files = await downloaded(await link.getAttribute('href'));
  assert.match(files.get('profile.jsonl') ?? '', new RegExp(email));
  assert.match(files.get('passkeys.jsonl') ?? '', /Laptop/);
  // Without a confirmation the link is not shown again.
  clock.advance(10 * 60_000);
  await data.getByRole('button', { name: 'Show your newest export' }).click();
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await data.getByText('you did not confirm').waitFor();
  assert.deepEqual([...faults, ...elsewhere.faults], []);
});

test('a member verifies the address by the code of the mail', {
  skip,
}, async () => {
  const { page, faults } = await accountPage();
  const email = await signUp(page);
  const address = part(page, 'E-mail address');
  await address.getByText(`${email} is not verified yet.`).waitFor();
  await address.getByLabel('Code').fill('000000');
  await address.getByRole('button', { name: 'Verify' }).click();
  await address.getByRole('alert').filter({ hasText: /./ }).waitFor();
  const { text } = await platform.mailTo(email, 'email.verification');
  await address.getByLabel('Code').fill(/\b\d{6}\b/.exec(text)?.[0] ?? '');
  await address.getByRole('button', { name: 'Verify' }).click();
  await address.getByText(`${email} is verified.`).waitFor();
  assert.equal(await address.getByLabel('Code').isVisible(), false);
  assert.deepEqual(faults, []);
});

test('with an authenticator app a member adds, renames and uses a passkey, and ends a session elsewhere', {
  skip,
}, async () => {
  const { page, faults } = await accountPage();
  const email = await signUp(page);
  const { secret, recoveryCodes } = await addApp(page);
  assert.equal(new Set(recoveryCodes).size, 10);
  await page.getByText('You have 10 recovery codes left.').waitFor();

  // Adding another factor requires a confirmation. Neither giving up nor a wrong code changes anything.
  const passkeys = part(page, 'Passkeys');
  await addPasskey(page, 'Laptop');
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await passkeys.getByText('you did not confirm').waitFor();
  await addPasskey(page, 'Laptop');
  await confirmByCode(page, '000000');
  await dialogOf(page).getByRole('alert').filter({ hasText: /./ }).waitFor();
  await confirmByCode(page, newCode(secret));
  await passkeys.getByText('Laptop was added.').waitFor();
  await part(page, 'Confirmation').getByText('This session is confirmed until').waitFor();
  await passkeys.getByRole('listitem').getByRole('textbox', { name: 'Name' }).fill('Work laptop');
  await page.getByRole('button', { name: 'Rename Laptop' }).click();
  await passkeys.getByText('Renamed to Work laptop.').waitFor();

  await signOut(page);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Ada Member' }).waitFor();
  await part(page, 'Confirmation').getByText('This session is not confirmed.').waitFor();
  await part(page, 'Sessions').getByText('by passkey').waitFor();

  const elsewhere = await accountPage();
  await signIn(elsewhere.page, email, { code: newCode(secret) });
  await page.reload();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('button', { name: 'End Phone on web' }).click();
  await part(page, 'Sessions').getByText('The session has ended.').waitFor();
  await part(elsewhere.page, 'E-mail address').getByRole('button', { name: 'Send a new mail' }).click();
  await elsewhere.page.getByText('Your session has ended.').waitFor();
  assert.deepEqual([...faults, ...elsewhere.faults], []);
});

test('a member changes the password after a confirmation by passkey, and removes factors by a recovery code', {
  skip,
}, async () => {
  const { page, faults } = await accountPage();
  const email = await signUp(page);
  await addPasskey(page, 'Laptop');
  await page.getByText('Laptop was added.').waitFor();

  const password = part(page, 'Password');
  await password.getByLabel('Present password').fill(PASSWORD);
  await password.getByLabel('New password').fill('another password for tests');
  await password.getByRole('button', { name: 'Change the password' }).click();
  // A member whose only factor is a passkey is asked for neither password nor code.
  await dialogOf(page).getByRole('button', { name: 'Use a passkey' }).waitFor();
  assert.equal(await dialogOf(page).getByRole('textbox').count(), 0);
  await dialogOf(page).getByRole('button', { name: 'Use a passkey' }).click();
  await password.getByText('The password was changed').waitFor();

  const { recoveryCodes } = await addApp(page);
  clock.advance(10 * 60_000); // the confirmation has expired
  await page.getByRole('button', { name: 'Remove Laptop' }).click();
  await confirmByCode(page, recoveryCodes[0] as string);
  await page.getByText('Laptop was removed.').waitFor();
  await page.getByText('You have 9 recovery codes left.').waitFor();
  // Removing a factor ends the confirmation.
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await confirmByCode(page, recoveryCodes[1] as string);
  await page.getByText('Your earlier recovery codes are void.').waitFor();
  await page.getByRole('button', { name: 'Remove the app' }).click();
  await page.getByText('The app was removed.').waitFor();

  // Without factors, the password is enough for a confirmation.
  await signOut(page);
  await entrance(page).getByLabel('E-mail').fill(email);
  await entrance(page).getByLabel('Password').fill('another password for tests');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Confirm now' }).click();
  await dialogOf(page).getByLabel('Your password').fill('another password for tests');
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click();
  await part(page, 'Confirmation').getByText('This session is confirmed until').waitFor();
  assert.deepEqual(faults, []);
});

test('every state of the page is accessible and fits a phone and a desk, in light and dark', {
  skip,
}, async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      const { page } = await accountPage({ colorScheme }, [width, 900]);
      const check = async (state: string) => {
        const label = `${state} ${colorScheme} ${width}`;
        assert.deepEqual(await violationsOn(page, 'all'), [], label);
        assert.deepEqual(await paleTexts(page), [], label);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((overflow as number) <= 0, label);
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: `${process.env.SCREENSHOTS}/${label}.png`, fullPage: true });
      };
      await check('signed out');
      const email = await signUp(page);
      await addPasskey(page, 'A laptop');
      await page.getByText('A laptop was added.').waitFor();
      await page.getByRole('button', { name: 'Add an authenticator app' }).click();
      await dialogOf(page).waitFor();
      await check('confirming');
      await dialogOf(page).getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
      await check('enrolment');
      const secret = await page.getByRole('code').innerText();
      await page.getByLabel('Code that the app shows').fill(oathtoolCode(secret, clock.now()));
      await page.getByRole('button', { name: 'Confirm the app' }).click();
      await page.getByText('The app is set up.').waitFor();
      await check('set up');
      const lines = await page.evaluate(
        `[...document.querySelectorAll('#recovery-codes li')].map((item) => {
          const text = document.createRange();
          text.selectNodeContents(item);
          return text.getClientRects().length;
        })`,
      );
      assert.deepEqual(lines, new Array(10).fill(1), `a recovery code has one line at ${width}`);
      await signOut(page);
      await signIn(page, email);
      await entrance(page).getByLabel('Code of your authenticator app').waitFor();
      await check('code');
      await closePage(page);
    }
});
