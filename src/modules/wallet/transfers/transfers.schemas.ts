import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { Amount } from '../contract.ts';
import { Description, OptionalMetadata, TransferMetadata } from '../wallet.schemas.ts';

export const TransferKeysBody = Type.Object({
  toUserId: bodyId('user'),
  amount: Amount,
  description: Description,
  metadata: TransferMetadata,
});

export const FundWalletAsAdminBody = Type.Object({
  userId: bodyId('user'),
  amount: Amount,
  description: Description,
  metadata: OptionalMetadata,
});
