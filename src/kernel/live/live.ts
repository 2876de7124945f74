import type { Static, TSchema } from 'typebox';
import { chunks } from '../database/chunks.ts';
import type { Bus } from '../distributed/bus.ts';
import type { ObjectId } from '../ids.ts';
import { type MessageCheck, noMessageCheck } from '../messaging/message-check.ts';

/**
 * Who receives a message: the connections in a room, those of one member, those of every signed-in member, or the one
 * connection that it concerns.
 */
type Audience = 'room' | 'user' | 'everyone' | 'connection';

interface LiveMessageOptions<Data> {
  /** One sentence that says when clients receive it. */
  summary: string;
  audience: Audience;
  /**
   * Whether it has a sequence number, `seq`, within its room, with which a reconnecting client requests missed
   * messages. A `rewrite` also changes or withdraws an earlier message.
   */
  numbered?: 'message' | 'rewrite';
  /** Whether it answers rejected commands. */
  isRefusal?: boolean;
  /** Data for the description, where the examples of the fields are not enough. */
  examples?: Data[];
}

/** A kind of message to connected clients: its type and the shape of its data. */
export interface LiveMessageKind extends LiveMessageOptions<object> {
  /** The `type` that clients receive: `trade:created`. */
  type: string;
  shape: TSchema;
}

/** A message to connected clients, sent as `{type, data}`, with `seq` beside them where it is numbered. */
export interface LiveMessage {
  kind: LiveMessageKind;
  data: object;
  seq?: number;
}

/** A kind of message; call it with data to make a message. */
export type LiveMessageMaker<Data extends object> = LiveMessageKind &
  ((data: Data, seq?: number) => LiveMessage);

/**
 * Declares a kind of message to connected clients. Call the result to make one:
 * `live.send(liveChannel.all, [tradeAnnounced({ tradeId, symbol, direction, entryPrice })])`.
 */
export function liveMessage<Shape extends TSchema>(
  type: string,
  shape: Shape,
  options: LiveMessageOptions<Static<Shape> & object>,
): LiveMessageMaker<Static<Shape> & object> {
  const kind: LiveMessageKind = { type, shape, ...options };
  const make = (data: object, seq?: number): LiveMessage =>
    seq === undefined ? { kind, data } : { kind, data, seq };
  return Object.assign(make, kind);
}

/** Revokes access to a channel, for one member or for everyone. */
export interface Revocation {
  /** The member whose connections lose access; everyone's when missing. */
  userId?: ObjectId;
  reason: string;
}

/** A channel of live messages on the bus. */
export const liveChannel = {
  room: (roomId: ObjectId): string => `live:room:${roomId}`,
  user: (userId: ObjectId): string => `live:user:${userId}`,
  /** The channel of all signed-in members. */
  all: 'live:all',
  /** Brings messages to the channels of several members at once. */
  members: 'live:members',
};

/** Maximum number of members to whom one publication brings messages; their ids go with it. */
export const MEMBERS_AT_ONCE = 1_000;

/** A message on the bus: the exact text that clients receive, or a change of the right to read the channel. */
export type BusMessage =
  | { kind: 'message'; seq: number; type: string; text: string; except?: ReadonlySet<ObjectId> }
  | { kind: 'revocation'; revocation: Revocation }
  /** Access to the channel may have changed; processes must check it again. */
  | { kind: 'review' };

const REVOCATION = '!';
const REVIEW = '?';
/** Begins a line with the members who do not receive the messages after it. */
const EXCEPT = '-';

/**
 * Returns the text that clients receive. `seq` and `requestId` are beside `data`, which has only the fields of the
 * specification.
 */
export const textOf = ({ kind: { type }, data, seq }: LiveMessage, requestId?: string | number): string =>
  JSON.stringify({ type, data, seq, requestId });

/** Returns the line of a message on the bus: `<seq> <type> <text>`. JSON contains no line breaks. */
const encode = (message: LiveMessage): string =>
  `${message.seq ?? 0} ${message.kind.type} ${textOf(message)}`;

