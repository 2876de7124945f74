import { Type } from 'typebox';
import { OwnedWallet } from '../wallets/wallets.schemas.ts';
import { WithdrawalShape } from '../withdrawals/withdrawals.schemas.ts';

export const InspectedWallet = Type.Object(
  {
    ...OwnedWallet.properties,
    heldKeys: Type.Integer({ description: 'Keys held by pending withdrawals', examples: [40] }),
    pendingWithdrawals: Type.Array(WithdrawalShape, { description: 'The 100 newest' }),
  },
  { $id: 'InspectedWallet' },
);
