import type { Core } from '../../kernel/core.ts';
import type { SystemBoard } from '../../kernel/net/system-board.ts';
import type { Identity } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { alertMetric } from './alerts/alerts.metrics.ts';
import { alertOperations } from './alerts/alerts.operations.ts';
import { alertRules } from './alerts/alerts.ts';
import { auditOperations } from './audit/audit.operations.ts';
import { auditRules } from './audit/audit.ts';
import type { ShownSetting, ThisProcess } from './contract.ts';
import { backupMetric } from './health/backups.metrics.ts';
import { backupStore } from './health/backups.store.ts';
import { healthOperations } from './health/health.operations.ts';
import { type HealthRules, healthRules } from './health/health.ts';
import { processRules } from './health/processes.ts';
import { jobOperations } from './jobs/jobs.operations.ts';
import { jobRules } from './jobs/jobs.ts';
import { overviewOperations } from './overview/overview.operations.ts';
import { overviewRules } from './overview/overview.ts';
import { recordSearchOperations } from './search/search.operations.ts';
import { recordSearch } from './search/search.ts';
import { userOverviewOperations } from './users/user-overview.operations.ts';

/** What the command line uses of this module. */
type Administration = Pick<HealthRules, 'recordBackup'>;

interface AdministrationDeps
  extends Pick<Core, 'database' | 'queues' | 'audit' | 'clock' | 'bus' | 'cache' | 'node'> {
  identity: Pick<Identity, 'contactsOf' | 'exists'>;
  process: ThisProcess;
  systems: SystemBoard;
  settings: ShownSetting[];
}

/** Views for operators across all modules. Owns the database schema `administration`. */
export function administrationModule({ identity, ...deps }: AdministrationDeps): Module<Administration> {
  const jobs = jobRules(deps);
  const alerts = alertRules({ ...deps, identity });
  let modules: readonly Module[] = [];
  const degraded = (): string[] => [
    ...(deps.bus.isConnected() && deps.cache.isConnected() ? [] : ['redis']),
    ...modules.flatMap((module) => module.degraded?.() ?? []),
  ];
  const processes = processRules({ ...deps, degraded });
  const backups = backupStore(deps.database);
  const health = healthRules({ ...deps, store: backups, processes });
  return {
    name: 'administration',
    sections: {
      Administration: 'What operators need to see across all parts of the platform.',
      Jobs: 'Background work: its queues, and what failed.',
      Audit: 'What administrators did, to whom, when and why.',
    },
    service: { recordBackup: health.recordBackup },
    metrics: [backupMetric(backups.last), alertMetric(alerts.backlog)],
    operations: [
      ...alertOperations(alerts),
      ...auditOperations(auditRules({ ...deps, identity })),
      ...jobOperations(jobs),
      ...healthOperations(health),
    ],
    worklists: [
      { name: 'alerts', read: alerts.backlog },
      { name: 'deadJobs', read: jobs.countDead },
    ],
    collect: (all) => {
      modules = all;
      const lookUps = all.flatMap((module) => module.lookUps ?? []);
      const ofUser = all.flatMap((module) => module.userOverview ?? []);
      const worklists = all.flatMap((module) => module.worklists ?? []);
      const parts = all.flatMap((module) => module.overview ?? []);
      return {
        operations: [
          ...recordSearchOperations(
            recordSearch(lookUps),
            lookUps.map(({ type }) => type),
          ),
          ...userOverviewOperations(ofUser, identity),
          ...overviewOperations(overviewRules({ worklists, parts, processes }), worklists, parts),
        ],
      };
    },
    start: processes.start,
    stop: async () => processes.stop(),
  };
}
