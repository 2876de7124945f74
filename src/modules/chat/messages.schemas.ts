import { Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { ObjectIdShape, pageQuery } from '../../kernel/operations/shapes.ts';
import { ClientMessageId, MessageText } from './contract.ts';

export const ListChatMessagesQuery = Type.Object({
  ...pageQuery(),
  before: Type.Optional(bodyId('message')),
  after: Type.Optional(bodyId('message')),
});

export const SendChatMessageBody = Type.Object({
  message: MessageText,
  clientMessageId: Type.Optional(ClientMessageId),
});

export const EditChatMessageBody = Type.Object({ message: MessageText });

export const DeleteChatMessageResult = Type.Object({ id: ObjectIdShape });
