import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import type { Identity } from '../identity/contract.ts';
import type { OwnerStore } from './owners.store.ts';
import type { OwnerRules } from './owners.ts';

interface RepairDeps {
  owners: Pick<OwnerStore, 'someAfter'>;
  ownerRules: Pick<OwnerRules, 'passOn'>;
  identity: Pick<Identity, 'contactsOf'>;
  live: Live;
}

/**
 * Passes on rooms of erased accounts, every night and at every start: those of accounts that were erased before their rooms
 * were passed on, and those of which nobody could become the owner then.
 */
export const repairJob = ({ owners, ownerRules, identity, live }: RepairDeps): Job =>
  job(jobKind('chat.repair'), {
    cron: '7 3 * * *',
    atStart: true,
    lowPriority: true,
    concurrency: 1,
    timeoutSeconds: 1800,
    run: async (_data, { signal }) => {
      for (let after: ObjectId | '' | undefined = ''; after !== undefined && !signal.aborted; ) {
        const { orphans, last } = await owners.someAfter(after);
        const left = new Set(orphans.map(({ createdBy }) => createdBy));
        for (const { userId } of left.size > 0 ? await identity.contactsOf([...left]) : [])
          left.delete(userId);
        for (const { id, createdBy } of orphans.filter(({ createdBy }) => left.has(createdBy)))
          if (await ownerRules.passOn(id, createdBy))
            await live.revoke(liveChannel.room(id), { reason: 'ROOM_DELETED' });
        after = last;
      }
    },
  });
