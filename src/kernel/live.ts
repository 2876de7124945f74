import type { Static, TSchema } from 'typebox';
import type { ObjectId } from './ids.ts';
import { type MessageCheck, noMessageCheck } from './message-check.ts';
import type { Bus } from './shared/bus.ts';

/**
 * Who gets a message: the connections in a room, those of one member, those of everyone who is signed in, or the one
 * connection that it is about.
 */
type Audience = 'room' | 'user' | 'everyone' | 'connection';

interface LiveMessageOptions<Data> {
  /** One sentence: when clients get it. */
  summary: string;
  audience: Audience;
  /**
   * Whether it has a number, `seq`, in the order of its room, by which a client that was away asks for what it missed. A
   * `rewrite` also changes or takes back what an earlier message said.
   */
  numbered?: 'message' | 'rewrite';
  /** Answers commands that are refused. */
  isRefusal?: boolean;
  /** Data for the description, where the examples of the fields do not say enough. */
  examples?: Data[];
}

/** A kind of message to connected clients: its type and the shape of its data. */
export interface LiveMessageKind extends LiveMessageOptions<object> {
  /** As clients get it: `trade:created`. */
  type: string;
  shape: TSchema;
}

/** A message to connected clients, who get it as `{type, data}`, with `seq` beside them where it is numbered. */
export interface LiveMessage {
  kind: LiveMessageKind;
  data: object;
  seq?: number;
}

/** A kind of message that makes messages when it is called with their data. */
export type LiveMessageMaker<Data extends object> = LiveMessageKind &
  ((data: Data, seq?: number) => LiveMessage);

/**
 * Declares a kind of message to connected clients. It is called to make one:
 * `live.tell(liveChannel.all, [tradeAnnounced({ tradeId, symbol, direction, entryPrice })])`.
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

/** What concerns the connections themselves: those that it names lose the channel. */
export interface Revocation {
  /** Everybody, when missing. */
  userId?: ObjectId;
  reason: string;
}

/** A channel of live messages on the bus. */
export const liveChannel = {
  room: (roomId: ObjectId): string => `live:room:${roomId}`,
  user: (userId: ObjectId): string => `live:user:${userId}`,
  /** Of everybody who is signed in. */
  all: 'live:all',
};

/** What the bus brings: a message as the very text that clients get, or a change of who may have the channel. */
export type BusMessage =
  | { kind: 'message'; seq: number; type: string; text: string }
  | { kind: 'revocation'; revocation: Revocation }
  /** Who may have the channel has changed. */
  | { kind: 'review' };

const REVOCATION = '!';
const REVIEW = '?';

/**
 * Returns the text that clients get. `seq` and `requestId` stand beside `data`, which has the specification's fields
 * and no other.
 */
export const textOf = ({ kind: { type }, data, seq }: LiveMessage, requestId?: string | number): string =>
  JSON.stringify({ type, data, seq, requestId });

/** Returns a line of a bus message: `<seq> <type> <text>`; JSON has no line breaks of its own. */
const encode = (message: LiveMessage): string =>
  `${message.seq ?? 0} ${message.kind.type} ${textOf(message)}`;

/** Reads what {@link livePublisher} put on the bus. */
export function decodeLive(message: string): BusMessage[] {
  return message.split('\n').map((line) => {
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
    };
  });
}

/** Tells connected clients of what has happened, once it is committed: at most once, and only those connected now. */
export interface Live {
  tell(channel: string, messages: LiveMessage[]): Promise<void>;
  revoke(channel: string, revocation: Revocation): Promise<void>;
  /** Has every process look again at who may have the channel, before it tells them anything more. */
  review(channel: string): Promise<void>;
}

/** Makes the publisher of live messages; `check` compares each with the shape and the audience of its kind. */
export function livePublisher(bus: Pick<Bus, 'publish'>, check: MessageCheck = noMessageCheck): Live {
  return {
    tell: async (channel, messages) => {
      if (messages.length === 0) return;
      if (check !== noMessageCheck) for (const message of messages) checkMessage(check, channel, message);
      await bus.publish(channel, messages.map(encode).join('\n'));
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
    throw new Error(`a live message ${kind.type} is for ${kind.audience}, and was told on ${channel}`);
  if ((seq === undefined) === (kind.numbered !== undefined))
    throw new Error(`a live message ${kind.type} is ${seq === undefined ? 'not ' : ''}numbered`);
}
