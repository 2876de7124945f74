import type { Core } from '../../kernel/core.ts';
import { onExternal } from '../../kernel/messaging/events.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { banOperations } from './bans.operations.ts';
import { banStore } from './bans.store.ts';
import { banRules } from './bans.ts';
import { commentEditing } from './comment-editing.ts';
import { communityRemoved, postAnnounced, postRemoved, postUpdated } from './community.live.ts';
import { communityMeasures } from './community.measures.ts';
import { communityNotices } from './community.notices.ts';
import { communityOperations } from './community.operations.ts';
import { communityInternalEvents, communityPublicEvents } from './community.public-events.ts';
import { communitySearchable } from './community.searchable.ts';
import { communityStore } from './community.store.ts';
import { communityRules } from './community.ts';
import { communityRemoval } from './community-removal.ts';
import { communityRecords } from './member-records.store.ts';
import { postEditing } from './post-editing.ts';
import { postRights } from './post-rights.ts';
import { postOperations } from './posts.operations.ts';
import { postStore } from './posts.store.ts';
import { postRules } from './posts.ts';
import { postsForHubs } from './posts-for-hubs.store.ts';
import { reactionStore } from './reactions.store.ts';
import { reportableOf } from './reportable.ts';
import { surroundingsStore } from './surroundings.store.ts';

interface CommunityDeps
  extends Pick<Core, 'database' | 'audit' | 'events' | 'jobs' | 'live' | 'clock' | 'newId'> {
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
    reportables: reportableOf({
      communities,
      posts,
      editing,
      comments,
      store,
      postStore: postTable,
      surroundings: surroundingsStore(deps.database),
    }),
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
