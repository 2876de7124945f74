import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import type { Module } from '../module.ts';
import { archiving } from './archiving.ts';
import { candidateStore } from './candidates.store.ts';
import { dashboardRules } from './dashboard.ts';
import { dictionaryOperations } from './dictionary.operations.ts';
import { eventNameDictionary } from './dictionary.ts';
import { erasing } from './erasing.ts';
import { factSubscriptions } from './facts.ts';
import { analyticsRecords } from './member-records.store.ts';
import { nameStore } from './names.store.ts';
import { type NameRules, nameRules } from './names.ts';
import { ownStore } from './own.store.ts';
import { ownRules } from './own.ts';
import { reportOperations } from './reports.operations.ts';
import { reportStore } from './reports.store.ts';
import { reportRules } from './reports.ts';
import { rollupJobs } from './rollups.ts';
import type { AnalyticsSettings } from './settings.ts';
import { sharedQueries } from './shared-queries.ts';
import { trackingOperations } from './tracking.operations.ts';
import { trackingRules } from './tracking.ts';
import { vocabularyOf } from './vocabulary.ts';

interface AnalyticsDeps extends Pick<Core, 'database' | 'cache' | 'audit' | 'clock' | 'newId'> {
  settings: AnalyticsSettings;
  /** Undefined when none is configured; then old events are dropped without an archive. */
  storage: ObjectStorage | undefined;
}

/** Analytics: tracks members' activity and reports on it to operators. Owns the database schema `analytics`. */
export function analyticsModule(deps: AnalyticsDeps): Module<undefined> {
  const { database, newId } = deps;
  const nameStorage = nameStore(database);
  const candidates = candidateStore(database);
  const reporting = { ...deps, store: reportStore(database), ask: sharedQueries(database.heavy) };
  const reports = reportRules(reporting);
  const { storage, settings } = deps;
  const archive = storage && settings.archives ? archiving({ ...deps, storage }) : undefined;
  let names: NameRules | undefined;
  return {
    name: 'analytics',
    memberRecords: analyticsRecords,
    seed: async () => (await import('./analytics.seed.ts')).analyticsSeed,
    sections: {
      Analytics: 'Events that clients track, and the figures of members, of operators and of funnels.',
    },
    service: undefined,
    jobs: rollupJobs({ ...deps, ...deps.settings, candidates, archive }),
    subscriptions: [erasing(database)],
    collect: (modules) => {
      const measures = modules.flatMap((module) => module.measures ?? []);
      const vocabulary = vocabularyOf(measures);
      names = nameRules({ ...deps, store: nameStorage, candidates, vocabulary });
      const ofMember = measures.flatMap((one) => one.ofMember ?? []);
      const ofPlatform = measures.flatMap((one) => one.ofPlatform ?? []);
      const own = ownRules({ ...deps, store: ownStore, lane: database.personal, contributed: ofMember });
      const dashboard = dashboardRules({ ...reporting, contributed: ofPlatform });
      return {
        operations: [
          ...trackingOperations(trackingRules({ ...deps, names }), own, ofMember),
          ...reportOperations({ ...deps, reports, dashboard, contributed: ofPlatform }),
          ...dictionaryOperations(eventNameDictionary({ ...deps, store: nameStorage, names })),
        ],
        subscriptions: factSubscriptions(
          measures.flatMap(({ facts = [] }) => facts),
          newId,
        ),
      };
    },
    start: async () => names?.prepare(),
  };
}
