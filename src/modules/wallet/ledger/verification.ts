import type { Database } from '../../../kernel/database/database.ts';
import type { NewId } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import type { Clock } from '../../../kernel/time/time.ts';
import type { Verification } from '../contract.ts';
import { verificationStore, verifyLedger } from './verification.store.ts';

interface VerificationDeps {
  database: Database;
  clock: Clock;
  newId: NewId;
  onFaults: (verification: Verification) => void;
}

/** Verifies the ledger, nightly and on an operator's request. */
export function verificationRules({ database, clock, newId, onFaults }: VerificationDeps) {
  const store = verificationStore(database);
  async function verify(): Promise<Verification> {
    const verification = await verifyLedger(database);
    await store.insert(newId(), verification, new Date(clock.now()));
    if (verification.faults.length > 0) onFaults(verification);
    return verification;
  }
  const nightly = job(jobKind('wallet.verify'), {
    cron: '23 2 * * *',
    concurrency: 1,
    retries: 1,
    timeoutSeconds: 4 * 3600,
    run: async () => {
      await verify();
    },
  });
  return { verify, last: store.last, nightly };
}
