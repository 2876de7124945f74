import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import { instantOf } from '../../kernel/time/time.ts';
import type { AfterCommit, Moderation } from '../moderation/contract.ts';
import { livestreamEnded } from './contract.ts';
import { sessionEnded } from './livestreams.live.ts';
import type { Ended } from './livestreams.model.ts';

/**
 * Livestreams that end together and that everybody is told of: a message goes to every connection, and one host may have
 * hundreds of them.
 */
const TOLD_AT_ONCE = 20;

interface EndingDeps extends Pick<Core, 'database' | 'events' | 'live'> {
  moderation: Pick<Moderation, 'blockersOf'>;
}

/** Tells everybody that livestreams have ended, except those who have blocked the host. */
export function endings({ database, events, live, moderation }: EndingDeps) {
  /** Makes what tells everybody, once that is committed. */
  async function telling(tx: Transaction, { id, hostId, endedAt }: Ended): Promise<AfterCommit> {
    const blockers = await moderation.blockersOf(hostId, tx);
    const message = sessionEnded({ sessionId: id, speakerId: hostId, endedAt });
    return () => live.send(liveChannel.all, [message], blockers);
  }

  return {
    telling,
    /** Has everybody told of livestreams that have ended together, in the transaction of another change. */
    async tellLater(tx: Transaction, ended: Ended[]): Promise<void> {
      const told = ended.slice(0, TOLD_AT_ONCE).map(({ id, hostId, endedAt }) => ({
        livestreamId: id,
        hostId,
        endedAt: endedAt.toISOString(),
      }));
      await events.publish(tx, livestreamEnded, ...told);
    },
    subscription: onExternal(livestreamEnded, 'livestreams-live', async ({ data }) => {
      const { livestreamId: id, hostId, endedAt } = data;
      const ended = { id, hostId, endedAt: instantOf(endedAt) };
      const tell = await database.transaction((tx) => telling(tx, ended));
      await tell();
    }) satisfies Subscription,
  };
}

export type Endings = ReturnType<typeof endings>;
