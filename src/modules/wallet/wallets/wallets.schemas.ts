import { Type } from 'typebox';
import { bodyId } from '../../../kernel/operations/ids.ts';
import { InstantText, pageQuery } from '../../../kernel/operations/shapes.ts';

export const GetBalanceQuery = Type.Object({ at: Type.Optional(InstantText) });

export const CreateWalletAsAdminBody = Type.Object({ userId: bodyId('user') });

export const ListWalletsQuery = Type.Object({
  ...pageQuery({ limit: 50 }),
  locked: Type.Optional(Type.Boolean()),
  isActive: Type.Optional(Type.Boolean()),
});

export const ChangeWalletBody = Type.Object({
  locked: Type.Optional(Type.Boolean()),
  lockedReason: Type.Optional(Type.String({ maxLength: 500, examples: ['Disputed payment'] })),
  isActive: Type.Optional(Type.Boolean()),
});
