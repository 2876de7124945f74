import { Type } from 'typebox';
import { DateTime, nullable, pageQuery, readableText } from '../../kernel/operations/shapes.ts';

export const EventNameShape = Type.Object(
  {
    eventName: Type.String({ examples: ['wishlist.opened'] }),
    eventType: Type.String({ examples: ['engagement'] }),
    listedAt: { ...nullable(DateTime), description: 'Null for names that every installation has' },
    isRemoved: Type.Boolean({ description: 'Whether its events are counted under `other`' }),
  },
  { $id: 'EventName' },
);
export const EventNameDecision = Type.Object(
  {
    eventName: readableText(100, { examples: ['wishlist.opened'] }),
    eventType: readableText(50, { examples: ['engagement'] }),
    reason: readableText(500, {
      description: 'Kept in the audit log',
      examples: ['Used by the new application'],
    }),
  },
  { $id: 'EventNameDecision' },
);
export const ListEventNamesQuery = Type.Object(pageQuery());
