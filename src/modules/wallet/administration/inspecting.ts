import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { OwnerRules } from '../wallets/owners.ts';
import type { WalletRules } from '../wallets/wallets.ts';
import type { WithdrawalRules } from '../withdrawals/withdrawals.ts';
import { SHOWN_WITHDRAWALS } from './administration.schemas.ts';

interface Deps {
  wallets: Pick<WalletRules, 'inspect'>;
  withdrawals: Pick<WithdrawalRules, 'pageOf'>;
  owners: OwnerRules;
}

/** Returns a wallet as administrators see it. @throws walletNotFound, userNotFound */
export const inspecting =
  ({ wallets, withdrawals, owners }: Deps) =>
  async (userId: ObjectId) => {
    const wallet = await wallets.inspect(userId);
    const pending = await withdrawals.pageOf(
      { status: 'pending', userId },
      { page: 1, limit: SHOWN_WITHDRAWALS },
    );
    return { ...only(await owners.ofRows([wallet])), pendingWithdrawals: pending.items };
  };

export type InspectWallet = ReturnType<typeof inspecting>;
