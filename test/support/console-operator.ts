import type { Locator, Page } from 'playwright-core';
import { settled } from './console-pages.ts';
import { until } from './live.ts';
import { ADMIN } from './platform.ts';

/** A step of an operator after the search. Filling a field takes a click, too, unless it already has the focus. */
export type Step =
  | { press: string; row?: string }
  | { open: string | RegExp }
  /** Clicks the link with this address, if several have the same text. */
  | { follow: string }
  | { tick: string | RegExp }
  | { fill: string; with: string }
  | { choose: string; option: string }
  /** Enters a reason in the open dialog, and presses its confirming button. */
  | { confirm: string };

const REASON = 'a workflow of the tests';

/** Finds a record by the search and carries out steps; returns the number of clicks. */
export async function operate(
  page: Page,
  { find, steps = [] }: { find: [text: string, hit: string | RegExp]; steps?: Step[] | undefined },
): Promise<number> {
  const [text, hit] = find;
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Search/ }).fill(text);
  await page.getByRole('option').filter({ hasText: hit }).first().click();
  return 1 + (await perform(page, steps));
}

/** Carries out steps on the open page; returns the number of clicks. */
export async function perform(page: Page, steps: Step[]): Promise<number> {
  let clicks = 0;
  for (const step of steps) {
    await settled(page);
    clicks += await take(page, step);
  }
  await settled(page);
  return clicks;
}

async function take(page: Page, step: Step): Promise<number> {
  if ('fill' in step) {
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel(step.fill).first();
    await field.waitFor();
    const reason = dialog.getByLabel('Reason');
    if (await hasFocus(reason)) await reason.fill(REASON);
    return type(field, step.with);
  }
  if ('choose' in step) {
    await page.getByRole('dialog').getByLabel(step.choose).first().selectOption(step.option);
    return 0;
  }
  if ('confirm' in step) return confirm(page, step.confirm);
  if ('tick' in step) await page.getByLabel(step.tick).first().check();
  else if ('follow' in step) await page.locator(`main a[href$="${step.follow}"]`).first().click();
  else if ('open' in step) await page.locator('main').getByRole('link', { name: step.open }).first().click();
  else {
    const within = step.row ? page.getByRole('row').filter({ hasText: step.row }) : page.locator('main');
    await within.getByRole('button', { name: step.press, exact: true }).first().click();
  }
  return 1;
}

const hasFocus = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element.matches(':focus')) as Promise<boolean>;

/** Types into a field, which is clicked unless it has the focus; returns the number of clicks. */
async function type(field: Locator, text: string): Promise<number> {
  const isThere = await hasFocus(field);
  if (!isThere) await field.click();
  await field.fill(text);
  return isThere ? 0 : 1;
}

async function confirm(page: Page, name: string): Promise<number> {
  const dialog = page.getByRole('dialog');
  const reason = dialog.getByLabel('Reason');
  const clicks = 1 + ((await reason.inputValue()) === '' ? await type(reason, REASON) : 0);
  const button = dialog.getByRole('button', { name, exact: true });
  const password = dialog.getByLabel('Your password');
  await button.click();
  const isAsked = async () => (await password.count()) > 0;
  await until(async () => (await dialog.count()) === 0 || (await isAsked()), `${name} is done`);
  if (!(await isAsked())) return clicks;
  // The console asks for the password again if the machine was so busy that the earlier proof has expired.
  await password.fill(ADMIN.password);
  await button.click();
  await dialog.waitFor({ state: 'detached' });
  return clicks;
}
