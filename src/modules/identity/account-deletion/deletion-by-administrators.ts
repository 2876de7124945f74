import type { Transaction } from '../../../kernel/database/queries.ts';
import { Failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import type { StepUp } from '../../../kernel/operations/step-up.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import {
  type CountedRecords,
  countRecords,
  type MemberRecords,
} from '../../../kernel/records/member-records.ts';
import type { Contributions } from '../../module.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { RemainingKeys } from '../contract.ts';

interface DeletionDeps {
  accounts: Pick<Accounts, 'remove'>;
  stepUp: StepUp;
  /** Lists the records that modules keep of members. */
  kinds: MemberRecords[];
  balancesOf: NonNullable<Contributions['balancesOf']>;
}

interface DeletionRequest {
  caller: UserCaller;
  facts: RequestFacts;
  idempotency: IdempotencyContext;
}

interface Removal {
  remainingKeys?: RemainingKeys;
  dryRun?: boolean;
}

interface Removed {
  userId: ObjectId;
  dryRun: boolean;
  /** The reason why the deletion would be refused; set by dry runs only. */
  blockedBy: { code: string; message: string } | null;
  /** The spendable Keys before the deletion; null without a wallet. */
  balance: number | null;
  erased: CountedRecords[];
  kept: CountedRecords[];
}

/** Deletion of accounts by administrators. */
export const deletionByAdministrators = ({ accounts, stepUp, kinds, balancesOf }: DeletionDeps) => ({
  /**
   * Erases an account, or reports what would be erased. A dry run deletes the account and rolls back, so that it
   * fails wherever the deletion would fail; its answer is not kept.
   * @throws stepUpRequired, userNotFound; invalidToken or insufficientPermissions if the caller has lost the account or
   * the right meanwhile; unless it is a dry run lastAdministrator, and the failures of the wallet
   */
  async remove(
    userId: ObjectId,
    { remainingKeys, dryRun = false }: Removal,
    { caller, facts, idempotency }: DeletionRequest,
  ): Promise<Removed> {
    const actor = actorOf(caller, facts);
    const balance = (await balancesOf([userId])).get(userId) ?? null;
    let removed: Removed = { userId, dryRun, blockedBy: null, balance, erased: [], kept: [] };
    let isCounted = false;
    const check = async (tx: Transaction) => {
      await stepUp.mustHaveSteppedUp(tx, caller);
      removed = { ...removed, ...(await countRecords(tx, userId, kinds)) };
      isCounted = true;
      if (!dryRun) await answered(tx, { idempotency }, removed);
    };
    try {
      await accounts.remove(userId, actor, { remainingKeys, check, isTrial: dryRun });
    } catch (error) {
      if (!dryRun || !isCounted || !(error instanceof Failure)) throw error;
      removed = { ...removed, blockedBy: { code: error.code, message: error.message } };
    }
    return removed;
  },
});

export type DeletionByAdministrators = ReturnType<typeof deletionByAdministrators>;
