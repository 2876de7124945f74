import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import type { Wallet } from '../wallet/contract.ts';
import type { Watching } from '../watching/contract.ts';
import { boardStore } from './boards.store.ts';
import { keptBoards } from './boards.ts';
import { leaderboardOperations } from './leaderboards.operations.ts';
import { leaderboardRules } from './leaderboards.ts';

interface LeaderboardDeps extends Pick<Core, 'database' | 'cache' | 'clock'> {
  identity: Pick<Identity, 'cardsOf'>;
  wallet: Pick<Wallet, 'gifts'>;
  watching: Watching;
}

/** Leaderboards of watch time and gifts. Owns the database schema `leaderboards`. */
export function leaderboardModule(deps: LeaderboardDeps): Module<undefined> {
  const { database, cache, clock, identity, wallet, watching } = deps;
  const store = boardStore(database);
  const rules = leaderboardRules({
    boards: keptBoards({ store, clock }),
    watching,
    gifts: wallet.gifts,
    cardsOf: identity.cardsOf,
    rateLimiter: cache,
    clock,
  });
  return {
    name: 'leaderboards',
    sections: { Leaderboards: 'Boards of watch time and of gifts.' },
    service: undefined,
    operations: leaderboardOperations(rules),
    subscriptions: [
      on(userDeleted, 'leaderboards', ({ data: { userId } }, tx) => store.forgetMember(tx, userId)),
    ],
  };
}