/** Decodes a message that {@link livePublisher} encoded. */
export function decodeLive(message: string): BusMessage[] {
  const [first = '', ...rest] = message.split('\n');
  if (!first.startsWith(EXCEPT)) return [first, ...rest].map((line) => decodeLine(line));
  const except = new Set(first.slice(EXCEPT.length).split(','));
  return rest.map((line) => decodeLine(line, except));
}

/** Decodes messages for the channels of several members. */
export function decodeForMembers(message: string): { userIds: ObjectId[]; messages: BusMessage[] } {
  const [first = '', ...lines] = message.split('\n');
  return { userIds: first.split(','), messages: lines.map((line) => decodeLine(line)) };
}

function decodeLine(line: string, except?: ReadonlySet<ObjectId>): BusMessage {
  if (line.startsWith(REVOCATION))
    return { kind: 'revocation', revocation: JSON.parse(line.slice(1)) as Revocation };
  if (line === REVIEW) return { kind: 'review' };
  const afterSeq = line.indexOf(' ');
  const afterType = line.indexOf(' ', afterSeq + 1);
  return {
    kind: 'message',
    seq: Number(line.slice(0, afterSeq)),
    type: line.slice(afterSeq + 1, afterType),
    text: line.slice(afterType + 1),
    ...(except ? { except } : {}),
  };
}

/**
 * Sends messages to connected clients after the change has committed: at most once, and only to current connections.
 */
export interface Live {
  /** @param except members to whom the messages are not delivered; the messages must not be numbered */
  send(channel: string, messages: LiveMessage[], except?: ObjectId[]): Promise<void>;
  /** Sends the same messages to the own channels of these members, by one publication for a thousand of them. */
  sendToMembers(userIds: ObjectId[], messages: LiveMessage[]): Promise<void>;
  revoke(channel: string, revocation: Revocation): Promise<void>;
  /** Makes every process check again who may read the channel before it delivers further messages. */
  review(channel: string): Promise<void>;
}

/** Makes the publisher of live messages; `check` compares each with the shape and the audience of its kind. */
export function livePublisher(bus: Pick<Bus, 'publish'>, check: MessageCheck = noMessageCheck): Live {
  return {
    send: async (channel, messages, except = []) => {
      if (messages.length === 0) return;
      if (check !== noMessageCheck) for (const message of messages) checkMessage(check, channel, message);
      const lines = messages.map(encode);
      if (except.length > 0) lines.unshift(EXCEPT + except.join(','));
      await bus.publish(channel, lines.join('\n'));
    },
    sendToMembers: async (userIds, messages) => {
      if (check !== noMessageCheck)
        for (const message of messages) checkMessage(check, liveChannel.user(''), message);
      const lines = messages.map(encode);
      for (const some of chunks(userIds, MEMBERS_AT_ONCE))
        await bus.publish(liveChannel.members, [some.join(), ...lines].join('\n'));
    },
    revoke: (channel, revocation) => bus.publish(channel, REVOCATION + JSON.stringify(revocation)),
    review: (channel) => bus.publish(channel, REVIEW),
  };
}

const CHANNEL_OF: Record<Audience, string | undefined> = {
  room: liveChannel.room(''),
  user: liveChannel.user(''),
  everyone: liveChannel.all,
  connection: undefined,
};

function checkMessage(check: MessageCheck, channel: string, { kind, data, seq }: LiveMessage): void {
  check(`a live message ${kind.type}`, kind.shape, data);
  const prefix = CHANNEL_OF[kind.audience];
  if (prefix === undefined || !channel.startsWith(prefix))
    throw new Error(`a live message ${kind.type} is for ${kind.audience}, and was sent to ${channel}`);
  if ((seq === undefined) === (kind.numbered !== undefined))
    throw new Error(`a live message ${kind.type} is ${seq === undefined ? 'not ' : ''}numbered`);
}
