import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import { userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import type { Searchable } from './contract.ts';
import { foundStore } from './found.store.ts';
import { historyStore } from './history.store.ts';
import { indexingSubscriptions, rebuildJobs } from './indexing.ts';
import { searchOperations } from './search.operations.ts';
import { searchRules } from './search.ts';

type SearchDeps = Pick<Core, 'database' | 'clock'>;

/** Search over what modules contribute. Owns the database schema `search`. */
export function searchModule(deps: SearchDeps): Module<undefined> {
  const { database } = deps;
  let searchables: Searchable[] = [];
  const history = historyStore(database);
  const rules = searchRules({
    ...deps,
    found: foundStore(database),
    history,
    searchables: () => searchables,
  });
  return {
    name: 'search',
    service: undefined,
    operations: searchOperations(rules),
    jobs: rebuildJobs(() => searchables, history.forgetUnused, database),
    subscriptions: [
      on(userDeleted, 'search-history', ({ data: { userId } }, tx) => history.forget(tx, userId)),
    ],
    collect: (modules) => {
      searchables = modules.flatMap((module) => module.searchable ?? []);
      return { subscriptions: indexingSubscriptions(searchables) };
    },
  };
}
