import type { ObjectId } from './ids.ts';
import type { Bus } from './shared/bus.ts';

/** Something that connected clients are told, as they get it: `{type, data}` (part 2, Events). */
export interface LiveEvent {
  type: string;
  data: object;
  /** Its place among the events of its channel, where those are numbered: what was missed is found by it. */
  seq?: number;
}

/** What concerns the connections themselves: whoever it names is not to have the channel any more. */
export interface Revocation {
  /** Everybody, when missing. */
  userId?: ObjectId;
  reason: string;
}

/** A channel of live events on the bus. */
export const liveChannel = {
  room: (roomId: ObjectId): string => `live:room:${roomId}`,
  user: (userId: ObjectId): string => `live:user:${userId}`,
  /** Of everybody who is signed in. */
  all: 'live:all',
};

/** An event on its way: the very text that clients get, made once, and what must be known of it on the way. */
export type LiveMessage =
  | { kind: 'event'; seq: number; type: string; text: string }
  | { kind: 'revocation'; revocation: Revocation }
  /** Who may have the channel has changed. */
  | { kind: 'review' };

const REVOCATION = '!';
const REVIEW = '?';

/** The text that clients get. `seq` stands beside `data`, which has the specification's fields and no other. */
export const textOf = ({ type, data, seq }: LiveEvent): string =>
  JSON.stringify(seq === undefined ? { type, data } : { type, data, seq });

/** A line of a bus message: `<seq> <type> <text>`; JSON has no line breaks of its own. */
const encode = (event: LiveEvent): string => `${event.seq ?? 0} ${event.type} ${textOf(event)}`;

/** Reads what {@link livePublisher} put on the bus. */
export function decodeLive(message: string): LiveMessage[] {
  return message.split('\n').map((line) => {
    if (line.startsWith(REVOCATION))
      return { kind: 'revocation', revocation: JSON.parse(line.slice(1)) as Revocation };
    if (line === REVIEW) return { kind: 'review' };
    const afterSeq = line.indexOf(' ');
    const afterType = line.indexOf(' ', afterSeq + 1);
    return {
      kind: 'event',
      seq: Number(line.slice(0, afterSeq)),
      type: line.slice(afterSeq + 1, afterType),
      text: line.slice(afterType + 1),
    };
  });
}

/** Tells connected clients of what has happened, once it is committed: at most once, to whoever is there. */
export interface Live {
  tell(channel: string, events: LiveEvent[]): Promise<void>;
  revoke(channel: string, revocation: Revocation): Promise<void>;
  /** Has every process look again at who may have the channel, before it tells them anything more. */
  review(channel: string): Promise<void>;
}

export function livePublisher(bus: Pick<Bus, 'publish'>): Live {
  return {
    tell: async (channel, events) => {
      if (events.length > 0) await bus.publish(channel, events.map(encode).join('\n'));
    },
    revoke: (channel, revocation) => bus.publish(channel, REVOCATION + JSON.stringify(revocation)),
    review: (channel) => bus.publish(channel, REVIEW),
  };
}
