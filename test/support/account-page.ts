// Steps on the sandbox's account page.
import type { Locator, Page } from 'playwright-core';
import { newEmail, PASSWORD } from './client.ts';

/** A section of the page by its heading. */
export const part = (page: Page, name: string): Locator => page.getByRole('region', { name });

/** The sign-in form, which is shown while nobody is signed in. */
export const entrance = (page: Page): Locator => page.locator('form#sign-in');

export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await entrance(page).getByLabel('E-mail').fill(email);
  await entrance(page).getByLabel('Password').fill(PASSWORD);
  await entrance(page).getByLabel('First name').fill('Ada');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('heading', { name: 'Ada Member' }).waitFor();
  return email;
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
}

export async function addPasskey(page: Page, name: string): Promise<void> {
  const passkeys = part(page, 'Passkeys');
  await passkeys.getByLabel('Name of a new passkey').fill(name);
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
}

export const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Confirm that it is you' });

export async function confirmByCode(page: Page, code: string): Promise<void> {
  await dialogOf(page).getByLabel('Code').fill(code);
  await dialogOf(page).getByRole('button', { name: 'Confirm' }).click();
}

export async function signIn(page: Page, email: string, { device = 'Phone', code = '' } = {}): Promise<void> {
  await entrance(page).getByLabel('E-mail').fill(email);
  await entrance(page).getByLabel('Password').fill(PASSWORD);
  await entrance(page).getByLabel('Name of this device').fill(device);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  if (code === '') return;
  await entrance(page).getByLabel('Code of your authenticator app').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Ada Member' }).waitFor();
}
