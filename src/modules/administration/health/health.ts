import type { Core } from '../../../kernel/core.ts';
import { validationFailed } from '../../../kernel/failures.ts';
import { latestOf } from '../../../kernel/net/system-board.ts';
import { type Actor, changesOf } from '../../../kernel/records/audit.ts';
import { redactText } from '../../../kernel/text/redaction.ts';
import { instantOf, MINUTE_MS, SECOND_MS } from '../../../kernel/time/time.ts';
import type { ShownSetting } from '../contract.ts';
import type { Backup, BackupStore } from './backups.store.ts';
import type { ProcessRules } from './processes.ts';

/** How far the clock of the backup job may be ahead. */
const AHEAD_MS = 5 * MINUTE_MS;

interface HealthDeps extends Pick<Core, 'database' | 'audit' | 'clock'> {
  store: BackupStore;
  processes: Pick<ProcessRules, 'all'>;
  settings: ShownSetting[];
}

/** The state of the installation. */
export const healthRules = ({ store, processes, settings, database, audit, clock }: HealthDeps) => ({
  async read() {
    const [all, last] = await Promise.all([processes.all(), store.last()]);
    return {
      processes: all.map(({ systems: _, ...one }) => one).sort((a, b) => (a.id < b.id ? -1 : 1)),
      systems: latestOf(all.map(({ systems }) => systems))
        .map(({ seenAt: _, lastError, ...one }) => ({
          ...one,
          lastError: lastError && redactText(lastError),
        }))
        .sort((a, b) => (a.system < b.system ? -1 : 1)),
      settings,
      backup: last ? { ...last, ageSeconds: secondsSince(last.at, clock.now()) } : null,
    };
  },
  /**
   * Records a backup, also in the audit log, and returns the newest one: reports may arrive in another order.
   * @throws 422 for one in the future
   */
  async recordBackup(
    { at, ...rest }: { at: string; head: string; place: string },
    actor: Actor,
  ): Promise<Backup> {
    const backup = { ...rest, at: instantOf(at) };
    if (backup.at.getTime() > clock.now() + AHEAD_MS)
      throw validationFailed([{ field: 'at', message: 'must not be in the future' }]);
    return database.transaction(async (tx) => {
      const before = await store.lock(tx);
      if (before && before.at > backup.at) return before;
      await store.replace(tx, backup);
      await audit.record(tx, {
        ...actor,
        action: 'backup.recorded',
        targetName: backup.place,
        changes: changesOf(before ?? {}, backup),
      });
      return backup;
    });
  },
});

export type HealthRules = ReturnType<typeof healthRules>;

const secondsSince = (at: Date, nowMs: number): number =>
  Math.max(0, Math.floor((nowMs - at.getTime()) / SECOND_MS));
