import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import { onInTransaction } from '../../kernel/messaging/events.ts';
import { retention } from '../../kernel/records/retention.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Module } from '../module.ts';
import { makeExport, sweepExports } from './exports.jobs.ts';
import { exportMails } from './exports.mails.ts';
import { exportOperations } from './exports.operations.ts';
import { exportInternalEvents } from './exports.public-events.ts';
import { exportStore } from './exports.store.ts';
import { exportRules } from './exports.ts';
import { exportEndings, makingJob } from './making.ts';
import { exportRecords } from './member-records.store.ts';
import { sweepJob } from './sweeping.ts';

interface ExportDeps
  extends Pick<Core, 'database' | 'events' | 'jobs' | 'audit' | 'clock' | 'newId' | 'log'> {
  identity: Pick<Identity, 'keep' | 'stepUp' | 'exists' | 'contactsOf' | 'administrators'>;
  /** Undefined when none is configured; then nothing can be exported. */
  storage: ObjectStorage | undefined;
}

/** How long the record of an export is kept. */
const KEPT_DAYS = 90;

/** Exports of a member's data from all modules. Owns the database schema `exports`. */
export function exportModule(deps: ExportDeps): Module<undefined> {
  const { database, jobs, storage } = deps;
  const store = exportStore(database);
  const endings = exportEndings({ ...deps, store });
  return {
    name: 'exports',
    memberRecords: exportRecords,
    internalEvents: exportInternalEvents,
    sections: { 'Personal data': 'What the platform holds of a member, to take away.' },
    service: undefined,
    operations: exportOperations(exportRules({ ...deps, store }), deps.identity),
    mails: exportMails,
    subscriptions: [
      onInTransaction(userDeleted, 'exports', async ({ data: { userId } }, tx) => {
        if ((await store.eraseOf(tx, userId)) > 0) await jobs.enqueue(tx, sweepExports, [{}]);
      }),
    ],
    jobs: [
      retention(deps, {
        name: 'exports.forget-old',
        cron: '47 3 * * *',
        tables: [{ table: 'exports.export', key: 'id', since: 'created_at', days: KEPT_DAYS }],
      }),
    ],
    collect: (modules) => {
      if (!storage) return { absentJobs: [makeExport, sweepExports] };
      const records = modules.flatMap(({ memberRecords = [] }) => memberRecords);
      const areas = records.flatMap(({ exported = [] }) => exported);
      return {
        jobs: [
          makingJob({ ...deps, store, storage, endings, areas }),
          sweepJob({ ...deps, store, storage, endings }),
        ],
      };
    },
  };
}
