import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, type LiveMessage, liveChannel } from '../../kernel/live/live.ts';
import { messageDeleted, messageEdited, messageSent } from './chat.live.ts';
import type { Message } from './messages.model.ts';

/** Returns the live message for a new or changed message, for clients that have seen events up to `seenUpTo`. */
export function liveMessageOf(message: Message, seenUpTo = message.changedSeq - 1): LiveMessage {
  const { id, roomId, userId, createdAt, editedAt, changedSeq } = message;
  const place = { chatroomId: roomId, messageId: id };
  if (message.deletedAt) return messageDeleted(place, changedSeq);
  const text = message.message;
  // Clients that have not seen the message receive it as new, even if it was edited.
  return message.seq > seenUpTo || !editedAt
    ? messageSent({ ...place, userId, message: text, timestamp: createdAt }, changedSeq)
    : messageEdited({ ...place, message: text, editedAt }, changedSeq);
}

/** Notifies rooms of new and changed messages, in order. */
export async function sendToRooms(live: Live, messages: Message[]): Promise<void> {
  const ofRooms: Map<ObjectId, Message[]> = Map.groupBy(messages, ({ roomId }) => roomId);
  for (const [roomId, ofRoom] of ofRooms)
    await live.send(
      liveChannel.room(roomId),
      ofRoom.map((message) => liveMessageOf(message)),
    );
}
