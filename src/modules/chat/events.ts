import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, type LiveEvent, liveChannel } from '../../kernel/live.ts';
import type { Message } from './messages.store.ts';

/** Part 2, Server messages: these fields and no other. */
const said = ({ id, roomId, userId, message, createdAt, changedSeq }: Message): LiveEvent => ({
  type: 'chat:message',
  data: { chatroomId: roomId, messageId: id, userId, message, timestamp: createdAt },
  seq: changedSeq,
});
const edited = ({ id, roomId, message, editedAt, changedSeq }: Message): LiveEvent => ({
  type: 'chat:updated',
  data: { chatroomId: roomId, messageId: id, message, editedAt },
  seq: changedSeq,
});
const deleted = ({ id, roomId, changedSeq }: Message): LiveEvent => ({
  type: 'chat:deleted',
  data: { chatroomId: roomId, messageId: id },
  seq: changedSeq,
});

/** What somebody who has seen everything up to a place is told of a message that is new or changed since. */
export function eventOf(message: Message, seenUpTo = message.changedSeq - 1): LiveEvent {
  if (message.deletedAt) return deleted(message);
  return message.seq > seenUpTo ? said(message) : edited(message);
}

/** Tells the rooms of what was said or changed in them, in its order. */
export async function tellRooms(live: Live, messages: Message[]): Promise<void> {
  const ofRooms: Map<ObjectId, Message[]> = Map.groupBy(messages, ({ roomId }) => roomId);
  for (const [roomId, ofRoom] of ofRooms)
    await live.tell(
      liveChannel.room(roomId),
      ofRoom.map((message) => eventOf(message)),
    );
}
