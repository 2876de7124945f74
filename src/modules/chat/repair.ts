import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { OwnerStore } from './owners.store.ts';
import type { OwnerRules } from './owners.ts';

interface RepairDeps {
  owners: Pick<OwnerStore, 'someAfter'>;
  ownerRules: Pick<OwnerRules, 'repair'>;
  live: Live;
}

/**
 * Passes on rooms whose owners are not in them, every night and at every start: those of accounts that were erased before
 * their rooms were passed on, those of which nobody could become the owner then, and those of owners who left them while
 * they became their owners.
 */
export const repairJob = ({ owners, ownerRules, live }: RepairDeps): Job =>
  job(jobKind('chat.repair'), {
    cron: '7 3 * * *',
    atStart: true,
    lowPriority: true,
    concurrency: 1,
    timeoutSeconds: 1800,
    run: async (_data, { signal }) => {
      for (let after: ObjectId | '' | undefined = ''; after !== undefined && !signal.aborted; ) {
        const { orphans, last } = await owners.someAfter(after);
        for (const id of orphans)
          if (await ownerRules.repair(id))
            await live.revoke(liveChannel.room(id), { reason: 'ROOM_DELETED' });
        after = last;
      }
    },
  });
