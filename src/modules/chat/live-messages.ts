import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, type LiveMessage, liveChannel } from '../../kernel/live/live.ts';
import type { MessageView } from './authors.ts';
import { messageDeleted, messageEdited, messageSent } from './chat.live.ts';

/**
 * Returns the live message for a new or changed message.
 * @param seenUpTo the last event that its readers have seen; they have seen everything before this one if it is missing
 */
export function liveMessageOf(message: MessageView, seenUpTo = message.changedSeq): LiveMessage {
  const { id, roomId, userId, user, createdAt, editedAt, changedSeq } = message;
  const place = { chatroomId: roomId, messageId: id };
  if (message.deletedAt) return messageDeleted(place, changedSeq);
  const text = message.message;
  // Clients that have not seen the message receive it as new, even if it was edited.
  return message.seq > seenUpTo || !editedAt
    ? messageSent({ ...place, userId, user, message: text, timestamp: createdAt }, changedSeq)
    : messageEdited({ ...place, message: text, editedAt }, changedSeq);
}

/** Notifies rooms of new and changed messages, in order. */
export async function sendToRooms(live: Live, messages: MessageView[]): Promise<void> {
  const ofRooms: Map<ObjectId, MessageView[]> = Map.groupBy(messages, ({ roomId }) => roomId);
  for (const [roomId, ofRoom] of ofRooms)
    await live.send(
      liveChannel.room(roomId),
      ofRoom.map((message) => liveMessageOf(message)),
    );
}
