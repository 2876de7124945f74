// Actions of the console whose response is lost, and that are tried again in the same dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { changeWallet, createApiKey, listApiKeys, listNotifications } from '../../sdk/src/index.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { indicatorTools } from '../support/indicators.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin, newMember, newMemberWith } = platform;
const { newIndicator } = indicatorTools(platform);

interface Attempt {
  path: string;
  /** The buttons that lead to the dialog; the first is in the row with the text `of`, if any. */
  press: string[];
  of?: string;
  fill: Record<string, string>;
  confirm: string;
}

const REASON = 'asked for by support';

async function openFilled(page: Page, { path, press, of, fill, confirm }: Attempt) {
  await openConsole(page, url, path);
  let within: Locator = of ? page.getByRole('row').filter({ hasText: of }) : page.locator('main');
  for (const name of press) {
    await within.getByRole('button', { name, exact: true }).first().click();
    within = page.locator('main');
  }
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  for (const [label, text] of Object.entries({ ...fill, Reason: REASON }))
    await dialog.getByLabel(label).first().fill(text);
  const act = dialog.getByRole('button', { name: confirm, exact: true }).and(dialog.locator(':enabled'));
  return { dialog, act };
}

/** Lets no response to a write arrive, although the platform does it if `isDone`; returns the keys of the writes. */
async function loseResponses(page: Page, isDone: boolean): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  await page.route(/console\/api\//, async (route) => {
    const request = route.request();
    if (request.method() === 'GET') return route.continue();
    keys.push(request.headers()['idempotency-key']);
    if (isDone) await route.fetch();
    await route.abort();
  });
  return keys;
}

/** Confirms a dialog whose response is lost, although the platform does it if `isDone`; later responses arrive. */
async function attemptInVain(
  page: Page,
  { dialog, act }: Awaited<ReturnType<typeof openFilled>>,
  isDone: boolean,
): Promise<void> {
  await loseResponses(page, isDone);
  await act.click();
  await dialog.getByText('It is not certain whether this was done').waitFor();
  await page.unroute(/console\/api\//);
}

test('whatever is tried again in its dialog is sent with the same key', { skip }, async () => {
  const { id, email } = await newMemberWith(0);
  const { name } = await newIndicator({ name: 'Momentum' });
  const body = { name: 'Rolled', tier: 'crm', reason: REASON } as const;
  await admin.call(createApiKey, { body });
  const member = `/members/${id}`;
  const notice = { Title: 'Gold moves', Text: 'Now.' };
  const attempts: Attempt[] = [
    { path: '/keys', press: ['Issue key'], fill: { Name: 'Shop' }, confirm: 'Issue key' },
    { path: '/keys', press: ['Roll'], of: 'Rolled', fill: {}, confirm: 'Roll key' },
    {
      path: '/sending',
      press: ['Notify many'],
      fill: { Ids: id, ...notice },
      confirm: 'Send to all of them',
    },
    { path: '/sending', press: ['Notify a member'], fill: { ...notice, Member: email }, confirm: 'Send' },
    {
      path: member,
      press: ['More actions', 'Record a purchase'],
      fill: { SKU: 'academy', Product: 'Academy' },
      confirm: 'Record',
    },
    {
      path: '/members',
      press: ['Add member'],
      fill: { 'E-mail': 'new@example.com', 'First name': 'Ada', 'Last name': 'Eze' },
      confirm: 'Add member',
    },
    { path: '/indicators', press: ['Add indicator'], fill: { Name: 'Trend' }, confirm: 'Add indicator' },
    {
      path: '/indicators',
      press: ['Grant'],
      of: name,
      fill: { 'E-mail': email, 'Charting name': 'ada' },
      confirm: 'Grant access',
    },
    { path: '/products', press: ['Add product'], fill: { Name: 'A book' }, confirm: 'Add product' },
    { path: member, press: ['Fund'], fill: { Keys: '5' }, confirm: 'Fund' },
    { path: '/rates', press: ['Set rate'], fill: { 'One Key is worth': '1' }, confirm: 'Set rate' },
    { path: `${member}?tab=export`, press: ['Begin export'], fill: {}, confirm: 'Begin export' },
  ];
  const { page, complaints } = await signedInPage(await opened(), url, ADMIN);
  const keys = await loseResponses(page, false);
  for (const attempt of attempts) {
    const { dialog, act } = await openFilled(page, attempt);
    keys.length = 0;
    for (const _ of [1, 2]) {
      const sent = keys.length;
      await act.click();
      await until(() => keys.length === sent + 3, `${attempt.confirm} is given up`);
      await act.waitFor();
      await dialog.getByText('Try again with the same entries: it is done once at most.').waitFor();
    }
    assert.equal(new Set(keys).size, 1, attempt.confirm);
    assert.ok(keys[0], attempt.confirm);
  }
  assert.deepEqual(complaints, []);
});

test('many are notified once, however often it is tried', { skip }, async () => {
  const ada = await newMember();
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const { dialog, act } = await openFilled(page, {
    path: '/sending',
    press: ['Notify many'],
    fill: { Ids: ada.id, Title: 'Gold moves', Text: 'Now.' },
    confirm: 'Send to all of them',
  });
  await attemptInVain(page, { dialog, act }, true);
  await act.click();
  await page.getByText('Notifying 1 member.').waitFor();
  await page.getByText('1 of 1').waitFor();
  const { data } = await ada.client.call(listNotifications);
  assert.equal(data.filter(({ title }) => title === 'Gold moves').length, 1);
});

test('a key whose replacement was lost is not lost: the second attempt shows it', { skip }, async () => {
  await admin.call(createApiKey, { body: { name: 'Billing', tier: 'crm', reason: REASON } });
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const { dialog, act } = await openFilled(page, {
    path: '/keys',
    press: ['Roll'],
    of: 'Billing',
    fill: { 'The old key': '0' },
    confirm: 'Roll key',
  });
  await attemptInVain(page, { dialog, act }, true);
  await act.click();
  await page.getByText(/^The new key of Billing is \w+/).waitFor();
  const { data } = await admin.call(listApiKeys);
  assert.equal(data.filter(({ name }) => name.startsWith('Billing')).length, 2);
});

test('a refusal after an attempt with an unknown outcome does not say that nothing was changed', {
  skip,
}, async () => {
  const { id } = await newMemberWith(0);
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const { dialog, act } = await openFilled(page, {
    path: `/members/${id}`,
    press: ['Fund'],
    fill: { Keys: '5' },
    confirm: 'Fund',
  });
  await attemptInVain(page, { dialog, act }, false);
  const body = { locked: true, lockedReason: REASON, reason: REASON };
  await admin.call(changeWallet, { params: { userId: id }, body });
  await act.click();
  await dialog.getByText('An earlier attempt may have been done').waitFor();
  await dialog.getByText('Cancel and look before you do it again.').waitFor();
  assert.equal(await dialog.getByText('Nothing was changed').count(), 0);
});
