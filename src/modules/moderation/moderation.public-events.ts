import { Type } from 'typebox';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import {
  fromEvent,
  type InternalEvent,
  internalEvents,
  type PublicEvent,
  publicEvent,
} from '../webhooks/contract.ts';
import { contentReported, memberBlocked, memberContentModerated, memberMuted } from './contract.ts';

export const moderationPublicEvents: PublicEvent[] = [
  publicEvent('moderation.reported', {
    about: 'A member reported content to the moderators',
    data: Type.Object({
      reportId: ObjectIdShape,
      kind: Type.String({ description: 'What was reported', examples: ['post'] }),
      subjectId: { ...ObjectIdShape, description: 'The id of what was reported' },
      authorId: { ...ObjectIdShape, description: 'Who wrote or published it' },
    }),
    from: [
      fromEvent(contentReported, ({ reportId, kind, subjectId, authorId }) => ({
        reportId,
        kind,
        subjectId,
        authorId,
      })),
    ],
  }),
];

export const moderationInternalEvents: InternalEvent[] = [
  ...internalEvents('Whom a member blocks is of no concern to others', memberBlocked),
  ...internalEvents(
    'What moderators do about a member concerns that member; the audit log has it',
    memberContentModerated,
    memberMuted,
  ),
];
