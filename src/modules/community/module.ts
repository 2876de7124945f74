import type { Core } from '../../kernel/core.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import { userDeleted } from '../identity/contract.ts';
import type { Moderation, Reportable } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut } from '../notifications/contract.ts';
import { postAnnounced } from './community.live.ts';
import { communityMeasures } from './community.measures.ts';
import { communityNotices } from './community.notices.ts';
import { communityOperations } from './community.operations.ts';
import { communitySearchable } from './community.searchable.ts';
import { communityStore } from './community.store.ts';
import { type CommunityRules, communityRules } from './community.ts';
import { postsForHubs } from './posts-for-hubs.store.ts';

interface CommunityDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  fanOut: FanOut;
  moderation: Moderation;
}

/** Communities, posts, comments and reactions. Owns the database schema `community`. */
export function communityModule(deps: CommunityDeps): Module<undefined> {
  const store = communityStore(deps.database);
  const posts = postsForHubs(deps.database);
  const rules = communityRules({ ...deps, store });
  return {
    name: 'community',
    sections: { Communities: 'Communities with posts, comments and reactions.' },
    topics: ['COMMUNITIES'],
    service: undefined,
    notices: communityNotices,
    measures: communityMeasures(posts),
    searchable: communitySearchable(posts),
    reportables: reportableOf(rules),
    live: { messages: [postAnnounced] },
    operations: communityOperations(rules),
    subscriptions: [onExternal(userDeleted, 'community', ({ data }) => rules.erase(data.userId))],
  };
}

/** Makes posts and comments reportable by every member, because communities are open to all. */
const reportableOf = (rules: CommunityRules): Reportable[] => [
  {
    kind: 'post',
    find: async (id) => {
      const { userId, content, communityId } = await rules.findPost(id);
      return { authorId: userId, text: content, containerId: communityId };
    },
    remove: async (id, moderator) => rules.deletePost(await rules.findPost(id), moderator),
  },
  {
    kind: 'post_comment',
    find: async (id) => {
      const { userId, content, postId } = await rules.findComment(id);
      return { authorId: userId, text: content, containerId: postId };
    },
    remove: async (id, moderator) => rules.deleteComment(await rules.findComment(id), moderator),
  },
];
