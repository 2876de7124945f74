import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { momentQuery } from '../../../kernel/operations/moments.ts';
import {
  DateTime,
  InstantText,
  nullable,
  ObjectIdShape,
  optionalText,
} from '../../../kernel/operations/shapes.ts';
import { ROUNDING } from '../exchange-rates/exchange-rates.model.ts';
import { Currency, Keys } from '../ledger/transactions.schemas.ts';

export const GetBalanceQuery = Type.Object({ at: Type.Optional(InstantText) });

export const CreateWalletAsAdminBody = Type.Object({ userId: bodyId('user') });

export const ListWalletsQuery = Type.Object({
  ...momentQuery(['createdAt', '_id'], { limit: 50 }),
  locked: Type.Optional(Type.Boolean()),
  isActive: Type.Optional(Type.Boolean()),
});

export const ChangeWalletBody = Type.Object({
  locked: Type.Optional(Type.Boolean()),
  lockedReason: Type.Optional(
    optionalText(500, {
      description: 'Shown to the member; ignored unless the wallet is locked, or is being locked',
      examples: ['Disputed payment'],
    }),
  ),
  isActive: Type.Optional(Type.Boolean()),
});

export const WalletShape = Type.Object(
  {
    _id: ObjectIdShape,
    userId: ObjectIdShape,
    balance: Keys,
    balanceUSD: Type.Number({ examples: [250] }),
    currency: Currency,
    isActive: Type.Boolean({ examples: [true] }),
    locked: Type.Boolean({ examples: [false] }),
    lockedReason: Type.Optional(
      Type.String({ description: 'Present only if locked; empty without a reason' }),
    ),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Wallet' },
);

export const Balance = Type.Object(
  {
    balance: Type.Integer({ description: 'The Keys that can be spent', examples: [250] }),
    balanceUSD: Type.Number({
      description: `At the current rate, ${ROUNDING}`,
      examples: [250],
    }),
    currency: Currency,
    locked: Type.Boolean({ examples: [false] }),
    isActive: Type.Boolean({ examples: [true] }),
  },
  { $id: 'Balance' },
);

export const Owner = nullable(
  Type.Object(
    {
      id: ObjectIdShape,
      name: Type.String({ examples: ['Ada Lovelace'] }),
      userId: ObjectIdShape,
      email: Type.String({ examples: ['ada@example.com'] }),
      firstName: Type.String({ examples: ['Ada'] }),
      lastName: Type.String({ examples: ['Lovelace'] }),
    },
    { $id: 'Owner', description: 'The owner; null if the member was deleted' },
  ),
);

export const OwnedWallet = Type.Object(
  { ...WalletShape.properties, owner: Owner },
  { $id: 'OwnedWallet', description: 'A wallet and its owner' },
);
