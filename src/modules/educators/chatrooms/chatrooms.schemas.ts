import { Type } from 'typebox';
import { DateTime, ObjectIdShape } from '../../../kernel/operations/shapes.ts';

export const ChatroomShape = Type.Object(
  {
    educatorId: ObjectIdShape,
    chatroomId: ObjectIdShape,
    name: Type.String({ examples: ['Ada L'] }),
    description: Type.String(),
    rules: Type.Array(Type.String({ examples: ['Be kind.'] })),
    memberCount: Type.Integer({ examples: [12] }),
    isActive: Type.Boolean(),
    lastMessage: Type.Unsafe<{ content: string; timestamp: Date } | null>({
      type: ['object', 'null'],
      properties: { content: { type: 'string' }, timestamp: DateTime },
      required: ['content', 'timestamp'],
    }),
  },
  { $id: 'EducatorChatroom' },
);
