import type { Core } from '../../kernel/core.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { chatroomRead } from './chat.live.ts';
import { notMember } from './contract.ts';
import { messageNotFound } from './failures.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { MessageStore } from './messages.store.ts';
import type { WaitingMessages } from './waiting.ts';

interface ReadingDeps extends Pick<Core, 'live'> {
  waiting: Pick<WaitingMessages, 'takeBack'>;
  members: Pick<MembershipStore, 'markRead' | 'readPosition' | 'allUnreadOf'>;
  messages: Pick<MessageStore, 'seqOf'>;
}

interface ReadUpTo {
  roomId: ObjectId;
  messageId: ObjectId;
  userId: ObjectId;
}

/** Up to where members have read in their rooms. */
export const readingRules = ({ live, members, messages, waiting }: ReadingDeps) => ({
  allUnreadOf: members.allUnreadOf,

  /**
   * Records that a member has read a room up to a message, which may have been deleted since. An earlier message than the
   * last one changes nothing, so that two devices cannot undo each other.
   * @returns the position that is stored then
   * @throws messageNotFound, notMember
   */
  async markRead({ roomId, messageId, userId }: ReadUpTo) {
    const seq = await messages.seqOf(roomId, messageId);
    if (seq === undefined) throw messageNotFound();
    const isNews = await members.markRead(roomId, userId, seq);
    // Another device may have read further meanwhile.
    const position = await members.readPosition(roomId, userId);
    if (!position) throw notMember();
    const read = { chatroomId: roomId, messageId, ...position };
    if (isNews) await waiting.takeBack(roomId, userId);
    if (isNews) await live.send(liveChannel.user(userId), [chatroomRead(read)]);
    return read;
  },
});

export type ReadingRules = ReturnType<typeof readingRules>;
