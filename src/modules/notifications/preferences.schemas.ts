import { Type } from 'typebox';

export const Unsubscribed = Type.Object({ email: Type.Boolean({ examples: [false] }) });

export const UnsubscribeByMailBody = Type.Object({
  'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100, examples: ['One-Click'] })),
});
