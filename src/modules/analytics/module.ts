import type { Core } from '../../kernel/core.ts';
import type { Module } from '../module.ts';
import type { Measures } from './contract.ts';
import { dashboardRules } from './dashboard.ts';
import { erasing } from './erasing.ts';
import { factSubscriptions } from './facts.ts';
import { listingOperations } from './listing.operations.ts';
import { listingRules } from './listing.ts';
import { nameStore } from './names.store.ts';
import { nameRules } from './names.ts';
import { ownStore } from './own.store.ts';
import { ownRules } from './own.ts';
import { sharedQuestions } from './questions.ts';
import { reportOperations } from './reports.operations.ts';
import { reportStore } from './reports.store.ts';
import { reportRules } from './reports.ts';
import { rollupStore } from './rollups.store.ts';
import { rollupJobs } from './rollups.ts';
import type { AnalyticsSettings } from './settings.ts';
import { trackingOperations } from './tracking.operations.ts';
import { trackingRules } from './tracking.ts';

interface AnalyticsDeps extends Pick<Core, 'database' | 'cache' | 'audit' | 'clock' | 'newId'> {
  settings: AnalyticsSettings;
}

/** Analytics: tracks members' activity and reports on it to operators. Owns the database schema `analytics`. */
export function analyticsModule(deps: AnalyticsDeps): Module<undefined> {
  const { database, newId } = deps;
  let measures: Measures[] = [];
  const nameStorage = nameStore(database);
  const names = nameRules({ ...deps, store: nameStorage });
  const own = ownRules({ ...deps, store: ownStore, lane: database.personal, measures: () => measures });
  const reporting = { ...deps, store: reportStore(database), ask: sharedQuestions(database.heavy) };
  const reports = reportRules(reporting);
  const dashboard = dashboardRules({ ...reporting, measures: () => measures });
  return {
    name: 'analytics',
    sections: {
      Analytics: 'Events that clients track, and the figures of members, of operators and of funnels.',
    },
    service: undefined,
    operations: [
      ...trackingOperations(trackingRules({ ...deps, names }), own),
      ...reportOperations({ ...deps, reports, dashboard }),
      ...listingOperations(listingRules({ ...deps, store: nameStorage, names })),
    ],
    jobs: rollupJobs({ ...deps, ...deps.settings, store: rollupStore(database), names: nameStorage }),
    subscriptions: [erasing(database)],
    collect: (modules) => {
      measures = modules.flatMap((module) => module.measures ?? []);
      return {
        subscriptions: factSubscriptions(
          measures.flatMap(({ facts = [] }) => facts),
          newId,
        ),
      };
    },
  };
}
