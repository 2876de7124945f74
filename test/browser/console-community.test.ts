// Operators and moderators look for a room, a community, a post or a trade idea, look at it, and act.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  addChatroomMember,
  assignPermissions,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  getChatroom,
  getCommunity,
  joinCommunity,
  listAudit,
  listChatRestrictions,
  listChatroomMembers,
  listComments,
  listCommunityBans,
  listPosts,
  listTrades,
  muteChatMember,
  updateChatroom,
  updateUser,
} from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { ADMIN } from '../support/console.ts';
import { browserOfFile, openConsole, signedInPage } from '../support/console-pages.ts';
import { newEducator } from '../support/courses.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const { skip, opened } = browserOfFile();
const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { url, admin } = platform;

/** Makes a member whose name tells them from others. */
async function named(firstName: string, member: Member): Promise<Member> {
  await admin.call(updateUser, { params: { userId: member.id }, body: { firstName, lastName: 'Quill' } });
  return member;
}
const [ada, ben] = [
  await named('Ada', await newEducator(platform)),
  await named('Ben', await platform.newMember()),
];

async function moderatorPage(): Promise<Page> {
  const { id: userId, email } = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId }, body: { permissions: ['moderator'] } });
  return (await signedInPage(await opened(), url, { email, password: PASSWORD })).page;
}
const adminPage = async () => (await signedInPage(await opened(), url, ADMIN)).page;

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Confirms the open dialog with a reason. */
async function confirm(page: Page, name: string, { typed = '' } = {}): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('promises of profit');
  if (typed) await dialog.getByLabel(/^Type/).fill(typed);
  await dialog.getByRole('button', { name, exact: true }).click();
}

/** Asserts what the audit log has of members of a room or a community, newest first, each with the reason that was given. */
async function assertRecorded(target: string, actions: string[]): Promise<void> {
  const { data } = await admin.call(listAudit, { query: { target } });
  const ofMembers = data.filter(({ action }) => action.includes('.member-'));
  assert.deepEqual(
    ofMembers.map(({ action, reason }) => [action, reason]),
    actions.map((action) => [action, 'promises of profit']),
  );
}

async function newRoom(name: string): Promise<string> {
  const { id } = (await ada.client.call(createChatroom, { body: { name, type: 'private' } })).data;
  await ada.client.call(addChatroomMember, { params: { chatroomId: id }, body: { userId: ben.id } });
  return id;
}

test('a moderator finds a private room by its name, changes its texts and ends a mute, and cannot delete it', {
  skip,
}, async () => {
  const chatroomId = await newRoom('Sure profits');
  const params = { chatroomId, userId: ben.id };
  await ada.client.call(muteChatMember, { params, body: { minutes: 60 } });
  await newRoom('Weather');
  const page = await moderatorPage();
  await openConsole(page, url, '/chatrooms');
  await row(page, 'Weather').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('profit');
  await row(page, 'Weather').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Sure profits' }).click();
  await page.getByRole('link', { name: 'Ada Quill' }).first().waitFor();
  await row(page, 'Ben Quill').waitFor();
  await page.getByText('owner', { exact: true }).waitFor();
  for (const name of ['Make owner', 'Remove', 'More actions'])
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);

  const dialog = page.getByRole('dialog');
  const changeTexts = async () => {
    await press(page, 'Change texts');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Profits and losses');
    await dialog.getByLabel('Rules').fill('Be kind.\n\nNo advice.');
  };
  await changeTexts();
  await ada.client.call(updateChatroom, { params: { chatroomId }, body: { description: 'Of the day' } });
  await confirm(page, 'Save');
  await dialog.getByText('It has been changed since you opened this form').waitFor();
  await dialog.getByRole('button', { name: 'Load anew' }).click();
  await dialog.getByText('Of the day').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Of the day').first().waitFor();
  await changeTexts();
  await confirm(page, 'Save');
  await page.getByRole('heading', { name: 'Profits and losses' }).waitFor();
  const { data: room } = await admin.call(getChatroom, { params: { chatroomId } });
  assert.deepEqual(
    [room.name, room.description, room.rules],
    ['Profits and losses', 'Of the day', ['Be kind.', 'No advice.']],
  );

  await page.getByRole('link', { name: 'Mutes and bans' }).click();
  await press(page, 'End mute');
  await confirm(page, 'End mute');
  await page.getByText('Nobody is muted in it or banned from it.').waitFor();
  assert.deepEqual((await admin.call(listChatRestrictions, { params: { chatroomId } })).data, []);
  await assertRecorded(chatroomId, ['chatroom.member-unmuted']);
});

test('a moderator mutes a member of a chatroom and bans them, and lifts both, each with a reason', {
  skip,
}, async () => {
  const chatroomId = await newRoom('Silver only');
  const page = await moderatorPage();
  await openConsole(page, url, `/chatrooms/${chatroomId}`);
  await press(page, 'Mute');
  await page.getByRole('dialog').getByLabel('For').selectOption('a week');
  await confirm(page, 'Mute member');
  await row(page, 'Ben Quill').getByRole('button', { name: 'End mute' }).waitFor();
  const list = async () => (await admin.call(listChatRestrictions, { params: { chatroomId } })).data;
  const [muted] = await list();
  const days = (Date.parse(muted?.mutedUntil ?? '') - platform.clock.now()) / 86_400_000;
  assert.ok(days > 6 && days <= 7, String(days));
  await press(page, 'End mute');
  await confirm(page, 'End mute');
  await press(page, 'Ban');
  await confirm(page, 'Ban member');
  await page.getByText('Ben Quill is banned from Silver only.').waitFor();
  assert.ok((await list())[0]?.bannedAt);
  await page.getByRole('link', { name: 'Mutes and bans' }).click();
  await press(page, 'Lift ban');
  await confirm(page, 'Lift ban');
  await page.getByText('Nobody is muted in it or banned from it.').waitFor();
  const acts = ['unbanned', 'banned', 'unmuted', 'muted'];
  await assertRecorded(
    chatroomId,
    acts.map((act) => `chatroom.member-${act}`),
  );
});

