import { Type } from 'typebox';
import { nullable } from '../../../kernel/operations/shapes.ts';
import { OwnedWallet } from '../wallets/wallets.schemas.ts';
import { WithdrawalShape } from '../withdrawals/withdrawals.schemas.ts';

/** Number of withdrawals shown with a wallet. */
export const SHOWN_WITHDRAWALS = 100;

export const InspectedWallet = Type.Object(
  {
    ...OwnedWallet.properties,
    heldKeys: Type.Integer({ description: 'Keys held by pending withdrawals', examples: [40] }),
    pendingWithdrawals: Type.Array(WithdrawalShape, { description: `The ${SHOWN_WITHDRAWALS} newest` }),
  },
  { $id: 'InspectedWallet' },
);

export const OverviewWallet = nullable({ ...InspectedWallet, description: 'Null if the user has none' });
