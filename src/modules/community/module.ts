import type { Core } from '../../kernel/core.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Moderation, Reportable } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { banOperations } from './bans.operations.ts';
import { banStore } from './bans.store.ts';
import { banRules } from './bans.ts';
import { type CommentEditing, commentEditing } from './comment-editing.ts';
import { communityRemoved, postAnnounced, postRemoved, postUpdated } from './community.live.ts';
import { communityMeasures } from './community.measures.ts';
import { communityNotices } from './community.notices.ts';
import { communityOperations } from './community.operations.ts';
import { communityInternalEvents, communityPublicEvents } from './community.public-events.ts';
import { communitySearchable } from './community.searchable.ts';
import { communityStore } from './community.store.ts';
import { type CommunityRules, communityRules } from './community.ts';
import { communityRemoval } from './community-removal.ts';
import { communityRecords } from './member-records.store.ts';
import { type PostEditing, postEditing } from './post-editing.ts';
import { postRights } from './post-rights.ts';
import { postOperations } from './posts.operations.ts';
import { postStore } from './posts.store.ts';
import { type PostRules, postRules } from './posts.ts';
import { postsForHubs } from './posts-for-hubs.store.ts';
import { reactionStore } from './reactions.store.ts';

interface CommunityDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'live' | 'clock' | 'newId'> {
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  moderation: Moderation;
  identity: Pick<Identity, 'keep' | 'profilesOf'>;
}

/** Communities, posts, comments and reactions. Owns the database schema `community`. */
export function communityModule(deps: CommunityDeps): Module<undefined> {
  const forHubs = postsForHubs(deps.database);
  const postTable = postStore(deps.database);
  const store = communityStore(deps.database);
  const banTable = banStore(deps.database);
  const bans = banRules({ ...deps, store: banTable, communities: store });
  const communities = communityRules({ ...deps, store, bans: banTable, standing: bans });
  const removal = communityRemoval({ ...deps, store, bans: banTable, posts: postTable });
  const posts = postRules({
    ...deps,
    communities,
    store: postTable,
    reactions: reactionStore(deps.database),
  });
  const rights = postRights({ ...deps, communities, store: postTable });
  const editing = postEditing({ ...deps, store: postTable, rights });
  const comments = commentEditing({ ...deps, store: postTable, rights });
  return {
    name: 'community',
    memberRecords: communityRecords,
    publicEvents: communityPublicEvents,
    internalEvents: communityInternalEvents,
    seed: async () => (await import('./community.seed.ts')).communitySeed,
    sections: { Communities: 'Communities with posts, comments and reactions.' },
    topics: ['COMMUNITIES'],
    service: undefined,
    notices: communityNotices({ ...forHubs, findAll: store.findAll }),
    measures: communityMeasures(forHubs),
    searchable: communitySearchable(forHubs),
    reportables: reportableOf(communities, posts, editing, comments),
    jobs: removal.jobs,
    live: { messages: [postAnnounced, postUpdated, postRemoved, communityRemoved] },
    operations: [
      ...communityOperations(communities, removal),
      ...banOperations(communities, bans),
      ...postOperations({ communities, posts, editing, comments, identity: deps.identity }),
    ],
    subscriptions: [
      onExternal(userDeleted, 'community', async ({ data: { userId } }) => {
        await communities.erase(userId);
        await posts.erase(userId);
      }),
    ],
  };
}

/** Makes communities, posts and comments reportable by every member, because communities are open to all. */
const reportableOf = (
  communities: CommunityRules,
  posts: PostRules,
  editing: PostEditing,
  comments: CommentEditing,
): Reportable[] => [
  {
    kind: 'community',
    keepsContents: true,
    find: async (id) => {
      const { createdBy, name, description } = await communities.find(id);
      return { authorId: createdBy, text: `${name}\n${description}`.trim(), containerId: null };
    },
    remove: (tx, id) => communities.removeReportedIn(tx, id),
  },
  {
    kind: 'post',
    find: async (id) => {
      const { userId, content, communityId } = await posts.find(id);
      return { authorId: userId, text: content, containerId: communityId };
    },
    remove: (tx, id) => editing.removePostIn(tx, id),
  },
  {
    kind: 'post_comment',
    find: async (id) => {
      const { userId, content, postId } = await posts.findComment(id);
      return { authorId: userId, text: content, containerId: postId };
    },
    remove: (tx, id) => comments.removeCommentIn(tx, id),
  },
];
