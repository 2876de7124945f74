import type { Core } from '../../../kernel/core.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { AlertOperators } from '../../../kernel/records/alerts.ts';
import { accessBegan, accessEnded } from '../contract.ts';
import type { HolderStore } from '../handles/holders.store.ts';
import type { Grant } from './access.model.ts';
import type { AccessStore } from './access.store.ts';
import { arrived, isUnderWay, nextStep } from './access.transitions.ts';
import type { Conclusions } from './conclusions.ts';
import type { EntryKey } from './entries.store.ts';
import { newsStore } from './news.store.ts';
import type { Call, Claimed, Observations, Outcome } from './observations.ts';

interface Deps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: AccessStore;
  holders: HolderStore;
  observations: Observations;
  alertOperators: AlertOperators;
  conclusions: Conclusions;
}

const WORKER = 'service:indicators';

interface Change {
  before: Grant;
  after: Grant;
  why: string;
  at: Date;
}

/** Applies the results of calls to the charting platform. */
export function settlingRules(deps: Deps) {
  const { store, holders, observations, conclusions, database, events, alertOperators, clock } = deps;

  /** Notifies the member once, when all their pending changes are complete. */
  async function publishChanges(tx: Transaction, userId: ObjectId): Promise<void> {
    const news = await newsStore.take(tx, userId, clock.date());
    const scannersOf = (status: string) =>
      news.filter((one) => one.status === status).map(({ indicatorId }) => indicatorId);
    const [began, ended] = [scannersOf('active'), scannersOf('revoked')];
    if (began.length > 0) await events.publish(tx, accessBegan, { userId, scannerIds: began });
    if (ended.length > 0) await events.publish(tx, accessEnded, { userId, scannerIds: ended });
  }

  async function write(tx: Transaction, { before, after, why, at }: Change): Promise<void> {
    if (isOver(after) && (await holders.isErased(tx, after.userId))) return store.delete(tx, [after.id]);
    await store.put(tx, [after], { actor: WORKER, why }, at);
    if (isUnderWay(after)) return;
    if (after.status === 'failed' && before.status !== 'failed') await alert(tx, after);
    await publishChanges(tx, after.userId);
  }

  async function alert(tx: Transaction, grant: Grant): Promise<void> {
    // Without `lastError`, which can name the handle: alerts remain after the member is erased.
    const { indicatorId, userId, failedAction, errorKind, attempts } = grant;
    const details = { indicatorId, userId, failedAction, errorKind, attempts };
    await alertOperators(tx, { action: 'indicators.access-failed', target: grant.id, details });
  }

  return {
    tell: publishChanges,
    /** Alerts operators to a grant that requires a person. */
    alert,
    /** Applies the outcome of the call for a claimed grant. */
    settle: (claimed: Claimed, outcome: Outcome): Promise<void> =>
      database.transaction(async (tx) => {
        await store.lockMember(tx, claimed.grant.userId);
        const { step } = claimed;
        const before = await store.lock(tx, claimed.grant.id, concernedBy(claimed));
        if (!before) return;
        const at = clock.date();
        const updated = await observations.record(tx, before, { claimed, outcome, at });
        const isCurrent = before.version === claimed.grant.version;
        const after = isCurrent
          ? conclusions.concluded(updated, step, outcome, at)
          : conclusions.superseded(updated, step, outcome, at);
        await write(tx, { before, after, why: whyOf(step, outcome), at });
      }),

    /** Completes a grant that needs no further call. */
    arrive: (id: ObjectId, why: string): Promise<void> =>
      database.transaction(async (tx) => {
        const found = await store.find(id, tx);
        if (!found) return;
        await store.lockMember(tx, found.userId);
        const before = await store.lock(tx, id);
        const at = clock.date();
        if (!before || before.dueAt === null || before.dueAt > at) return;
        if (nextStep(before, before.handle).do !== 'settle') return;
        await write(tx, { before, after: arrived(before, at), why, at });
      }),
  };
}

export type Settling = ReturnType<typeof settlingRules>;

/** The entries that the outcome of a call may change: also that under a new handle, to which the member may have moved. */
const concernedBy = ({ step, grant: { handle } }: Claimed): EntryKey[] =>
  'entry' in step ? [step.entry, { pineId: step.entry.pineId, handle }] : [];

/** Whether nothing is left to be done for a member who is erased: a user who is lost can be found by their handle alone. */
const isOver = ({ status, errorKind }: Grant): boolean =>
  status === 'revoked' || (status === 'failed' && errorKind === 'lost-user');

const WORDS = {
  resolve: 'Looking up the handle',
  look: 'Looking for the handle',
  add: 'Adding the handle',
  remove: 'Removing the handle',
};

const whyOf = (step: Call, outcome: Outcome): string => {
  const text = 'text' in outcome ? `${outcome.kind}: ${outcome.text}` : outcome.kind;
  return `${WORDS[step.do]} at the charting platform: ${text}`;
};
