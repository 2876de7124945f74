import {
  banChatMember,
  createAnnouncement,
  createAnnouncementComment,
  createChatroom,
  createComment,
  createCommunity,
  createLivestream,
  createPost,
  createStory,
  createTrade,
  joinCommunity,
  joinEducatorChatroom,
  listChatReports,
  listReports,
  muteChatMember,
  muteUser,
  presignEducatorUpload,
  reactToPost,
  reportChatMessage,
  sendChatMessage,
  startLivestream,
  startWatchSession,
} from '../../../sdk/src/index.ts';
import { SAMPLES } from '../../support/pictures.ts';
import type { Actor, World } from '../world.ts';
import type { Recipes } from './steps.ts';

/** A chatroom with a message by a member. Its owner is new, since nobody may create many. */
async function room(world: World) {
  const [owner, guest] = [await world.newMember('stranger'), await world.newMember('stranger')];
  const { data: made } = await owner.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } });
  const { data: sent } = await guest.client.call(sendChatMessage, {
    params: { chatroomId: made.id },
    body: { message: 'Gold breaks out!' },
  });
  return { owner, guest, params: { chatroomId: made.id, messageId: sent.id, userId: guest.id } };
}

const asOwner = async (world: World) => {
  const { owner, params } = await room(world);
  return { actor: owner, params };
};

const asGuest = async (world: World) => {
  const { guest, params } = await room(world);
  return { actor: guest, params };
};

/** A report of a chat message, as moderators find it in the list. */
async function reported(world: World, list: typeof listChatReports | typeof listReports) {
  const { owner, params } = await room(world);
  await owner.client.call(reportChatMessage, { params, body: { reason: 'Spam' } });
  const moderator = await world.one('moderator');
  const { data } = await moderator.client.call<typeof list>(list, { query: { status: 'open' } });
  return { params: { reportId: data[0]?.id as string } };
}

async function livestream(world: World): Promise<{ actor: Actor; params: { livestreamId: string } }> {
  const actor = await world.one('educator');
  const times = { scheduledStart: '2030-01-01T10:00Z', scheduledEnd: '2030-01-01T11:00Z' };
  const { data } = await actor.client.call(createLivestream, { body: { title: 'Gold at noon', ...times } });
  return { actor, params: { livestreamId: data.id } };
}

/** A post of a member in a community. */
async function post(world: World) {
  const [educator, actor] = [await world.one('educator'), await world.one('member')];
  const { data: community } = await educator.client.call(createCommunity, { body: { name: 'Metals' } });
  const params = { communityId: community.id };
  await actor.client.call(joinCommunity, { params });
  const { data } = await actor.client.call(createPost, { params, body: { content: 'Gold!' } });
  return { actor, communityId: community.id, params: { postId: data.id } };
}

/** A community, and somebody to be banned from it. */
async function ofBan(world: World) {
  const { actor, params } = await ofCommunity(world);
  return { actor, params: { ...params, userId: (await world.one('stranger')).id } };
}

async function announcement(world: World): Promise<string> {
  const educator = await world.one('educator');
  const params = { educatorId: educator.id };
  const body = { title: 'News', content: 'Today.' };
  return (await educator.client.call(createAnnouncement, { params, body })).data.id;
}

/** Uploads a picture of the educator's. */
async function picture(world: World) {
  const actor = await world.one('educator');
  const { png } = SAMPLES;
  const { data: ticket } = await actor.client.call(presignEducatorUpload, {
    params: { educatorId: actor.id },
    body: { fileName: 'gold.png', fileSize: png.length, contentType: 'image/png' },
  });
  const { method, headers } = ticket.instructions;
  await fetch(ticket.uploadUrl, { method, headers, body: new Uint8Array(png) });
  return { actor, url: ticket.publicUrl };
}

async function story(world: World) {
  const { actor, url } = await picture(world);
  const { data } = await actor.client.call(createStory, {
    params: { educatorId: actor.id },
    body: { mediaType: 'image', mediaUrl: url },
  });
  return { actor, params: { storyId: data.id } };
}

/** The chatroom of an educator, with somebody who has joined it. */
async function educatorRoom(world: World) {
  const [educator, actor] = [await world.one('educator'), await world.newMember('stranger')];
  const params = { educatorId: educator.id };
  await actor.client.call(joinEducatorChatroom, { params });
  return { actor, params };
}

async function comment(world: World) {
  const { actor, params } = await post(world);
  const { data } = await actor.client.call(createComment, { params, body: { content: 'Yes.' } });
  return { actor, params: { commentId: data.id } };
}

async function announcementComment(world: World) {
  const actor = await world.one('member');
  const params = { announcementId: await announcement(world) };
  const { data } = await actor.client.call(createAnnouncementComment, { params, body: { content: 'Yes.' } });
  return { actor, params: { commentId: data.id } };
}

/** A community of its own, with its creator. */
async function ofCommunity(world: World) {
  const actor = await world.one('educator');
  const { data } = await actor.client.call(createCommunity, { body: { name: 'Metals' } });
  return { actor, params: { communityId: data.id } };
}

async function trade(world: World) {
  const actor = await world.one('member');
  const body = { symbol: 'GOLD', direction: 'long', entryPrice: 2_400 } as const;
  const { data } = await actor.client.call(createTrade, { body });
  return { actor, params: { tradeId: data.id } };
}

const byMember = async (world: World) => ({
  actor: await world.one('member'),
  params: { educatorId: (await world.one('educator')).id },
});

