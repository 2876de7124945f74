import { Type } from 'typebox';
import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { notFound } from '../../../kernel/failures.ts';
import { lowestIdAt } from '../../../kernel/ids.ts';
import { job, jobKind } from '../../../kernel/messaging/jobs.ts';
import { type AlertOperators, endAlert } from '../../../kernel/records/alerts.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/time/time.ts';
import type { LedgerFault, Verification } from '../contract.ts';
import { type Head, provenHeadStore } from './proven-heads.store.ts';
import { verifyLedger } from './verification.store.ts';
import { verificationStore } from './verifications.store.ts';

export const neverVerified = notFound('Verification');

/** `isWhole`: as an administrator asked for; without it the job decides. */
const verifyKind = jobKind('wallet.verify', {
  version: 1,
  data: Type.Object({ isWhole: Type.Optional(Type.Boolean()) }),
});

/** The nightly job verifies the whole ledger when it did so last a week ago; an hour less, since it never begins on the dot. */
const WHOLE_MS = 7 * DAY_MS - HOUR_MS;
/** A verification that began so long ago has been killed. */
const LOST_MS = DAY_MS;
/** A million heads take some twenty seconds. */
const MAX_PROOF_MS = 10 * MINUTE_MS;
const ALERTED = 'ledger';

interface VerificationDeps extends Pick<Core, 'database' | 'audit' | 'jobs' | 'clock' | 'newId'> {
  alertOperators: AlertOperators;
}

/** Verifies the ledger, nightly and on an operator's request. */
export function verificationRules({ database, audit, jobs, clock, newId, alertOperators }: VerificationDeps) {
  const store = verificationStore(database);

  /** Alerts operators to faults; once the ledger is sound again, ends the alert. */
  async function report(tx: Transaction, faults: LedgerFault[]): Promise<void> {
    if (faults.length === 0) {
      if ((await store.progress(tx))?.isSound)
        await endAlert(tx, ALERTED, { by: 'service:ledger', at: clock.date() });
      return;
    }
    const alert = { action: 'ledger.not-sound', target: ALERTED, details: { faults } };
    await alertOperators(tx, { ...alert, openUntilDealtWith: ALERTED });
  }

  /** @param sinceTransactions see {@link verifyLedger} */
  async function verifySince(sinceTransactions: number | undefined): Promise<Verification> {
    const id = newId();
    const onHeads = (heads: Head[]): Promise<void> => provenHeadStore.note(database, id, heads);
    const verification = await verifyLedger(database, {
      onHeads,
      ...(sinceTransactions === undefined ? {} : { sinceTransactions }),
    });
    const isWhole = sinceTransactions === undefined;
    await database.transaction(
      async (tx) => {
        await tx.lock('wallet.proven-heads');
        if (verification.faults.length === 0) await provenHeadStore.prove(tx, id);
        await store.insert(tx, id, { ...verification, isWhole, at: clock.date() });
        await report(tx, verification.faults);
        await provenHeadStore.forgetNotes(tx, id, lowestIdAt(new Date(clock.now() - LOST_MS)));
      },
      { maxStatementMs: MAX_PROOF_MS },
    );
    return verification;
  }

  /**
   * Returns from where to verify: what the last verifications proved, unless that was a week ago or they found a fault,
   * which must not be forgotten because it lies before the proven heads.
   */
  async function startOf(): Promise<number | undefined> {
    const progress = await store.progress();
    if (!progress?.isSound || !progress.hasHeads || progress.wholeAt === null) return undefined;
    return clock.now() - progress.wholeAt.getTime() < WHOLE_MS ? progress.transactions : undefined;
  }

  const verify = (): Promise<Verification> => verifySince(undefined);
  const nightly = job(verifyKind, {
    cron: '23 2 * * *',
    concurrency: 1,
    retries: 1,
    timeoutSeconds: 4 * 3600,
    run: async ({ isWhole = false }) => {
      await verifySince(isWhole ? undefined : await startOf());
    },
  });
  return {
    /** Verifies the whole ledger. */
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
      const { faults, isWhole, ...rest } = found;
      const scope = isWhole ? ('whole' as const) : ('since-last-proof' as const);
      return { ...rest, scope, sound: faults.length === 0, broken: faults };
    },
    /** Enqueues a job that verifies the whole ledger. */
    request: (actor: Actor): Promise<{ requestedAt: Date }> =>
      database.transaction(async (tx) => {
        await jobs.enqueue(tx, verifyKind, [{ isWhole: true }]);
        await audit.record(tx, { ...actor, action: 'ledger.verification-requested' });
        return { requestedAt: clock.date() };
      }),
  };
}

export type VerificationRules = ReturnType<typeof verificationRules>;
