import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { NewId, ObjectId } from '../../../kernel/ids.ts';
import type { Identity } from '../../identity/contract.ts';
import { certificateChanged } from '../contract.ts';
import type { CertificateStore } from './certificates.store.ts';

interface IssuingDeps extends Pick<Core, 'events' | 'clock'> {
  store: Pick<CertificateStore, 'keepEarned' | 'insert'>;
  identity: Pick<Identity, 'profilesOf'>;
  /** Must make unguessable ids: anyone who knows one may read the certificate. */
  newId: NewId;
}

/** Certificates that one transaction issues. */
const ISSUED_AT_ONCE = 100;

/** The issuing of certificates, which whoever completes a course does in the same transaction. */
export function certificateIssuing({ store, identity, events, clock, newId }: IssuingDeps) {
  return {
    /**
     * Issues the certificates that a member has earned and does not have yet, at most 100: of all courses that they have
     * completed, or only of the given one. They bear the title and the name of this moment.
     */
    async issueIn(tx: Transaction, userId: ObjectId, courseId?: ObjectId): Promise<void> {
      const earned = await store.keepEarned(tx, { userId, courseId, limit: ISSUED_AT_ONCE });
      if (earned.length === 0) return;
      const [profile] = await identity.profilesOf([userId], tx);
      const name = `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim();
      for (const one of earned) {
        const certificateId = newId();
        if (await store.insert(tx, { certificateId, userId, name, ...one }, clock.date()))
          await events.publish(tx, certificateChanged, { certificateId });
      }
    },
  };
}

export type CertificateIssuing = ReturnType<typeof certificateIssuing>;
