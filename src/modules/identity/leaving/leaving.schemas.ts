import { Type } from 'typebox';
import { ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { REMAINING_KEYS } from '../contract.ts';

export const DeleteOwnAccountBody = Type.Object({
  password: Type.String({ minLength: 1, maxLength: 1024, description: 'Your current password' }),
  remainingKeys: Type.Optional(
    oneOf(REMAINING_KEYS, {
      description:
        'What becomes of the Keys in your wallet: `withdraw` pays them out, `forfeit` gives them up. Required while there are any',
      examples: ['withdraw'],
    }),
  ),
});

export const DeleteOwnAccountResult = Type.Object({ userId: ObjectIdShape });
