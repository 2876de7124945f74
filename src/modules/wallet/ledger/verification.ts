import type { Core } from '../../../kernel/core.ts';
import { notFound } from '../../../kernel/failures.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import type { Verification } from '../contract.ts';
import { verificationStore, verifyLedger } from './verification.store.ts';

export const neverVerified = notFound('Verification');

const verifyKind = jobKind('wallet.verify');

interface VerificationDeps extends Pick<Core, 'database' | 'audit' | 'jobs' | 'clock' | 'newId'> {
  onFaults: (verification: Verification) => void;
}

/** Verifies the ledger, nightly and on an operator's request. */
export function verificationRules({ database, audit, jobs, clock, newId, onFaults }: VerificationDeps) {
  const store = verificationStore(database);
  async function verify(): Promise<Verification> {
    const verification = await verifyLedger(database);
    await store.insert(newId(), verification, new Date(clock.now()));
    if (verification.faults.length > 0) onFaults(verification);
    return verification;
  }
  const nightly = job(verifyKind, {
    cron: '23 2 * * *',
    concurrency: 1,
    retries: 1,
    timeoutSeconds: 4 * 3600,
    run: async () => {
      await verify();
    },
  });
  return {
    verify,
    last: store.last,
    nightly,
    /**
     * Returns the result of the latest verification.
     * @throws neverVerified
     */
    async latest() {
      const found = await store.latest();
      if (!found) throw neverVerified();
      const { faults, ...rest } = found;
      return { ...rest, sound: faults.length === 0, broken: faults };
    },
    /** Enqueues a job that verifies the ledger. */
    request: (actor: Actor): Promise<{ requestedAt: Date }> =>
      database.transaction(async (tx) => {
        await jobs.enqueue(tx, verifyKind, [{}]);
        await audit.record(tx, { ...actor, action: 'ledger.verification-requested' });
        return { requestedAt: clock.date() };
      }),
  };
}

export type VerificationRules = ReturnType<typeof verificationRules>;
