// What dialogs of the console say that an action does is what it does, and what they offer does something.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  assignPermissions,
  createApiKey,
  createChatroom,
  createCommunity,
  createIndicator,
  createWebhookEndpoint,
  enrollInCourse,
  getChatroom,
  listAudit,
  listIndicatorAccess,
  muteUser,
  recordPurchase,
  revokeIndicatorAccess,
  unmuteUser,
} from '../../sdk/src/index.ts';
import { announce } from '../support/announcements.ts';
import { PASSWORD } from '../support/client.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { ANSWERED, indicatorTools } from '../support/indicators.ts';
import { until } from '../support/live.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { url, admin, newMember, newMemberWith } = platform;
const { admit, grant, holders, newIndicator, untilStatus } = indicatorTools(platform);

const REASON = 'asked for by support';
const dialogOf = (page: Page) => page.getByRole('dialog');
const row = (page: Page, hasText: string) => page.getByRole('row').filter({ hasText });
const openedPage = async () => (await signedInPage(await opened(), url, ADMIN)).page;
const says = (page: Page, text: string | RegExp) => dialogOf(page).getByText(text).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const cancel = (page: Page) => dialogOf(page).getByRole('button', { name: 'Cancel' }).click();

/** Opens the menu of the page, or of a row, and chooses an action. */
async function choose(page: Page, action: string, of = page.locator('main')): Promise<void> {
  await of.getByRole('button', { name: 'More actions' }).click();
  await of.getByRole('button', { name: action, exact: true }).click();
}
async function confirm(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByLabel('Reason').fill(REASON);
  await dialogOf(page).getByRole('button', { name, exact: true }).click();
}

test('the dialogs of a member say what ends at once, what goes on, and which permissions do something', {
  skip,
}, async () => {
  const { id } = await newMemberWith(0);
  const purchase = { sku: 'XHSET101', product_name: 'The set', last_purchased_date: '2026-01-01' };
  await admin.call(recordPurchase, { params: { userId: id }, body: { ...purchase, reason: REASON } });
  const page = await openedPage();
  await openConsole(page, url, `/members/${id}?tab=purchases`);
  await row(page, 'The set').getByRole('button', { name: 'Remove' }).click();
  await says(page, /New sign-ins .* are refused\. Sessions that are open go on until they are ended/);
  await cancel(page);
  await choose(page, 'Lock wallet');
  await says(page, /except .* what was bought in a checkout begun before/);
  await cancel(page);
  await choose(page, 'Change permissions');
  const offered = await dialogOf(page)
    .getByRole('checkbox')
    .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
  assert.deepEqual(offered, ['admin', 'moderator', 'educator', 'read_users', 'write_users']);
});

test('taking a course back says that its students do not find it, archiving it that they keep it', {
  skip,
}, async () => {
  const { course } = await newCourse(platform, { course: { title: 'Reading candles' } });
  const params = { courseId: course.id };
  await (await newMember()).client.call(enrollInCourse, { params });
  const page = await openedPage();
  await openConsole(page, url, '/courses');
  await choose(page, 'Unpublish', row(page, 'Reading candles'));
  await says(page, '1 member');
  await says(page, /does not find it until it is published again/);
  await cancel(page);
  await choose(page, 'Archive', row(page, 'Reading candles'));
  await says(page, '1 member');
  await says(page, /Whoever is enrolled keeps it/);
});

