import { Type } from 'typebox';
import { csvQuery } from '../../../kernel/operations/csv-lists.ts';
import {
  cursorQuery,
  DateTime,
  mapOf,
  nullable,
  ObjectIdShape,
  periodQuery,
} from '../../../kernel/operations/shapes.ts';

const Word = Type.Optional(Type.String({ maxLength: 100 }));

export const ListAuditQuery = Type.Object({
  ...cursorQuery(),
  actor: Word,
  action: Word,
  target: Word,
  transactionId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Entries about a transaction of Keys: whose target it is, or whose details name it, as those of fundings, debits and settlements',
    }),
  ),
  ...periodQuery,
  ...csvQuery,
});

export const AuditRecordShape = Type.Object(
  {
    id: ObjectIdShape,
    actor: Type.String({
      description: 'A user id, or `service:<name>`',
      examples: ['6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    actorName: nullable(
      Type.String({
        description: 'Null of a service and once the account is deleted',
        examples: ['Ada Lovelace'],
      }),
    ),
    actorEmail: nullable(Type.String({ examples: ['admin@example.com'] })),
    action: Type.String({ examples: ['wallet.funded'] }),
    target: nullable(
      Type.String({ description: 'The object of the action', examples: ['6740f1c2a9b3e4d5f6a7b8ca'] }),
    ),
    targetName: nullable(Type.String({ description: 'What it is called', examples: ['Ada Lovelace'] })),
    reason: nullable(Type.String({ examples: ['Asked for by the member'] })),
    changes: mapOf(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 }), {
      description: 'The value of each changed field before and after',
      examples: [{ firstName: ['Ada', 'Augusta'] }],
    }),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    requestId: nullable(Type.String()),
    createdAt: DateTime,
  },
  { $id: 'AuditRecord' },
);
