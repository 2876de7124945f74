import { Type } from 'typebox';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { type Command, command } from '../../kernel/live/live-commands.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import type { Presence } from '../presence/contract.ts';
import { RATE } from './allowances.ts';
import { memberTyping, sendAcknowledged } from './chat.live.ts';
import { ClientMessageId, MessageText } from './contract.ts';
import { SEND_FAILURES } from './failures.ts';
import { isModerator } from './room-access.ts';
import type { Send } from './sending.ts';

/** Minimum interval between typing messages, shorter than clients display the indicator. */
const TYPING_MS = 3 * SECOND_MS;
/** Typing messages of a member in all rooms together, each of which goes to everybody in a room. */
const TYPING_PER_SECOND = 5;

interface CommandDeps {
  live: Live;
  send: Send;
  /** Returns whether a member is currently muted in or banned from a room. */
  isMuted: (roomId: ObjectId, caller: UserCaller) => Promise<boolean>;
  hiddenFrom: Presence['hiddenFrom'];
}

/** The commands on chatrooms over the live channel. */
export const chatCommands = ({ live, send, isMuted, hiddenFrom }: CommandDeps): Command[] => [
  command({
    type: 'chat:send',
    summary: 'Sends a message to a chatroom. The acknowledgement follows once the message is stored.',
    fields: Type.Object({
      chatroomId: ObjectIdShape,
      message: MessageText,
      clientMessageId: Type.Optional(ClientMessageId),
    }),
    failures: SEND_FAILURES,
    answer: sendAcknowledged,
    limit: `${RATE.limit} messages per member within any minute, over HTTP and the live channel combined`,
    async handle({ fields: { chatroomId: roomId, message, clientMessageId }, caller }) {
      const { userId } = caller;
      const clientId = clientMessageId ?? null;
      const sent = await send({ roomId, userId, message, clientId, isModerator: isModerator(caller) });
      return sendAcknowledged({
        clientMessageId,
        messageId: sent.id,
        chatroomId: roomId,
        seq: sent.seq,
        timestamp: sent.createdAt,
        duplicate: sent.isRepeated,
      });
    },
  }),
  command({
    type: 'chat:typing',
    summary:
      'Shows the other members of a room that you are typing. The connection must be subscribed to the room.',
    fields: Type.Object({ chatroomId: ObjectIdShape }),
    access: 'signed-in',
    throttle: {
      everyMs: TYPING_MS,
      keyOf: ({ chatroomId }) => chatroomId,
      of: 'room',
      perSecond: TYPING_PER_SECOND,
    },
    async handle({ fields: { chatroomId }, caller, connection }) {
      const channel = liveChannel.room(chatroomId);
      // Clients send typing only after subscribing; members who are muted or banned must not appear to type.
      if (!connection.isOn(channel) || (await isMuted(chatroomId, caller))) return undefined;
      const { userId } = caller;
      const parted = await hiddenFrom(userId);
      if (parted) await live.send(channel, [memberTyping({ chatroomId, userId })], [userId, ...parted]);
      return undefined;
    },
  }),
];
