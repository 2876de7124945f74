import type { Core } from '../../kernel/core.ts';
import { on } from '../../kernel/messaging/events.ts';
import type { ErasePerson } from '../../kernel/records/erasure.ts';
import { userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import type { Searchable } from './contract.ts';
import { foundStore } from './found.store.ts';
import { historyStore } from './history.store.ts';
import { indexingSubscriptions, rebuildJobs } from './indexing.ts';
import { searchRecords } from './member-records.store.ts';
import { searchOperations } from './search.operations.ts';
import { forgettingNames, searchRules } from './search.ts';

type SearchDeps = Pick<Core, 'database' | 'clock'>;

/** Search over the records that modules contribute. Owns the database schema `search`. */
export function searchModule(deps: SearchDeps): Module<undefined> {
  const { database } = deps;
  const history = historyStore(database);
  // What is found depends on what the other modules contribute.
  let forgetNames: ErasePerson = async () => undefined;
  return {
    name: 'search',
    memberRecords: searchRecords,
    sections: {
      Search: 'Everything that a member may read, found by words; suggestions and the own history.',
    },
    service: undefined,
    erasePerson: (person) => forgetNames(person),
    subscriptions: [
      on(userDeleted, 'search-history', ({ data: { userId } }, tx) => history.forget(tx, userId)),
    ],
    collect: (modules) => {
      const searchables = modules.flatMap(searchablesOf).sort((a, b) => (a.type < b.type ? -1 : 1));
      const exclusions = modules.flatMap(({ searchExclusions = [] }) => searchExclusions);
      const found = foundStore(
        database.reads,
        searchables.map(({ type }) => type),
      );
      forgetNames = forgettingNames(history, found);
      const rules = searchRules({ ...deps, found, history, searchables, exclusions });
      return {
        operations: searchOperations(rules, searchables),
        jobs: rebuildJobs(searchables, history.forgetUnused, database),
        subscriptions: indexingSubscriptions(searchables),
      };
    },
  };
}

/**
 * Returns the searchables of a module.
 * @throws if its documents depend on an event of another module
 */
function searchablesOf({ name, searchable = [] }: Module): Searchable[] {
  for (const { type, changes } of searchable)
    for (const { kind } of changes)
      if (!kind.name.startsWith(`${name}.`))
        throw new Error(
          `documents of the type ${type} change with ${kind.name}, which is not an event of ${name}`,
        );
  return searchable;
}