test('revoking says that access from before the grant stays; once revoked, it can be taken over, and not revoked', {
  skip,
}, async () => {
  const [ada, scanner] = [await newMember(), await newIndicator({ name: 'Pulse' })];
  await admit(scanner.pineId, 'ada_there');
  await grant(scanner, ada, 'ada_there');
  await untilStatus(ada, scanner, 'active');
  const page = await openedPage();
  await openConsole(page, url, `/grants?scannerId=${scanner.id}`);
  await choose(page, 'Revoke', row(page, ada.email));
  await says(page, /the member keeps the indicator/);
  assert.equal(await dialogOf(page).getByText('loses the indicator at once').count(), 0);
  await confirm(page, 'Revoke access');
  await untilStatus(ada, scanner, 'revoked');
  assert.deepEqual(await holders(scanner.pineId), ['ada_there']);
  await openConsole(page, url, `/grants?scannerId=${scanner.id}`);
  await row(page, 'revoked').getByRole('button', { name: 'More actions' }).click();
  assert.equal(await page.getByRole('button', { name: 'Revoke', exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Take over' }).click();
  await says(page, /is removed there at once/);
  await confirm(page, 'Take over');
  await until(async () => (await holders(scanner.pineId)).length === 0, 'the removal');
});

test('revoking what the platform gave says that the member loses it at once', { skip }, async () => {
  const [ada, scanner] = [await newMember(), await newIndicator({ name: 'Range' })];
  const { data } = await grant(scanner, ada, 'ada_new');
  await untilStatus(ada, scanner, 'active');
  const page = await openedPage();
  await openConsole(page, url, `/grants?scannerId=${scanner.id}`);
  await choose(page, 'Revoke', row(page, ada.email));
  await says(page, /loses the indicator at once/);
  await cancel(page);
  await admin.call(revokeIndicatorAccess, { params: { id: scanner.id, accessId: data.id } });
  await untilStatus(ada, scanner, 'revoked');
  const [after] = (await admin.call(listIndicatorAccess, { params: { id: scanner.id } })).data;
  assert.equal(after?.entry, null);
});

test('a moderator is offered a mute or its end, whichever fits, and told whether somebody was muted', {
  skip,
}, async () => {
  const [ada, eve] = [await newMember(), await newMember()];
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions: ['moderator'] } });
  const { page } = await signedInPage(await opened(), url, { email: eve.email, password: PASSWORD });
  const [mute, unmute] = ['Mute everywhere', 'End mute'].map((name) => page.getByRole('button', { name }));
  const end = async (text: RegExp) => {
    await confirm(page, 'End mute');
    await page.getByText(text).waitFor();
    await mute?.waitFor();
    assert.equal(await unmute?.count(), 0);
  };
  await openConsole(page, url, `/members/${ada.id}`);
  await mute?.click();
  await says(page, 'They can still read, but cannot write anywhere. You can end it earlier.');
  await says(page, /The member is told it\./);
  await confirm(page, 'Mute');
  await unmute?.waitFor();
  assert.equal(await mute?.count(), 0);
  await page.getByText(/^ends in /).waitFor();
  await unmute?.click();
  await says(page, /The member is told it\./);
  await end(/ can write again\.$/);
  await admin.call(muteUser, { params: { userId: ada.id }, body: { minutes: 60, reason: REASON } });
  await openConsole(page, url, `/members/${ada.id}`);
  await unmute?.click();
  await admin.call(unmuteUser, { params: { userId: ada.id }, body: { reason: REASON } });
  await end(/ was not muted\.$/);
});

