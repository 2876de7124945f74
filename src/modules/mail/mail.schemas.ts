import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { cursorQuery, DateTime, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { FEEDBACK_KINDS } from './suppressions.model.ts';

const EmailShape = Type.String({ maxLength: 320, examples: ['ada@example.com'] });

export const FeedbackQuery = Type.Object({
  secret: Type.Optional(
    Type.String({ maxLength: 500, description: 'The secret, for services that cannot send a header' }),
  ),
});

export const FeedbackBody = Type.Unsafe<unknown>({
  anyOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', maxItems: 1_000, items: { type: 'object', additionalProperties: true } },
  ],
  description:
    'As Amazon SES (by SNS, or its message alone), Postmark or SendGrid send it, or `{email, kind, permanent, at}`',
  examples: [{ email: 'ada@example.com', kind: 'bounce', permanent: true, at: '2026-11-23T08:00:00.000Z' }],
});

export const FeedbackAnswer = Type.Object({
  received: Type.Integer({ description: 'Reports about addresses in the body', examples: [1] }),
  suppressed: Type.Integer({ description: 'Of these, permanent ones', examples: [1] }),
});

export const ListSuppressionsQuery = Type.Object({
  ...cursorQuery({ limit: 50, before: bodyId('suppression') }),
  email: Type.Optional(EmailShape),
});

export const SuppressionParams = Type.Object({ email: EmailShape });

export const SuppressionShape = Type.Object(
  {
    id: ObjectIdShape,
    email: EmailShape,
    kind: oneOf(FEEDBACK_KINDS),
    reason: nullable(Type.String({ description: 'What the mail service said' })),
    reportedAt: DateTime,
    createdAt: DateTime,
  },
  { $id: 'MailSuppression' },
);
