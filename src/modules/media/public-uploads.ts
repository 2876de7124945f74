import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { PublicFileRegistry } from '../../kernel/records/public-files.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/time/time.ts';
import { uploadQuotaExceeded } from './contract.ts';
import type { CleanupStore } from './uploads.store.ts';

const GIB = 1024 ** 3;

/** Limits per member on unused files and on uploads within a day. */
const QUOTA = { unusedFiles: 500, unusedBytes: GIB, bytesPerDay: 10 * GIB };

/** Lifetime of a file to which no record refers; longer than any upload by its link takes. */
const UNUSED_MS = DAY_MS;
/** Longer than a request takes from checking an address to saving it. */
const HELD_MS = 10 * MINUTE_MS;
const REMOVED_AT_ONCE = 500;

interface PublicUploadDeps {
  database: Database;
  registry: PublicFileRegistry;
  cleanups: CleanupStore;
  clock: Clock;
}

/** Public files from their announcement to their removal: how many a member may leave unused, and for how long. */
export function publicUploads({ database, registry, cleanups, clock }: PublicUploadDeps) {
  return {
    /** Records that a member may upload a file. @throws uploadQuotaExceeded */
    announce: (key: string, ownerId: ObjectId, bytes: number): Promise<void> =>
      database.transaction(async (tx) => {
        const createdAt = clock.date();
        await tx.lock('media.public-uploads', ownerId);
        const before = await registry.uploadedBy(tx, ownerId, new Date(clock.now() - DAY_MS));
        const waitFrom = (oldest: Date | null): number =>
          Math.max(HELD_MS, (oldest?.getTime() ?? 0) + DAY_MS - clock.now()) / SECOND_MS;
        if (before.unusedFiles >= QUOTA.unusedFiles || before.unusedBytes + bytes > QUOTA.unusedBytes)
          throw uploadQuotaExceeded(Math.ceil(waitFrom(before.oldestUnusedAt)));
        if (before.recentBytes + bytes > QUOTA.bytesPerDay)
          throw uploadQuotaExceeded(Math.ceil(waitFrom(before.oldestRecentAt)));
        const removableAt = new Date(clock.now() + UNUSED_MS);
        await registry.insert(tx, { key, ownerId, bytes, createdAt, removableAt });
      }),

    /**
     * Keeps files for the request that is about to save their addresses. Returns the state of each: a `gone` file is
     * being removed; an `unknown` file is not in the registry and, if it exists, is older than the registry.
     */
    async keepForRequest(keys: string[]): Promise<Map<string, 'kept' | 'gone' | 'unknown'>> {
      const registered = await registry.keepUntil(keys, new Date(clock.now() + HELD_MS));
      // Looked up after `keepUntil`: a file that was taken for removal before is still scheduled, or already removed.
      const scheduled = await cleanups.scheduled(keys);
      const stateOf = (key: string) =>
        scheduled.has(key) ? 'gone' : registered.has(key) ? 'kept' : 'unknown';
      return new Map(keys.map((key) => [key, stateOf(key)]));
    },

    /** Schedules the removal of old files to which no record refers. */
    async sweep(): Promise<void> {
      const forgottenBefore = new Date(clock.now() - UNUSED_MS);
      for (let taken = REMOVED_AT_ONCE; taken === REMOVED_AT_ONCE; )
        taken = await database.transaction(async (tx) => {
          const now = clock.date();
          const keys = await registry.takeRemovable(tx, now, { forgottenBefore, limit: REMOVED_AT_ONCE });
          await cleanups.schedule(tx, keys, now);
          return keys.length;
        });
    },
  };
}

export type PublicUploads = ReturnType<typeof publicUploads>;
