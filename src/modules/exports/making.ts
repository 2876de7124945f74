import { type ObjectStorage, StorageFault } from '../../external/storage/port.ts';
import type { Core } from '../../kernel/core.ts';
import { Failure, isLoadShedding } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Job, type JobContext, job, Postponed } from '../../kernel/messaging/jobs.ts';
import { isOutage } from '../../kernel/outages.ts';
import type { ExportedArea } from '../../kernel/records/member-records.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/time/time.ts';
import type { Identity } from '../identity/contract.ts';
import { hiding } from './administrators.ts';
import { archiveOf } from './archive.ts';
import { makeExport } from './exports.jobs.ts';
import { type DataExport, fileOf, LINK_HOURS } from './exports.model.ts';
import type { ExportStore } from './exports.store.ts';
import { exportEndedMail } from './requested-mails.schemas.ts';

const RETRIES = 4;
/** How long an export waits for a storage that is down, before it fails. */
const PATIENCE_MS = 6 * HOUR_MS;
const MIN_WAIT_SECONDS = 2;
const MAX_WAIT_SECONDS = 300;

interface MakingDeps extends Pick<Core, 'database' | 'events' | 'clock' | 'log'> {
  store: ExportStore;
  identity: Pick<Identity, 'contactsOf' | 'administrators'>;
}

/** Ends exports, and notifies their members in the same transaction. */
export function exportEndings({ database, events, clock, store, identity }: MakingDeps) {
  /** Ends a pending export; returns whether it was still pending. */
  const end = (id: ObjectId, status: 'ready' | 'failed'): Promise<boolean> =>
    database.transaction(async (tx) => {
      const one = await store.lock(tx, id);
      if (one?.status !== 'pending') return false;
      const readyAt = status === 'ready' ? clock.date() : null;
      const expiresAt = readyAt && new Date(readyAt.getTime() + LINK_HOURS * HOUR_MS);
      await store.update(tx, { ...one, status, readyAt, expiresAt });
      const [contact] = await identity.contactsOf([one.userId], tx);
      const { userId, isOwn } = one;
      if (contact)
        await events.publish(tx, exportEndedMail, { userId, isOwn, email: contact.email, outcome: status });
      return true;
    });
  return { succeed: (id: ObjectId) => end(id, 'ready'), fail: (id: ObjectId) => end(id, 'failed') };
}

export type ExportEndings = ReturnType<typeof exportEndings>;

interface JobDeps extends MakingDeps {
  storage: ObjectStorage;
  endings: ExportEndings;
  areas: ExportedArea[];
}

/**
 * Creates the file of an export. An attempt after an interrupted one replaces the file under the same key; an
 * export that has ended is left alone.
 */
export function makingJob(deps: JobDeps): Job {
  const { database, clock, log, store, identity, storage, endings, areas } = deps;

  async function write(one: DataExport, signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    // A storage that fails also aborts the archive, whose own error would hide the reason.
    let unread: unknown;
    const archive = archiveOf({
      userId: one.userId,
      areas,
      // No connection is held between pages, because the storage determines how long the export takes.
      read: ({ page }, after) =>
        database.exports
          .run((queries) => queries.all(page, [one.userId, after]), either)
          .catch((error) => {
            unread ??= error;
            throw error;
          }),
      withoutAdministrators: hiding(
        (await identity.administrators()).filter(({ userId }) => userId !== one.userId),
      ),
      at: clock.date(),
    });
    try {
      await storage.write(fileOf(one), { stream: archive }, { contentType: 'application/zip', signal });
    } catch (error) {
      throw unread ?? error;
    } finally {
      ended.abort();
      archive.destroy();
    }
  }

  /** Decides what follows a failed attempt: another one, or the end. */
  async function settle(one: DataExport, error: Error, attempt: number): Promise<void> {
    const ageMs = clock.now() - one.createdAt.getTime();
    if (ageMs < PATIENCE_MS && isPassing(error)) {
      const wait = Math.ceil(ageMs / 4 / SECOND_MS);
      const afterSeconds = Math.min(MAX_WAIT_SECONDS, Math.max(MIN_WAIT_SECONDS, wait));
      log.warn({ exportId: one.id, reason: error.message, afterSeconds }, 'an export is postponed');
      throw new Postponed(error.message, { afterSeconds });
    }
    if (ageMs < PATIENCE_MS && attempt <= RETRIES) throw error;
    log.error({ exportId: one.id, reason: error.message }, 'an export failed');
    await endings.fail(one.id);
  }

  return job(makeExport, {
    run: async ({ exportId }, { signal, attempt }: JobContext) => {
      const one = await store.find(exportId);
      if (one?.status !== 'pending') return;
      try {
        await write(one, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        return settle(one, error as Error, attempt);
      }
      // The member was erased meanwhile, or another worker has ended the export with the same file.
      if (!(await endings.succeed(exportId)) && !(await store.find(exportId)))
        await storage.remove([fileOf(one)]);
    },
    concurrency: 1,
    retries: RETRIES,
    timeoutSeconds: 6 * 3600,
  });
}

/** Whether a later attempt may succeed without human intervention. */
const isPassing = (error: Error): boolean =>
  error instanceof StorageFault || isOutage(error) || (error instanceof Failure && isLoadShedding(error));
