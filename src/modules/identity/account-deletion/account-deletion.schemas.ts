import { Type } from 'typebox';
import { MOST_COUNTED } from '../../../kernel/database/pagination.ts';
import { nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { REMAINING_KEYS } from '../contract.ts';

export const DeleteOwnAccountBody = Type.Object({
  password: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Your current password; not needed after a step-up',
    }),
  ),
  remainingKeys: Type.Optional(
    oneOf(REMAINING_KEYS, {
      description:
        'What becomes of the Keys in your wallet: `withdraw` pays them out, `forfeit` gives them up. Required while there are any',
      examples: ['withdraw'],
    }),
  ),
});

export const DeleteUserQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: '`true` deletes nothing and says what the deletion would do' }),
  ),
});

export const DeleteUserBody = Type.Object({
  remainingKeys: Type.Optional(
    oneOf(REMAINING_KEYS, {
      description:
        "What becomes of the Keys in the member's wallet: `withdraw` pays them out, `forfeit` takes them out of circulation. Required while there are any",
      examples: ['withdraw'],
    }),
  ),
});

const CountedRecords = Type.Object(
  {
    name: Type.String({ description: 'A kind of records', examples: ['messages'] }),
    count: nullable(
      Type.Integer({
        description: `At most ${MOST_COUNTED.toLocaleString('en')}; null where they are not counted`,
        examples: [12],
      }),
    ),
  },
  { $id: 'CountedRecords' },
);

export const DeleteUserResult = Type.Object({
  userId: ObjectIdShape,
  dryRun: Type.Boolean(),
  blockedBy: nullable(
    Type.Object(
      {
        code: Type.String({ examples: ['WALLET_NOT_EMPTY'] }),
        message: Type.String({ examples: ['The wallet still holds Keys'] }),
      },
      { description: 'Why the deletion would be refused; null after a deletion' },
    ),
  ),
  balance: nullable(
    Type.Integer({ description: 'The Keys before the deletion; null without a wallet', examples: [120] }),
  ),
  erased: Type.Array(CountedRecords, { description: 'What is erased' }),
  kept: Type.Array(CountedRecords, { description: 'What stays, under the id and without a name' }),
});

export const DeleteOwnAccountResult = Type.Object({ userId: ObjectIdShape });
