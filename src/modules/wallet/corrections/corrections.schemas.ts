import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { ReasonShape } from '../../../kernel/operations/reasons.ts';
import { Amount } from '../contract.ts';
import { Keys, TransactionId } from '../ledger/transactions.schemas.ts';
import { AdminFundingResult } from '../transfers/transfers.schemas.ts';

const AllowPartial = Type.Optional(
  Type.Boolean({ description: 'Whether to take what there is, if the wallet has fewer Keys' }),
);
const Short = Type.Integer({ description: 'Keys that the wallet no longer had', examples: [0] });

export const DebitWalletBody = Type.Object({
  userId: bodyId('user'),
  amount: Amount,
  allowPartial: AllowPartial,
  reason: ReasonShape,
});

export const DebitResult = Type.Object(
  {
    wallet: AdminFundingResult.properties.wallet,
    transaction: AdminFundingResult.properties.transaction,
    short: { ...Keys, ...Short },
  },
  { $id: 'DebitResult' },
);

export const ReverseTransactionBody = Type.Object({ allowPartial: AllowPartial, reason: ReasonShape });

export const ReversalResult = Type.Object(
  {
    transaction: AdminFundingResult.properties.transaction,
    reversedTransactionId: TransactionId,
    short: { ...Keys, ...Short },
  },
  { $id: 'ReversalResult' },
);
