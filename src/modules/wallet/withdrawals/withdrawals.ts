import { mapPage, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../../kernel/database/queries.ts';
import { failure, notFound } from '../../../kernel/failures.ts';
import { fromReference, type ObjectId } from '../../../kernel/ids.ts';
import { announcement } from '../../../kernel/messaging/events.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import type { StepUp } from '../../../kernel/operations/step-up.ts';
import type { Actor } from '../../../kernel/records/audit.ts';
import { answered, type IdempotencyContext } from '../../../kernel/records/idempotency.ts';
import type { Merchant } from '../../merchant/contract.ts';
import { withdrawalRequested } from '../contract.ts';
import type { ExchangeRateRules } from '../exchange-rates/exchange-rates.ts';
import type { PostedTransaction, TransactionDraft } from '../ledger/drafts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { Users, WalletRules } from '../wallets/wallets.ts';
import type { Withdrawal, WithdrawalFilter, WithdrawalOutcome } from './withdrawals.model.ts';
import type { WithdrawalStore } from './withdrawals.store.ts';

export const withdrawalNotFound = notFound('Withdrawal');
export const withdrawalNotPending = failure(
  409,
  'WITHDRAWAL_NOT_PENDING',
  'The withdrawal is no longer pending',
);

export const viewOf = ({ id, ...withdrawal }: Withdrawal) => ({
  ...withdrawal,
  _id: id,
  transactionId: transactionIdOf(id),
  type: 'withdrawal' as const,
  currency: 'Keys' as const,
});

export type WithdrawalView = ReturnType<typeof viewOf>;

interface WithdrawalDeps {
  store: WithdrawalStore;
  merchant: Merchant;
  wallets: WalletRules;
  rates: ExchangeRateRules;
  stepUp: Pick<StepUp, 'mustHaveSteppedUp'>;
  users: Pick<Users, 'mustStayVerified'>;
  ledger: Pick<Ledger, 'balanceIn' | 'ensureAccount' | 'postIn'>;
}

interface WithdrawalRequest {
  amount: number;
  description?: string | undefined;
  metadata?: Record<string, unknown>;
}

interface Decision {
  outcome: WithdrawalOutcome;
  reason: string;
  /** The administrator, recorded in the audit log once the decision takes effect. */
  actor?: Actor;
  /** Runs in the transaction of the decision. */
  check?: (tx: Transaction) => Promise<void>;
  idempotency: IdempotencyContext;
}

/** Requests for the payout of Keys, which are held until the payout ends, and decisions about them. */
export function withdrawalRules(deps: WithdrawalDeps) {
  const { store, merchant, wallets, rates, ledger, stepUp, users } = deps;

  /**
   * Returns the draft of a movement of Keys to the member's hold, which requests their payout at the current rate. Limits
   * of an amount that members choose belong in `request`: here they would also keep accounts from being deleted.
   */
  async function draftOf(
    userId: ObjectId,
    { amount, description = '', metadata }: WithdrawalRequest,
    queries?: Queries,
  ): Promise<TransactionDraft> {
    const { usdAmount, cents } = await rates.payoutOf(amount, merchant.maxPayoutCents, queries);
    return {
      type: 'withdrawal',
      status: 'pending',
      from: `wallet:${userId}`,
      to: `hold:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount,
      description,
      metadata: { ...metadata, usdAmount },
      also: (tx, { id }) => merchant.requestPayout(tx, { reference: id, userId, cents }),
      announce: ({ id }) =>
        announcement(withdrawalRequested, () => ({
          transactionId: transactionIdOf(id),
          userId,
          amount,
          usdAmount,
        })),
    };
  }

  /**
   * Returns a withdrawal, optionally of one owner.
   * @throws withdrawalNotFound, also for a withdrawal of another owner
   */
  async function find(transactionId: string, ownerId?: ObjectId): Promise<Withdrawal> {
    const id = fromReference('txn', transactionId);
    const withdrawal = id === undefined ? undefined : await store.find(id);
    if (!withdrawal || (ownerId !== undefined && withdrawal.userId !== ownerId)) throw withdrawalNotFound();
    return withdrawal;
  }

  /** Ends the payout with this outcome and returns the resulting withdrawal. */
  async function decide(
    { id }: Withdrawal,
    { outcome, reason, actor, check, idempotency }: Decision,
  ): Promise<WithdrawalView> {
    let ended: WithdrawalView | undefined;
    const isDecided = await merchant.decidePayout(
      id,
      {
        id: idempotency.id,
        outcome: outcome === 'completed' ? 'paid' : outcome,
        reason,
        isOperators: actor !== undefined,
        details: actor ? { actor } : {},
      },
      async (tx) => {
        await check?.(tx);
        ended = viewOf((await store.find(id, tx)) as Withdrawal);
        await answered(tx, { idempotency }, ended);
      },
    );
    if (!isDecided) throw withdrawalNotPending();
    return ended as WithdrawalView;
  }

  return {
    /**
     * Holds the Keys and requests their payout from the merchant at the current rate.
     * @throws emailNotVerified, stepUpRequired, walletNotFound, insufficientBalance and the other failures of the ledger, amountTooSmall,
     * amountTooLarge
     */
    async request(caller: UserCaller, request: WithdrawalRequest, idempotency: IdempotencyContext) {
      const { userId } = caller;
      const { amount } = request;
      const resultOf = ({ id, from }: PostedTransaction) => ({
        wallet: { balance: from.balanceAfter },
        transaction: {
          transactionId: transactionIdOf(id),
          type: 'withdrawal' as const,
          amount,
          status: 'pending' as const,
        },
      });
      const posted = await wallets.postToHold(userId, {
        ...(await draftOf(userId, request)),
        admit: async (tx) => {
          await users.mustStayVerified(tx, caller);
          await stepUp.mustHaveSteppedUp(tx, caller);
        },
        answer: { idempotency, of: resultOf },
      });
      return resultOf(posted);
    },

    /**
     * Requests the payout of Keys of a member who is being deleted, or was, within a transaction: of all, or of some.
     * @param despiteLocks also from a locked or closed wallet
     * @returns undefined if the wallet is empty
     * @throws insufficientBalance, amountTooSmall, amountTooLarge, walletLocked, walletInactive
     */
    async requestRemainingIn(
      tx: Transaction,
      userId: ObjectId,
      { amount, description, despiteLocks = false }: Partial<WithdrawalRequest> & { despiteLocks?: boolean },
    ): Promise<PostedTransaction | undefined> {
      const balance = await ledger.balanceIn(tx, { from: `wallet:${userId}`, to: `hold:${userId}` });
      if (balance === 0) return undefined;
      await ledger.ensureAccount(tx, 'hold', userId);
      const draft = await draftOf(userId, { amount: amount ?? balance, description }, tx);
      return ledger.postIn(tx, { ...draft, despiteLocks });
    },

    /** Returns withdrawals, newest first. */
    pageOf: async (filter: WithdrawalFilter, page: PageRequest): Promise<Page<WithdrawalView>> =>
      mapPage(await store.pageOf(filter, page), viewOf),

    find,

    /** @throws withdrawalNotPending, payoutUnderWay, paymentUnavailable */
    cancel: (withdrawal: Withdrawal, idempotency: IdempotencyContext): Promise<WithdrawalView> =>
      decide(withdrawal, { outcome: 'cancelled', reason: 'cancelled by the member', idempotency }),

    /** @throws stepUpRequired, withdrawalNotPending, payoutUnderWay, paymentUnavailable */
    settle: (
      withdrawal: Withdrawal,
      decision: { outcome: WithdrawalOutcome; reason: string },
      {
        caller,
        facts,
        idempotency,
      }: { caller: UserCaller; facts: RequestFacts; idempotency: IdempotencyContext },
    ): Promise<WithdrawalView> =>
      decide(withdrawal, {
        ...decision,
        actor: actorOf(caller, facts),
        check: (tx) => stepUp.mustHaveSteppedUp(tx, caller),
        idempotency,
      }),
  };
}

export type WithdrawalRules = ReturnType<typeof withdrawalRules>;
