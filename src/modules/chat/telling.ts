import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, type LiveMessage, liveChannel } from '../../kernel/live.ts';
import { messageDeleted, messageEdited, messageSent } from './chat.live.ts';
import type { Message } from './messages.store.ts';

/** Returns what tells of a message that is new or changed, for clients that have seen everything up to a `seq`. */
export function liveMessageOf(message: Message, seenUpTo = message.changedSeq - 1): LiveMessage {
  const { id, roomId, userId, createdAt, editedAt, changedSeq } = message;
  const place = { chatroomId: roomId, messageId: id };
  if (message.deletedAt) return messageDeleted(place, changedSeq);
  const text = message.message;
  // One that was not edited is told as changed only when it is new.
  return message.seq > seenUpTo || !editedAt
    ? messageSent({ ...place, userId, message: text, timestamp: createdAt }, changedSeq)
    : messageEdited({ ...place, message: text, editedAt }, changedSeq);
}

/** Tells the rooms of what was said or changed in them, in its order. */
export async function tellRooms(live: Live, messages: Message[]): Promise<void> {
  const ofRooms: Map<ObjectId, Message[]> = Map.groupBy(messages, ({ roomId }) => roomId);
  for (const [roomId, ofRoom] of ofRooms)
    await live.tell(
      liveChannel.room(roomId),
      ofRoom.map((message) => liveMessageOf(message)),
    );
}
