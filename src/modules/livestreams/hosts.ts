import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { type Identity, type MemberCard, notEducator } from '../identity/contract.ts';
import type { Endings } from './ending.ts';
import type { HostStore } from './hosts.store.ts';

export const hostNotFound = notFound('Educator');

const HOSTS_AT_ONCE = 500;

interface HostDeps extends Pick<Core, 'database' | 'clock'> {
  store: HostStore;
  endings: Pick<Endings, 'tellLater'>;
  identity: Pick<Identity, 'cardsOf'>;
}

/** Whether livestreams of an account may be held and shown. */
const mayHost = ({ isActive, permissions }: MemberCard): boolean =>
  isActive && (permissions.includes('educator') || permissions.includes('admin'));

/** The right of hosts to hold livestreams. It is recorded with these, in the transaction of each change of an account. */
export function hostRules({ store, endings, identity, database, clock }: HostDeps) {
  /** Serializes work that depends on the right of a host with changes of that right; taken before livestreams are locked. */
  const lock = (tx: Transaction, hostId: ObjectId): Promise<void> => tx.lock('livestreams.host', hostId);

  /** Records the right of the locked host: hides their livestreams, or shows them again. */
  async function record(tx: Transaction, card: MemberCard): Promise<void> {
    const at = clock.date();
    const { userId: hostId } = card;
    const closed = card.isDeleted ? await store.closeOf(tx, hostId, at) : [];
    const hidden = await store.setTeaching(tx, { hostId, teaches: mayHost(card) }, at);
    await endings.tellLater(
      tx,
      [...new Set([...closed, ...hidden])].map((id) => ({ id, hostId, endedAt: at })),
    );
  }

  const cardOf = async (tx: Transaction, hostId: ObjectId): Promise<MemberCard | undefined> =>
    (await identity.cardsOf([hostId], tx))[0];

  /** Returns those hosts whose livestreams are recorded differently from what their accounts allow. */
  async function differing(hostIds: ObjectId[]): Promise<ObjectId[]> {
    const cards = await identity.cardsOf(hostIds);
    return store.findDiffering(cards.map((card) => ({ hostId: card.userId, teaches: mayHost(card) })));
  }

  /** Records the right of every host again, for livestreams older than the record and for manual changes of accounts. */
  async function repair(): Promise<void> {
    for (let after = ''; ; ) {
      const hostIds = await store.hostsAfter(after, HOSTS_AT_ONCE);
      for (const hostId of await differing(hostIds))
        await database.transaction(async (tx) => {
          await lock(tx, hostId);
          const card = await cardOf(tx, hostId);
          if (card) await record(tx, card);
        });
      if (hostIds.length < HOSTS_AT_ONCE) return;
      after = hostIds.at(-1) as ObjectId;
    }
  }

  const repairing: Job = job(jobKind('livestreams.record-hosts'), {
    cron: '23 3 * * *',
    atStart: true,
    concurrency: 1,
    timeoutSeconds: 1800,
    run: repair,
  });

  return {
    jobs: [repairing],

    /** Records a change of an account, in its transaction. */
    async follow(tx: Transaction, card: MemberCard): Promise<void> {
      // New accounts have no livestreams.
      if (card.createdAt === card.updatedAt) return;
      await lock(tx, card.userId);
      await record(tx, card);
    },

    /** Makes sure that a member may hold livestreams until the transaction ends. @throws hostNotFound, notEducator */
    async admit(tx: Transaction, hostId: ObjectId): Promise<void> {
      await lock(tx, hostId);
      const card = await cardOf(tx, hostId);
      if (!card || card.isDeleted) throw hostNotFound();
      if (!mayHost(card)) throw notEducator();
    },
  };
}

export type HostRules = ReturnType<typeof hostRules>;
