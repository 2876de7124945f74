import type { Database } from '../../kernel/database/database.ts';
import { type Events, onExternal } from '../../kernel/events.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Module } from '../contract.ts';
import { userDeleted } from '../identity/contract.ts';
import { postAnnounced } from './community.live.ts';
import { communityNotices } from './community.notices.ts';
import { communityOperations } from './community.operations.ts';
import { communityStore } from './community.store.ts';
import { communityRules } from './community.ts';

interface CommunityDeps {
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** Communities, posts, comments and reactions. Owns the database schema `community`. */
export function communityModule(deps: CommunityDeps): Module<undefined> {
  const rules = communityRules({ ...deps, store: communityStore(deps.database) });
  return {
    name: 'community',
    service: undefined,
    notices: communityNotices,
    live: { messages: [postAnnounced] },
    operations: communityOperations(rules),
    subscriptions: [onExternal(userDeleted, 'community', ({ data }) => rules.erase(data.userId))],
  };
}