test('an administrator hands a room on, removes a member, and deletes it', { skip }, async () => {
  const chatroomId = await newRoom('Gold only');
  const page = await adminPage();
  await openConsole(page, url, `/chatrooms/${chatroomId}`);
  await press(page, 'Make owner');
  await confirm(page, 'Make owner');
  await page.getByText('Gold only belongs to Ben Quill.').waitFor();
  const room = (await admin.call(getChatroom, { params: { chatroomId } })).data;
  assert.equal(room.createdBy, ben.id);
  await row(page, 'Ada Quill').getByRole('button', { name: 'Remove' }).click();
  await confirm(page, 'Remove member');
  await row(page, 'Ada Quill').waitFor({ state: 'detached' });
  const members = (await admin.call(listChatroomMembers, { params: { chatroomId } })).data;
  assert.deepEqual(
    members.map(({ userId }) => userId),
    [ben.id],
  );
  await assertRecorded(chatroomId, ['chatroom.member-removed']);
  await page.getByRole('button', { name: 'More actions' }).click();
  await press(page, 'Delete');
  await confirm(page, 'Delete chatroom', { typed: 'Gold only' });
  await page.getByText('Deleted Gold only.').waitFor();
  assert.equal((await admin.attempt(getChatroom, { params: { chatroomId } })).status, 404);
});

test('a moderator changes a community, bans, lifts a ban, and deletes it', { skip }, async () => {
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Get rich' } })).data;
  await ben.client.call(joinCommunity, { params: { communityId } });
  const page = await moderatorPage();
  await openConsole(page, url, '/communities?search=rich');
  await page.getByRole('link', { name: 'Get rich' }).click();
  await press(page, 'Change texts');
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Metals');
  await confirm(page, 'Save');
  await page.getByRole('heading', { name: 'Metals' }).waitFor();

  await page.getByRole('link', { name: /^Members \d/ }).click();
  await row(page, 'Ben Quill').getByRole('button', { name: 'Ban' }).click();
  await confirm(page, 'Ban member');
  await row(page, 'Ben Quill').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Bans' }).click();
  await press(page, 'Lift ban');
  await confirm(page, 'Lift ban');
  await page.getByText('Nobody is banned from it.').waitFor();
  assert.deepEqual((await admin.call(listCommunityBans, { params: { communityId } })).data, []);
  await assertRecorded(communityId, ['community.member-unbanned', 'community.member-banned']);

  await page.getByRole('button', { name: 'More actions' }).click();
  await press(page, 'Delete');
  await confirm(page, 'Delete community', { typed: 'Metals' });
  await page.getByText('Deleted Metals.').waitFor();
  assert.equal((await admin.attempt(getCommunity, { params: { communityId } })).status, 404);
});

test('a moderator finds a post by its words, and deletes a comment on it and the post', {
  skip,
}, async () => {
  const { id: communityId } = (await ada.client.call(createCommunity, { body: { name: 'Silver' } })).data;
  const post = async (content: string) =>
    (await ada.client.call(createPost, { params: { communityId }, body: { content } })).data.id;
  const postId = await post('Unbelievable returns guaranteed');
  await post('Something else');
  await ben.client.call(joinCommunity, { params: { communityId } });
  await ben.client.call(createComment, { params: { postId }, body: { content: 'Where do I pay?' } });
  const page = await moderatorPage();
  await openConsole(page, url, '/posts');
  const community = row(page, 'Something else').getByRole('link', { name: 'Silver' });
  assert.match((await community.getAttribute('href')) ?? '', new RegExp(`/communities/${communityId}$`));
  await page.getByLabel('Words of a post').fill('unbelievable');
  await row(page, 'Something else').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Unbelievable/ }).click();
  await page.getByRole('link', { name: 'Silver' }).waitFor();
  await row(page, 'Where do I pay?').getByRole('button', { name: 'Delete' }).click();
  await confirm(page, 'Delete comment');
  await page.getByText('Nobody has commented on it.').waitFor();
  assert.deepEqual((await admin.call(listComments, { params: { postId } })).data, []);
  await page.locator('header').getByRole('button', { name: 'Delete' }).click();
  await confirm(page, 'Delete post');
  await page.getByText('Deleted the post of Ada Quill.').waitFor();
  const { data } = await admin.call(listPosts, { params: { communityId } });
  assert.deepEqual(
    data.map(({ content }) => content),
    ['Something else'],
  );
});

test('a moderator finds the trade ideas of a member by a symbol, and deletes one', { skip }, async () => {
  for (const symbol of ['GOLD', 'SILVER']) {
    const body = { symbol, direction: 'long', entryPrice: 2_400, note: 'All in' } as const;
    await ben.client.call(createTrade, { body });
  }
  const page = await moderatorPage();
  await openConsole(page, url, `/members/${ben.id}`);
  await page.getByRole('link', { name: 'trade ideas' }).click();
  await row(page, 'SILVER long').waitFor();
  await page.getByLabel('Symbol').fill('gold');
  await row(page, 'SILVER long').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'GOLD long' }).click();
  await page.getByText('All in').waitFor();
  await press(page, 'Delete');
  await confirm(page, 'Delete trade idea');
  await page.getByText('Deleted GOLD long of Ben Quill.').waitFor();
  const { data } = await admin.call(listTrades, { query: { userId: ben.id } });
  assert.deepEqual(
    data.map(({ symbol }) => symbol),
    ['SILVER'],
  );
});
