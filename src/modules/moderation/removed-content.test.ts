// What a removal leaves of content, such as a neutral title, is decided: it is no case again until it says something else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createChatroom,
  createCommunity,
  createLivestream,
  createPost,
  createTrade,
  listReports,
  report,
  resolveReport,
  updateChatroom,
  updateCommunity,
  updateProfile,
} from '../../../sdk/src/index.ts';
import { newEducator } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { alreadyRemoved } from './contract.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin } = platform;
const [ada, ben, eve] = [await newEducator(platform), await platform.newMember(), await platform.newMember()];

type Kind = 'chatroom' | 'community' | 'livestream' | 'post' | 'profile' | 'trade';

const tell = (who: typeof ben, kind: Kind, subjectId: string) =>
  who.client.attempt(report, { body: { kind, subjectId, reason: 'Fraud' } });
const openOf = async (kind: Kind) =>
  (await admin.call(listReports, { query: { kind, status: 'open' } })).data.map(({ id }) => id);
async function remove(kind: Kind): Promise<void> {
  const [reportId = assert.fail('no open report')] = await openOf(kind);
  await admin.call(resolveReport, { params: { reportId }, body: { outcome: 'removed' } });
}

const hour = (from: number) => new Date(platform.clock.now() + from * HOUR_MS).toISOString();
const make: Record<Kind, () => Promise<string>> = {
  chatroom: async () =>
    (await ada.client.call(createChatroom, { body: { name: 'Sure profits', type: 'public' } })).data.id,
  community: async () => (await ada.client.call(createCommunity, { body: { name: 'Sure profits' } })).data.id,
  livestream: async () => {
    const body = { title: 'Sure profits', scheduledStart: hour(1), scheduledEnd: hour(2) };
    return (await ada.client.call(createLivestream, { body })).data.id;
  },
  post: async () => {
    const communityId = (await ada.client.call(createCommunity, { body: { name: 'Gold' } })).data.id;
    const body = { content: 'Sure profits' };
    return (await ada.client.call(createPost, { params: { communityId }, body })).data.id;
  },
  profile: async () => {
    await ada.client.call(updateProfile, { body: { bio: 'Sure profits' } });
    return ada.id;
  },
  trade: async () => {
    const body = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400, note: 'Sure profits' } as const;
    return (await ada.client.call(createTrade, { body })).data.id;
  },
};

for (const kind of Object.keys(make) as Kind[])
  test(`a removed ${kind} is not reported again, neither by the same member nor by another one`, async () => {
    const id = await make[kind]();
    assert.equal((await tell(ben, kind, id)).status, 201);
    await remove(kind);
    for (const who of [ben, eve]) assert.ok([404, 409].includes((await tell(who, kind, id)).status));
    assert.deepEqual(await openOf(kind), []);
  });

test('what its owner makes of it afterwards is reported again, and again not once that is removed', async () => {
  const [chatroomId, communityId] = [await make.chatroom(), await make.community()];
  const rename = {
    chatroom: (name: string) => ada.client.call(updateChatroom, { params: { chatroomId }, body: { name } }),
    community: (name: string) =>
      ada.client.call(updateCommunity, { params: { communityId }, body: { name } }),
  };
  for (const [kind, id] of [
    ['chatroom', chatroomId],
    ['community', communityId],
  ] as const) {
    assert.equal((await tell(ben, kind, id)).status, 201);
    await remove(kind);
    assertRefused(await tell(eve, kind, id), alreadyRemoved);
    await rename[kind]('Surer profits');
    assert.equal((await tell(eve, kind, id)).status, 201);
    await remove(kind);
    assertRefused(await tell(ben, kind, id), alreadyRemoved);
  }
});

test('the name that the removal of a profile leaves is not reported again, and a new one is', async () => {
  await ada.client.call(updateProfile, { body: { bio: 'Sure profits' } });
  assert.equal((await tell(eve, 'profile', ada.id)).status, 201);
  await remove('profile');
  assertRefused(await tell(ben, 'profile', ada.id), alreadyRemoved);
  await ada.client.call(updateProfile, { body: { firstName: 'Sure', lastName: 'Profits' } });
  assert.equal((await tell(ben, 'profile', ada.id)).status, 201);
  await remove('profile');
  assertRefused(await tell(eve, 'profile', ada.id), alreadyRemoved);
});