test('whom nobody may mute is not offered for it where that is known, and is named where it is not', {
  skip,
}, async () => {
  const [mod, reader] = [await newMember(), await newMember()];
  const allow = (userId: string, permissions: string[]) =>
    admin.call(assignPermissions, { params: { userId }, body: { permissions } });
  await allow(mod.id, ['moderator']);
  await allow(reader.id, ['moderator', 'read_users']);
  const pageOf = async ({ email }: { email: string }) =>
    (await signedInPage(await opened(), url, { email, password: PASSWORD })).page;
  const isOffered = (page: Page) => page.getByRole('button', { name: 'Mute everywhere' }).count();

  const page = await openedPage();
  await openConsole(page, url, `/members/${mod.id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Change permissions' }).waitFor();
  assert.equal(await isOffered(page), 0, 'to an administrator');

  const readers = await pageOf(reader);
  await openConsole(readers, url, `/members/${mod.id}`);
  await readers.getByText('Permissions').waitFor();
  assert.equal(await isOffered(readers), 0, 'to who sees the permissions');

  const mods = await pageOf(mod);
  await openConsole(mods, url, `/members/${mod.id}`);
  assert.equal(await isOffered(mods), 0, 'on their own page');
  await openConsole(mods, url, `/members/${reader.id}`);
  await press(mods, 'Mute everywhere');
  await confirm(mods, 'Mute');
  const alert = dialogOf(mods).getByRole('alert').filter({
    hasText:
      'Administrators and moderators cannot be muted. Ask an administrator to take their permission first.',
  });
  await alert.filter({ hasText: /Error\s*\w{8}…/ }).waitFor();
  await alert.locator('button.id').waitFor();
  assert.equal(await alert.getByRole('link').count(), 0, 'no link to what they may not see');
});

test('who mutes somebody whom a moderator has muted meanwhile is told until when they were', {
  skip,
}, async () => {
  const ada = await newMember();
  const page = await openedPage();
  await openConsole(page, url, `/members/${ada.id}`);
  await admin.call(muteUser, { params: { userId: ada.id }, body: { minutes: 10_000, reason: REASON } });
  await choose(page, 'Mute everywhere');
  await says(page, /^Muted until \d+ \w+ \d{4}.* already; this replaces it\.$/);
});

test('rules of several lines stay as they are when others are changed', { skip }, async () => {
  const educator = await newEducator(platform);
  const rules = ['Be kind.\nAlways.', 'No advice.', 'No links.\n\nNone at all.'];
  const body = { name: 'Of rules', type: 'public', rules } as const;
  const { id: chatroomId } = (await educator.client.call(createChatroom, { body })).data;
  const page = await openedPage();
  await openConsole(page, url, `/chatrooms/${chatroomId}`);
  await page.getByRole('button', { name: 'Change texts' }).click();
  const field = dialogOf(page).getByLabel('Rules');
  assert.equal(await field.inputValue(), 'Be kind. Always.\nNo advice.\nNo links. None at all.');
  await field.fill('No links. None at all.\nNo advice at all.\nBe kind. Always.');
  await confirm(page, 'Save');
  await page.getByText('Saved the texts of Of rules.').waitFor();
  const after = (await admin.call(getChatroom, { params: { chatroomId } })).data.rules;
  assert.deepEqual(after, [rules[2], 'No advice at all.', rules[0]]);
});

test('saving what nobody changed says that nothing was changed, and leaves no trace', { skip }, async () => {
  const { id: userId, client } = await newEducator(platform);
  const [chatroom, community, key, endpoint] = [
    (await client.call(createChatroom, { body: { name: 'Same', type: 'public', rules: ['One\ntwo'] } })).data,
    (await client.call(createCommunity, { body: { name: 'Same' } })).data,
    (await admin.call(createApiKey, { body: { name: 'Same', tier: 'crm', reason: 'A test' } })).data,
    (
      await admin.call(createWebhookEndpoint, {
        body: { url: 'https://example.com/hooks', types: ['user.created', 'wallet.*'], reason: 'A test' },
      })
    ).data,
  ];
  const { id: announcementId } = await announce({ client, id: userId });
  const page = await openedPage();
  const save = async (path: string, button: string, saved: string, open = () => press(page, button)) => {
    await openConsole(page, url, path);
    await open();
    await confirm(page, saved);
    await page.getByText('Nothing was changed.').waitFor();
  };
  await save(`/chatrooms/${chatroom.id}`, 'Change texts', 'Save');
  await save(`/communities/${community.id}`, 'Change texts', 'Save');
  await save('/keys', 'Rename', 'Rename', () =>
    row(page, 'Same').getByRole('button', { name: 'Rename' }).click(),
  );
  await save('/educators', 'Change', 'Save', () =>
    page
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="${userId}"]`) })
      .getByRole('button', { name: 'Change' })
      .click(),
  );
  await save(`/educators/${userId}`, 'Edit', 'Save');
  await save(`/webhooks/${endpoint.id}`, 'Change', 'Save', () => choose(page, 'Change'));
  for (const target of [announcementId, chatroom.id, community.id, key.id, userId, endpoint.id]) {
    const { data } = await admin.call(listAudit, { query: { target } });
    assert.deepEqual(
      data.filter(({ reason }) => reason === REASON),
      [],
    );
  }
});

test('deleting an indicator says what else forbids it, and a currency may be typed in small letters', {
  skip,
}, async () => {
  await admin.call(createIndicator, { body: { name: 'Nobody holds it' } });
  const page = await openedPage();
  await openConsole(page, url, '/indicators');
  await row(page, 'Nobody holds it').getByRole('button', { name: 'Delete' }).click();
  await says(page, '0 members');
  await says(page, /that no product grants can be deleted/);
  await cancel(page);
  await openConsole(page, url, '/rates');
  await press(page, 'Set rate');
  await dialogOf(page).getByLabel('One Key is worth').fill('0.5');
  await dialogOf(page).getByLabel('Currency').fill('sek');
  await confirm(page, 'Set rate');
  await page.getByText('One Key is 0.5 SEK from now on.').waitFor();
});
