import { Type } from 'typebox';
import { nullable, ObjectIdShape, oneOf, readableText } from '../../../kernel/operations/shapes.ts';

/** Number of records that a search returns at most. */
export const MOST_FOUND = 20;

export const SearchRecordsQuery = Type.Object({
  q: readableText(200, {
    description:
      'An identifier of any kind (a request, a payment session, a payout, an object identifier), an e-mail address, or the beginning of a name',
    examples: ['ada@example.com'],
  }),
});

export const foundRecordsShape = (types: string[]) =>
  Type.Array(
    Type.Object(
      {
        type: oneOf(types, { examples: ['user'] }),
        id: Type.String({
          description: 'By which the operations of the type name it',
          examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
        }),
        title: Type.String({ examples: ['Ada Lovelace (ada@example.com)'] }),
        userId: nullable({ ...ObjectIdShape, description: 'The user whom it is about' }),
      },
      { $id: 'FoundRecord' },
    ),
    { description: `At most ${MOST_FOUND}` },
  );
