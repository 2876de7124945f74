import { SAMPLES } from '../../support/pictures.ts';
import type { Actor, World } from '../world.ts';
import { type Recipes, step } from './steps.ts';

/** A chatroom of the educator with a message by a member. */
async function room(world: World) {
  const [owner, guest] = [await world.one('educator'), await world.newMember('stranger')];
  const { id: chatroomId } = await step(owner, 'POST', '/v1/chatrooms', { name: 'Gold', type: 'public' });
  const path = `/v1/chatrooms/${chatroomId}/messages`;
  const { data } = await guest.client.post(path, { message: 'Gold breaks out!' });
  const messageId: string = data.messageId ?? data.id;
  return { owner, guest, params: { chatroomId, messageId, userId: guest.id } };
}

const asOwner = async (world: World) => {
  const { owner, params } = await room(world);
  return { actor: owner, params };
};

const asGuest = async (world: World) => {
  const { guest, params } = await room(world);
  return { actor: guest, params };
};

const punished = (what: string, body?: object) => async (world: World) => {
  const { owner, params } = await room(world);
  await step(owner, 'PUT', `/v1/chatrooms/${params.chatroomId}/members/${params.userId}/${what}`, body);
  return { actor: owner, params };
};

/** A report of a chat message, as moderators find it in the list. */
async function reported(world: World, list: string): Promise<{ params: { reportId: string } }> {
  const { owner, params } = await room(world);
  const { chatroomId, messageId } = params;
  await step(owner, 'POST', `/v1/chatrooms/${chatroomId}/messages/${messageId}/report`, { reason: 'Spam' });
  const [newest] = await step(await world.one('moderator'), 'GET', `${list}?status=open`);
  return { params: { reportId: newest.id ?? newest.reportId } };
}

async function livestream(world: World): Promise<{ actor: Actor; params: { livestreamId: string } }> {
  const actor = await world.one('educator');
  const times = { scheduledStart: '2030-01-01T10:00Z', scheduledEnd: '2030-01-01T11:00Z' };
  const { id } = await step(actor, 'POST', '/v1/livestreams', { title: 'Gold at noon', ...times });
  return { actor, params: { livestreamId: id } };
}

/** A post of a member in a community. */
async function post(world: World) {
  const [educator, actor] = [await world.one('educator'), await world.one('member')];
  const community = await step(educator, 'POST', '/v1/communities', { name: 'Metals' });
  await step(actor, 'POST', `/v1/communities/${community.id}/join`);
  const { id } = await step(actor, 'POST', `/v1/communities/${community.id}/posts`, { content: 'Gold!' });
  return { actor, communityId: community.id as string, params: { postId: id as string } };
}

async function announcement(world: World): Promise<string> {
  const educator = await world.one('educator');
  const news = { title: 'News', content: 'Today.' };
  return (await step(educator, 'POST', `/v1/educators/${educator.id}/announcements`, news)).id;
}

/** Uploads a picture of the educator's. */
async function picture(world: World): Promise<{ actor: Actor; url: string }> {
  const actor = await world.one('educator');
  const { png } = SAMPLES;
  const file = { fileName: 'gold.png', fileSize: png.length, contentType: 'image/png' };
  const ticket = await step(actor, 'POST', `/v1/educators/${actor.id}/uploads/presign`, file);
  const { method, headers } = ticket.instructions;
  await fetch(ticket.uploadUrl, { method, headers, body: png as unknown as string });
  return { actor, url: ticket.publicUrl };
}

async function story(world: World) {
  const { actor, url } = await picture(world);
  const path = `/v1/educators/${actor.id}/stories`;
  const { id } = await step(actor, 'POST', path, { mediaType: 'image', mediaUrl: url });
  return { actor, params: { storyId: id as string } };
}

/** The chatroom of an educator, with somebody who has joined it. */
async function educatorRoom(world: World) {
  const [educator, actor] = [await world.one('educator'), await world.newMember('stranger')];
  await step(actor, 'POST', `/v1/educators/${educator.id}/chatroom/join`);
  return { actor, params: { educatorId: educator.id } };
}

const byMember = async (world: World) => ({
  actor: await world.one('member'),
  params: { educatorId: (await world.one('educator')).id },
});

export const TALKING_RECIPES: Recipes = {
  unmuteChatMember: punished('mute', { minutes: 5 }),
  unbanChatMember: punished('ban'),
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
  reportChatMessage: asOwner,
  resolveChatReport: (world) => reported(world, '/v1/chatrooms/reports'),
  resolveReport: (world) => reported(world, '/v1/moderation/reports'),
  report: async (world) => ({
    actor: await world.newMember('stranger'),
    body: { kind: 'announcement', subjectId: await announcement(world), reason: 'Spam' },
  }),
  updateChatroom: asOwner,
  getChatroom: asGuest,
  listChatMessages: async (world) => ({ ...(await asGuest(world)), query: { limit: '5' } }),
  createPost: async (world) => {
    const { actor, communityId } = await post(world);
    return { actor, params: { communityId } };
  },
  getPost: post,
  deletePost: post,
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
    const watched = { contentType: 'video', contentId: 'f'.repeat(24), platform: 'web' };
    return { actor, params: { id: (await step(actor, 'POST', '/v1/watch-sessions', watched)).id } };
  },
  deleteAnnouncementComment: async (world) => {
    const actor = await world.one('member');
    const path = `/v1/educators/announcements/${await announcement(world)}/comments`;
    return { actor, params: { commentId: (await step(actor, 'POST', path, { content: 'Yes.' })).id } };
  },
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
    await step(actor, 'POST', `/v1/livestreams/${params.livestreamId}/start`);
    return { actor, params };
  },
  createComment: post,
  reactToPost: post,
  takeBackReaction: async (world) => {
    const { actor, params } = await post(world);
    await step(actor, 'PUT', `/v1/posts/${params.postId}/reaction`, { type: 'like' });
    return { actor, params };
  },
  deleteComment: async (world) => {
    const { actor, params } = await post(world);
    const { id } = await step(actor, 'POST', `/v1/posts/${params.postId}/comments`, { content: 'Yes.' });
    return { actor, params: { commentId: id } };
  },
  tipEducator: async (world) => ({
    actor: await world.one('customer'),
    params: { educatorId: (await world.one('educator')).id },
    body: { amount: 1 },
  }),
};
