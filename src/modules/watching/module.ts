import type { Core } from '../../kernel/core.ts';
import { months } from '../../kernel/records/months.ts';
import type { Identity } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import type { Watching } from './contract.ts';
import { watchingRecords } from './member-records.store.ts';
import { sessionOperations } from './sessions.operations.ts';
import { sessionStore } from './sessions.store.ts';
import { sessionRules } from './sessions.ts';
import type { WatchingSettings } from './settings.ts';
import { areSumsStored, storeSumsJob } from './stored-sums.ts';
import { viewerStore } from './viewers.store.ts';
import { watchedStore } from './watched.store.ts';
import { watchingMeasures } from './watching.measures.ts';

interface WatchingDeps extends Pick<Core, 'database' | 'clock' | 'newId'> {
  identity: Pick<Identity, 'cardsOf'>;
  settings: WatchingSettings;
}

/** Watch sessions and their statistics. Owns the database schema `watching`. */
export function watchingModule(deps: WatchingDeps): Module<Watching> {
  const store = sessionStore(deps.database);
  const service = { ...watchedStore(deps.database), ...viewerStore(deps.database) };
  return {
    name: 'watching',
    memberRecords: watchingRecords,
    seed: async () => (await import('./watching.seed.ts')).watchingSeed,
    sections: { 'Watch sessions': 'Who watches what for how long.' },
    service,
    measures: watchingMeasures(service),
    jobs: [
      storeSumsJob(deps),
      months(deps, {
        name: 'watching.turn-months',
        cron: '25 3 * * *',
        tables: [
          {
            table: 'watching.session',
            days: deps.settings.retentionDays,
            beforeDrop: ({ ends }) => areSumsStored(deps.database, ends),
          },
        ],
      }),
    ],
    collect: (modules) => {
      const watchables = modules.flatMap((module) => module.watchables ?? []);
      const sessions = sessionRules({ ...deps, store, watchables });
      return { operations: sessionOperations(sessions), jobs: sessions.jobs };
    },
  };
}
