import type { Transaction } from '../../../kernel/database/queries.ts';
import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { forEachId } from '../../../kernel/operations/bulk.ts';
import type { Actor, Audit } from '../../../kernel/records/audit.ts';
import type { AccountRules } from '../account/account.ts';
import { type Entry, type ErrorKind, type Grant, NO_PINE_ID, ORIGINS, type Status } from './access.model.ts';
import { doneByHand, isWantedEntry, retried, takenOver } from './access.transitions.ts';
import { type Changes, ofAdministrator } from './changing.ts';
import type { EntryStore } from './entries.store.ts';

export const accessNotFailed = failure(
  409,
  'ACCESS_NOT_FAILED',
  'Only a grant that has failed can be retried or resolved',
);
export const nothingToTakeOver = failure(
  409,
  'NOTHING_TO_TAKE_OVER',
  'Nothing at the charting platform that somebody else made belongs to this grant, or its indicator has no pineId',
);

interface Deps {
  changes: Pick<Changes, 'changeOne'>;
  entries: EntryStore;
  account: Pick<AccountRules, 'endWait'>;
  audit: Audit;
}

/** Administrators' actions on grants that require a person. */
export function interventionRules({ changes, entries, account, audit }: Deps) {
  /**
   * Records that a person has given the access that a grant wants, and has removed the access that a person gave
   * before, or of which only they could find the user.
   */
  async function noteGivenByHand(tx: Transaction, grant: Grant, errorKind: ErrorKind | null): Promise<void> {
    for (const entry of grant.entries)
      if ((entry.origin === 'by_hand' || errorKind === 'lost-user') && !isWantedEntry(grant, entry))
        await entries.drop(tx, grant.id, entry);
    const pineId = grant.pineId ?? NO_PINE_ID;
    const given: Entry = { pineId, handle: grant.handle, isConfirmed: true, origin: 'by_hand' };
    await entries.put(tx, grant.id, given);
    // The person may have made the entry, or an unanswered call.
    await entries.setOrigin(tx, given, ['unknown', 'absent', 'sent'], 'by_hand');
  }

  /** Retries a failed grant. @throws accessNotFound, accessNotFailed */
  const retry = (id: ObjectId, actor: Actor): Promise<Grant> =>
    changes.changeOne(
      id,
      (grant, at) => {
        if (grant.status !== 'failed') throw accessNotFailed();
        return retried(grant, at);
      },
      ofAdministrator(actor, 'Retried by an administrator'),
      async (tx, { failedAction }) => {
        await account.endWait(tx);
        const details = { failedAction };
        await audit.record(tx, { ...actor, action: 'indicator-access.retried', target: id, details });
      },
    );

  return {
    retry,
    /** Retries each of these grants. */
    retryAll: (ids: ObjectId[], actor: Actor) =>
      forEachId<{ status: Status | null }>(ids, { status: null }, async (id) => {
        const { status } = await retry(id, actor);
        return { status };
      }),

    /** Marks a failed grant as resolved by hand at the charting platform. @throws accessNotFound, accessNotFailed */
    resolve: (id: ObjectId, note: string, actor: Actor): Promise<Grant> =>
      changes.changeOne(
        id,
        (grant) => {
          if (grant.status !== 'failed') throw accessNotFailed();
          return doneByHand(grant);
        },
        ofAdministrator(actor, `Done by hand: ${note || 'no note'}`),
        async (tx, before, after) => {
          if (after.status === 'revoked') await entries.dropAll(tx, id);
          else await noteGivenByHand(tx, after, before.errorKind);
          const details = { failedAction: before.failedAction, note };
          await audit.record(tx, { ...actor, action: 'indicator-access.resolved', target: id, details });
        },
      ),

    /**
     * Makes the platform responsible for an entry that someone else made at the charting platform under the handle of a
     * grant: the entry is removed when the grant ends, and at once if it has ended.
     * @throws accessNotFound, nothingToTakeOver
     */
    takeOver: (id: ObjectId, actor: Actor): Promise<Grant> =>
      changes.changeOne(
        id,
        (grant, at) => {
          if (toTakeOver(grant).length === 0) throw nothingToTakeOver();
          return takenOver(grant, at);
        },
        ofAdministrator(actor, 'Taken over by an administrator'),
        async (tx, before, { indicatorId, userId }) => {
          for (const entry of toTakeOver(before)) {
            await entries.lock(tx, [entry]);
            await entries.put(tx, id, entry);
            await entries.setOrigin(tx, entry, ORIGINS, 'made');
          }
          for (const entry of before.entries)
            if (entry.pineId === NO_PINE_ID) await entries.drop(tx, id, entry);
          const details = { indicatorId, userId };
          await audit.record(tx, { ...actor, action: 'indicator-access.taken-over', target: id, details });
        },
      ),
  };
}

export type InterventionRules = ReturnType<typeof interventionRules>;

/**
 * Returns the entries of a grant that someone else made; for a grant that has ended, the entries that may exist under
 * its handle.
 */
function toTakeOver({ status, pineId, handle, entries }: Grant): Entry[] {
  if (pineId === null) return [];
  if (status === 'revoked') return [{ pineId, handle, isConfirmed: true, origin: 'made' }];
  return entries
    .filter(({ origin }) => origin === 'found' || origin === 'by_hand')
    .map((entry) => ({ ...entry, pineId: entry.pineId === NO_PINE_ID ? pineId : entry.pineId }));
}
