import { Type } from 'typebox';
import { invalidId } from '../../kernel/failures.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { cursorQuery, ObjectIdShape, refusedAs } from '../../kernel/operations/shapes.ts';
import { ClientMessageId, MessageText } from './contract.ts';

export const ListChatMessagesQuery = Type.Object({
  ...cursorQuery(),
  after: Type.Optional({
    ...refusedAs(ObjectIdShape, invalidId('message'), null),
    description: 'The `id` of a message: lists those sent after it. Not together with `page` or `before`',
    insteadOf: ['page', 'before'],
  }),
});

export const SendChatMessageBody = Type.Object({
  message: MessageText,
  clientMessageId: Type.Optional(ClientMessageId),
});

export const EditChatMessageBody = Type.Object({ message: MessageText });

export const MarkChatroomReadBody = Type.Object({ messageId: bodyId('message') });
