import { LOCK_TIMEOUT_MS } from '../../../kernel/database/pooler.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure } from '../../../kernel/failures.ts';
import { codeOf } from '../../../kernel/outages.ts';
import type { TransactionDraft } from './drafts.ts';

/** Another transaction has locked what the draft needs: nothing was written, and the draft may be retried. */
export const HELD = Symbol('held');

/** Next to no waiting, since a batch contains drafts of many members; 0 would mean to wait without end. */
const WAIT_MS = 1;

/** Whether a statement gave up waiting for a lock. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/**
 * Runs the checks that drafts make of members and sessions before wallets are locked. A check that fails or meets a lock
 * concerns only the drafts from the same account.
 * @returns for each draft the failure of its check, {@link HELD}, or undefined if it may be posted
 */
export async function admissionsOf(
  tx: Transaction,
  drafts: TransactionDraft[],
): Promise<(Failure | typeof HELD | undefined)[]> {
  const held = new Set<string>();
  const admissions = [];
  for (const { from, admit } of drafts) {
    const admission = admit && (held.has(from) ? HELD : await tried(tx, admit));
    if (admission === HELD) held.add(from);
    admissions.push(admission);
  }
  return admissions;
}

async function tried(
  tx: Transaction,
  admit: (tx: Transaction) => Promise<void>,
): Promise<Failure | typeof HELD | undefined> {
  await tx.sql(`savepoint admission; set local lock_timeout = ${WAIT_MS}`);
  try {
    await admit(tx);
  } catch (error) {
    if (!(error instanceof Failure) && !isLockTimeout(error)) throw error;
    await tx.sql('rollback to savepoint admission');
    return error instanceof Failure ? error : HELD;
  }
  await tx.sql(`release savepoint admission; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
  return undefined;
}
