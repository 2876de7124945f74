import { Type } from 'typebox';
import { oneOf, pageQuery } from '../../kernel/operations/shapes.ts';
import { Amount } from './contract.ts';
import { TRANSACTION_STATUSES } from './history/transactions.store.ts';
import { Description, MembersMetadata, ReturnUrl } from './wallet.schemas.ts';
import { WITHDRAWAL_OUTCOMES } from './withdrawals/withdrawals.ts';

export const BuyKeysBody = Type.Object({
  amount: Amount,
  successUrl: ReturnUrl('Where the payer returns to after paying'),
  cancelUrl: ReturnUrl('Where the payer returns to without paying'),
  metadata: MembersMetadata,
});

export const WithdrawKeysBody = Type.Object({
  amount: Amount,
  description: Description,
  metadata: MembersMetadata,
});

export const ListWithdrawalsQuery = Type.Object({
  ...pageQuery({ limit: 50 }),
  status: Type.Optional(oneOf(TRANSACTION_STATUSES)),
});

export const SettleWithdrawalBody = Type.Object({
  outcome: oneOf(WITHDRAWAL_OUTCOMES),
  reason: Type.String({ maxLength: 500, default: '', examples: ['Paid by bank transfer'] }),
});
