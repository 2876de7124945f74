import {
  banChatMember,
  banCommunityMember,
  blockMember,
  createChatroom,
  createComment,
  createCommunity,
  createPost,
  createTrade,
  joinChatroom,
  joinCommunity,
  report,
  reportChatMessage,
  sendChatMessage,
  sendNotification,
  trackEvent,
} from '../../../sdk/src/index.ts';
import type { Member, TestPlatform } from '../platform.ts';
import type { CursorLists, People } from './cursor-list.ts';

/** Lists of what members say to one another. */
export async function listsOfTalk(
  platform: TestPlatform,
  { ada, ben, fan, queue }: People,
): Promise<CursorLists> {
  const { admin } = platform;
  const { client } = ada;
  const community = (await client.call(createCommunity, { body: { name: 'Metals' } })).data;
  const post = (
    await client.call(createPost, { params: { communityId: community.id }, body: { content: 'Gold' } })
  ).data;
  const room = (await client.call(createChatroom, { body: { name: 'Tape', type: 'public' } })).data;
  const other = (await client.call(createChatroom, { body: { name: 'Talk', type: 'public' } })).data;
  const talk = (await client.call(createCommunity, { body: { name: 'Talk' } })).data;
  /** Has a new message reported. */
  async function reportMessage(): Promise<unknown> {
    const params = { chatroomId: other.id };
    const { id } = (await client.call(sendChatMessage, { params, body: { message: 'Hello' } })).data;
    return ben.client.call(reportChatMessage, {
      params: { ...params, messageId: id },
      body: { reason: 'Spam' },
    });
  }
  /** Has a new post reported by a member, who may do so 60 times an hour. */
  async function reportPost({ client: reporter }: Pick<Member, 'client'>): Promise<unknown> {
    const { id } = (
      await client.call(createPost, { params: { communityId: talk.id }, body: { content: 'Buy now' } })
    ).data;
    return reporter.call(report, { body: { kind: 'post', subjectId: id, reason: 'Spam' } });
  }

  const nextBlocked = queue();
  return {
    listAllPosts: {
      reader: admin,
      path: '/v1/posts',
      add: () =>
        client.call(createPost, { params: { communityId: community.id }, body: { content: 'More' } }),
    },
    listPosts: {
      reader: ben.client,
      path: `/v1/communities/${community.id}/posts`,
      add: () =>
        client.call(createPost, { params: { communityId: community.id }, body: { content: 'More gold' } }),
    },
    listComments: {
      reader: ben.client,
      path: `/v1/posts/${post.id}/comments`,
      add: () => client.call(createComment, { params: { postId: post.id }, body: { content: 'At last' } }),
    },
    listTrades: {
      reader: ben.client,
      path: '/v1/trades?symbol=GOLD&status=open',
      add: () => client.call(createTrade, { body: { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } }),
    },
    listChatrooms: {
      reader: client,
      path: '/v1/chatrooms?type=group',
      add: () => client.call(createChatroom, { body: { name: 'Desk', type: 'group' } }),
    },
    listChatroomMembers: {
      reader: ben.client,
      path: `/v1/chatrooms/${other.id}/members`,
      add: async () =>
        (await platform.newMember()).client.call(joinChatroom, { params: { chatroomId: other.id } }),
    },
    listChatRestrictions: {
      reader: client,
      path: `/v1/chatrooms/${other.id}/restrictions`,
      add: async () => {
        const { id: userId } = await platform.newMember();
        await client.call(banChatMember, { params: { chatroomId: other.id, userId } });
      },
    },
    listCommunityMembers: {
      reader: ben.client,
      path: `/v1/communities/${talk.id}/members`,
      add: async () =>
        (await platform.newMember()).client.call(joinCommunity, { params: { communityId: talk.id } }),
    },
    listCommunityBans: {
      reader: client,
      path: `/v1/communities/${talk.id}/bans`,
      add: async () => {
        const { id: userId } = await platform.newMember();
        await client.call(banCommunityMember, { params: { communityId: talk.id, userId } });
      },
    },
    listCommunities: {
      reader: ben.client,
      path: '/v1/communities',
      add: () => client.call(createCommunity, { body: { name: 'Energy' } }),
    },
    listReports: {
      reader: admin,
      path: '/v1/moderation/reports?kind=post',
      add: () => reportPost(ben),
    },
    listReportedItems: {
      reader: admin,
      path: '/v1/moderation/items?kind=post',
      add: () => reportPost(fan),
    },
    listChatReports: { reader: admin, path: '/v1/chatrooms/reports', add: reportMessage },
    listChatMessages: {
      reader: ben.client,
      path: `/v1/chatrooms/${room.id}/messages`,
      add: () => admin.call(sendChatMessage, { params: { chatroomId: room.id }, body: { message: 'Hello' } }),
    },
    listNotifications: {
      reader: ben.client,
      path: '/v1/notifications?type=reminder',
      add: () =>
        admin.call(sendNotification, {
          body: { userId: ben.id, type: 'reminder', title: 'Soon', message: 'Live at eight' },
        }),
    },
    listBlocks: {
      reader: client,
      path: '/v1/blocks',
      add: async () => client.call(blockMember, { params: { userId: (await nextBlocked()).id } }),
    },
    listUsers: { reader: admin, path: '/v1/user', add: () => platform.newMember() },
    listOwnEvents: {
      reader: client,
      path: '/v1/analytics/events',
      add: () => client.call(trackEvent, { body: { eventName: 'page.view', eventType: 'navigation' } }),
    },
  };
}
