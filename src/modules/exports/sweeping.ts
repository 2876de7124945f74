import type { ObjectStorage } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import { type Job, job } from '../../kernel/messaging/jobs.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { sweepExports } from './exports.jobs.ts';
import { exportOfFile, FILES } from './exports.model.ts';
import type { ExportStore } from './exports.store.ts';
import type { ExportEndings } from './making.ts';

interface SweepDeps extends Pick<Core, 'clock'> {
  store: ExportStore;
  storage: ObjectStorage;
  endings: Pick<ExportEndings, 'fail'>;
}

/** Longer than an export's job waits for the storage, so that the job has certainly ended. */
const STUCK_MS = DAY_MS;
const STUCK_AT_ONCE = 100;

/**
 * Removes every file that belongs to no pending and no ready export: of expired exports, of erased members, and of
 * workers that were killed. Ends exports whose job was lost.
 */
export const sweepJob = ({ clock, store, storage, endings }: SweepDeps): Job =>
  job(sweepExports, {
    cron: '*/10 * * * *',
    concurrency: 1,
    retries: 2,
    timeoutSeconds: 600,
    run: async () => {
      const stuck = await store.stuck(new Date(clock.now() - STUCK_MS), STUCK_AT_ONCE);
      for (const { id } of stuck) await endings.fail(id);
      for await (const page of storage.list(FILES)) {
        const live = await store.liveOf(
          page.map(({ key }) => exportOfFile(key)),
          clock.date(),
        );
        await storage.remove(page.map(({ key }) => key).filter((key) => !live.has(exportOfFile(key))));
      }
    },
  });
