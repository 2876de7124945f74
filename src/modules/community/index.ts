import type { Database } from '../../kernel/database/database.ts';
import { type Events, onOutside } from '../../kernel/events.ts';
import type { FanOut } from '../../kernel/fan-out.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Live } from '../../kernel/live.ts';
import type { Module } from '../../kernel/module.ts';
import type { Clock } from '../../kernel/time.ts';
import { userDeleted } from '../identity/index.ts';
import { communityOperations } from './community.operations.ts';
import { communityStore } from './community.store.ts';
import { communityRules } from './community.ts';

export { postCommented } from './community.ts';

interface CommunityNeeds {
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
}

/** Communities, posts, comments and reactions. Owns the database schema `community`. */
export function communityModule(needs: CommunityNeeds): Module<undefined> {
  const rules = communityRules({ ...needs, store: communityStore(needs.database) });
  return {
    name: 'community',
    door: undefined,
    operations: communityOperations(rules),
    subscriptions: [onOutside(userDeleted, 'community', ({ data }) => rules.erase(data.userId))],
    migrations: new URL('./migrations/', import.meta.url),
  };
}
