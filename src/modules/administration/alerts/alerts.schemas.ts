import { Type } from 'typebox';
import { bodyId, pathId } from '../../../kernel/operations/ids.ts';
import { cursorQuery, DateTime, nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';
import { PersonShape } from '../contract.ts';
import { ALERT_STATUSES } from './alerts.model.ts';

export const alertParams = Type.Object({ alertId: pathId('alert') });

export const ListAlertsQuery = Type.Object({
  ...cursorQuery({ before: bodyId('alert') }),
  status: Type.Optional(oneOf(ALERT_STATUSES)),
  target: Type.Optional(Type.String({ maxLength: 255, description: 'The `target` of the alerts' })),
});

export const AlertShape = Type.Object(
  {
    id: ObjectIdShape,
    action: Type.String({ description: 'What happened', examples: ['payment.payout-paid-after-end'] }),
    subject: Type.String({
      description: 'What must be dealt with; of each at most one alert is open',
      examples: ['payout:6740f1c2a9b3e4d5f6a7b8c9'],
    }),
    actor: Type.String({ description: 'The part that raised it', examples: ['service:payments'] }),
    target: Type.String({
      description: 'The id of the member, or of the object of another system',
      examples: ['6740f1c2a9b3e4d5f6a7b8ca'],
    }),
    member: nullable({ ...PersonShape, description: 'The member whom `target` names, unless deleted' }),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    raisedAt: { ...DateTime, description: 'Since when the subject has waited, also under earlier alerts' },
    closedAt: nullable({ ...DateTime, description: 'Null while it is open' }),
    closedBy: nullable(
      Type.String({
        description: 'The administrator, or the part that raised it if it dealt with itself',
        examples: ['6740f1c2a9b3e4d5f6a7b8cb'],
      }),
    ),
  },
  { $id: 'Alert', description: 'What a person must deal with' },
);
