// The audit log says to whom something was done, and leads there.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addChatroomMember,
  createChatroom,
  createLivestream,
  muteChatMember,
  updateUser,
} from '../../sdk/src/index.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newEducator } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin } = platform;

test('the audit log of a chatroom, to which its page leads, names who was muted there and until when', {
  skip,
}, async () => {
  const [ada, ben] = [await newEducator(platform), await platform.newMember()];
  const body = { name: 'Gold only', type: 'private' } as const;
  const { id: chatroomId } = (await ada.client.call(createChatroom, { body })).data;
  await ada.client.call(addChatroomMember, { params: { chatroomId }, body: { userId: ben.id } });
  const params = { chatroomId, userId: ben.id };
  await admin.call(muteChatMember, { params, body: { minutes: 60, reason: 'Insults' } });
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, `/chatrooms/${chatroomId}`);
  await page.locator('.card').getByRole('link', { name: 'Audit log' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Insults' });
  await row.getByText(/^mutedUntil: none → \d+ \w+ \d{4}/).waitFor();
  const hrefOf = (name: string) => row.getByRole('link', { name }).getAttribute('href');
  assert.match((await hrefOf('chatroom')) ?? '', new RegExp(`/chatrooms/${chatroomId}$`));
  assert.match((await hrefOf(ada.id)) ?? '', new RegExp(`/members/${ada.id}$`));
  await row.getByRole('link', { name: ben.id }).click();
  await page.waitForURL(new RegExp(`/members/${ben.id}$`));
});

test('the audit log, a member and the errors name people, with their addresses', { skip }, async () => {
  const ada = await platform.newMember();
  await admin.call(updateUser, { params: { userId: ada.id }, body: { lastName: 'Quill', reason: 'A test' } });
  await ada.client.attempt(updateUser, { params: { userId: ada.id }, body: { lastName: 'King' } });
  const { page } = await signedInPage(await opened(), url, ADMIN);
  const names = async (path: string, name: string, email?: string) => {
    await openConsole(page, url, path);
    const link = page.getByRole('link', { name, exact: true });
    await page.locator('main').locator(link).first().waitFor();
    if (email) await page.locator('.person', { has: link }).getByText(email).first().waitFor();
  };
  await names('', 'First Administrator');
  await names(`/audit?target=${ada.id}`, 'First Administrator', ADMIN.email);
  await names(`/members/${ada.id}?tab=audit`, 'First Administrator', ADMIN.email);
  await names(`/members/${ada.id}`, 'First Administrator');
  await names(`/errors?userId=${ada.id}`, 'Test Quill', ada.email);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
  await page.locator('.person').getByRole('link', { name: 'Test Quill' }).waitFor();
});

test('the list of livestreams names their hosts', { skip }, async () => {
  const host = await newEducator(platform);
  const names = { firstName: 'Hedwig', lastName: 'Quill' };
  await admin.call(updateUser, { params: { userId: host.id }, body: names });
  const hour = (from: number) => new Date(platform.clock.now() + from * 3_600_000).toISOString();
  const body = { title: 'Gold at noon', scheduledStart: hour(1), scheduledEnd: hour(2) };
  await host.client.call(createLivestream, { body });
  const { page } = await signedInPage(await opened(), url, ADMIN);
  await openConsole(page, url, '/livestreams');
  const row = page.getByRole('row').filter({ hasText: 'Gold at noon' });
  await row.getByRole('link', { name: 'Hedwig Quill' }).click();
  await page.waitForURL(new RegExp(`/members/${host.id}$`));
});