export const TALKING_RECIPES: Recipes = {
  unmuteChatMember: async (world) => {
    const { owner, params } = await room(world);
    await owner.client.call(muteChatMember, { params, body: { minutes: 5 } });
    return { actor: owner, params };
  },
  unbanChatMember: async (world) => {
    const { owner, params } = await room(world);
    await owner.client.call(banChatMember, { params });
    return { actor: owner, params };
  },
  muteChatMember: asOwner,
  banChatMember: asOwner,
  removeChatroomMember: asOwner,
  addChatroomMember: async (world) => {
    const { owner, params } = await room(world);
    return { actor: owner, params, body: { userId: (await world.one('stranger')).id } };
  },
  editChatMessage: asGuest,
  deleteChatMessage: asGuest,
  leaveChatroom: asGuest,
  markChatroomRead: async (world) => {
    const { guest, params } = await room(world);
    return { actor: guest, params, body: { messageId: params.messageId } };
  },
  reportChatMessage: asOwner,
  resolveChatReport: (world) => reported(world, listChatReports),
  resolveReport: (world) => reported(world, listReports),
  resolveReports: async (world) => {
    const { reportId } = (await reported(world, listReports)).params;
    return { body: { ids: [reportId], outcome: 'dismissed' } };
  },
  report: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { kind: 'announcement', subjectId: await announcement(world), reason: 'Spam' },
  }),
  updateChatroom: asOwner,
  handOnChatroom: async (world) => {
    const { owner, params } = await room(world);
    return { actor: owner, params, body: { userId: params.userId } };
  },
  getChatroom: asGuest,
  listChatMessages: async (world) => ({ ...(await asGuest(world)), query: { limit: '5' } }),
  createPost: async (world) => {
    const { actor, communityId } = await post(world);
    return { actor, params: { communityId } };
  },
  getPost: post,
  deletePost: post,
  updatePost: async (world) => ({ ...(await post(world)), body: { content: 'Silver' } }),
  updateComment: async (world) => ({ ...(await comment(world)), body: { content: 'No.' } }),
  updateCommunity: async (world) => ({ ...(await ofCommunity(world)), body: { description: 'Metals' } }),
  deleteCommunity: ofCommunity,
  listCommunityBans: ofCommunity,
  unbanCommunityMember: ofBan,
  banCommunityMember: ofBan,
  updateTrade: async (world) => ({ ...(await trade(world)), body: { note: 'Later' } }),
  deleteTrade: trade,
  updateAnnouncementComment: async (world) => ({
    ...(await announcementComment(world)),
    body: { content: 'No.' },
  }),
  muteUser: async (world) => ({
    params: { userId: (await world.newMember('stranger')).id },
    body: { minutes: 5, reason: 'Spam', deleteMessages: true },
  }),
  unmuteUser: async (world) => {
    const params = { userId: (await world.newMember('stranger')).id };
    const { client } = await world.one('administrator');
    await client.call(muteUser, { params, body: { minutes: 5 } });
    return { params };
  },
  followEducator: byMember,
  leaveEducatorChatroom: educatorRoom,
  getEducatorChatroom: educatorRoom,
  createStory: async (world) => {
    const { actor, url } = await picture(world);
    return { actor, params: { educatorId: actor.id }, body: { mediaType: 'image', mediaUrl: url } };
  },
  viewStory: async (world) => ({ ...(await story(world)), actor: await world.one('member') }),
  listStoryViewers: story,
  deleteStory: story,
  updateEducatorProfile: async (world) => {
    const actor = await world.one('educator');
    return { actor, params: { educatorId: actor.id }, body: { educator_title: 'Head of Futures' } };
  },
  updateAnnouncement: async (world) => ({
    actor: await world.one('educator'),
    params: { announcementId: await announcement(world) },
    body: { title: 'News' },
  }),
  deleteAnnouncement: async (world) => ({
    actor: await world.one('educator'),
    params: { announcementId: await announcement(world) },
  }),
  likeAnnouncement: async (world) => ({ params: { announcementId: await announcement(world) } }),
  unlikeAnnouncement: async (world) => ({ params: { announcementId: await announcement(world) } }),
  listAnnouncementComments: async (world) => ({ params: { announcementId: await announcement(world) } }),
  beatWatchSession: async (world) => {
    const actor = await world.one('member');
    const body = { contentType: 'video', contentId: 'f'.repeat(24), platform: 'web' } as const;
    return { actor, params: { id: (await actor.client.call(startWatchSession, { body })).data.id } };
  },
  deleteAnnouncementComment: announcementComment,
  listComments: post,
  createLivestream: async (world) => ({
    actor: await world.one('educator'),
    body: { title: 'Gold', scheduledStart: '2030-01-01T10:00Z', scheduledEnd: '2030-01-01T11:00Z' },
  }),
  getLivestream: livestream,
  updateLivestream: async (world) => ({ ...(await livestream(world)), body: { title: 'Silver' } }),
  startLivestream: livestream,
  cancelLivestream: livestream,
  endLivestream: async (world) => {
    const { actor, params } = await livestream(world);
    await actor.client.call(startLivestream, { params });
    return { actor, params };
  },
  createComment: post,
  reactToPost: post,
  takeBackReaction: async (world) => {
    const { actor, params } = await post(world);
    await actor.client.call(reactToPost, { params, body: { type: 'like' } });
    return { actor, params };
  },
  deleteComment: comment,
  tipEducator: async (world) => ({
    actor: await world.one('customer'),
    params: { educatorId: (await world.one('educator')).id },
    body: { amount: 1 },
  }),
};
