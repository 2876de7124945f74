import {
  createChatroom,
  listChatMessages,
  sendChatMessage,
  type TypesOf,
  type wire,
} from '../../sdk/src/index.ts';
import type { Member } from './platform.ts';

type Speaker = Pick<Member, 'client'>;

/** Creates a chatroom and returns its id. */
export async function newRoom({ client }: Speaker, type: wire.Chatroom['type'] = 'public'): Promise<string> {
  return (await client.call(createChatroom, { body: { name: 'Gold', type } })).data.id;
}

/** Sends a message and returns it. */
export async function say({ client }: Speaker, room: string, message: string): Promise<wire.ChatMessage> {
  return (await client.call(sendChatMessage, { params: { chatroomId: room }, body: { message } })).data;
}

/** Sends a message that may be refused, optionally with a client message id. */
export const trySending = ({ client }: Speaker, room: string, message: string, clientMessageId?: string) =>
  client.attempt(sendChatMessage, {
    params: { chatroomId: room },
    body: { message, ...(clientMessageId === undefined ? {} : { clientMessageId }) },
  });

/** Returns the texts of a room's messages, newest first. */
export async function textsOf(
  { client }: Speaker,
  room: string,
  query: TypesOf<typeof listChatMessages>['query'] = {},
): Promise<string[]> {
  const { data } = await client.call(listChatMessages, { params: { chatroomId: room }, query });
  return data.map(({ message }) => message);
}
