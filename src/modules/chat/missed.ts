import { batching } from '../../kernel/concurrency/batching.ts';
import { limitPerKey } from '../../kernel/concurrency/limit-per-key.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Identity } from '../identity/contract.ts';
import { withAuthors } from './authors.ts';
import { messagesLost } from './chat.live.ts';
import type { Missed, Portion } from './contract.ts';
import { liveMessageOf } from './live-messages.ts';
import type { Change, Message } from './messages.model.ts';
import type { MessageStore } from './messages.store.ts';

/** Maximum number of missed events that are sent; clients that missed more read the rest over HTTP. */
const MAX_MISSED = 300;
/** Bytes of text per portion. */
const PORTION_BYTES = 128 * 1024;
/**
 * Maximum number of concurrent reads in this process, so that many reconnecting clients leave connections for others.
 */
const READS_AT_ONCE = 4;

interface MissedDeps {
  store: Pick<MessageStore, 'changesAfter' | 'findAll'>;
  identity: Pick<Identity, 'profilesOf'>;
}

/** The events of rooms that clients missed. */
export function missedEvents({ store, identity }: MissedDeps) {
  const limitReads = limitPerKey(READS_AT_ONCE);
  const reading = <Result>(work: () => Promise<Result>): Promise<Result> => limitReads('', work);

  /**
   * Reads the next portion of the events; their places and order were determined with the first portion, their texts
   * are current.
   */
  async function read(rest: Change[], after: number): Promise<Portion> {
    const count = portionOf(rest);
    const requests = rest.slice(0, count);
    const found = await reading(async () =>
      withAuthors(identity, await store.findAll(requests.map(({ id }) => id))),
    );
    const byId = new Map(found.map((message) => [message.id, message]));
    const messages = requests.flatMap(({ id, changedSeq }) => {
      const message = byId.get(id);
      // A change made since then follows with its own event number.
      return message ? [liveMessageOf({ ...message, changedSeq }, after)] : [];
    });
    return { messages, next: nextOf(rest.slice(count), after) };
  }

  const nextOf = (rest: Change[], after: number): Portion['next'] =>
    rest.length > 0 ? () => read(rest, after) : undefined;

  async function missed(roomId: ObjectId, after: number): Promise<Missed> {
    const { found, newest, count, first } = await reading(async () => {
      const found = await store.changesAfter(roomId, after, MAX_MISSED + 1, PORTION_BYTES);
      const newest = found.slice(-MAX_MISSED);
      const later = newest.findIndex(({ message }) => message === null);
      const count = later < 0 ? newest.length : later;
      return {
        found,
        newest,
        count,
        first: await withAuthors(identity, newest.slice(0, count) as Message[]),
      };
    });
    return {
      messages: first.map((message) => liveMessageOf(message, after)),
      next: nextOf(newest.slice(count), after),
      count: newest.length,
      seq: newest.at(-1)?.changedSeq ?? after,
      gap: found.length > MAX_MISSED ? messagesLost({ chatroomId: roomId, after }) : undefined,
    };
  }

  // Many clients reconnect to a room at the same time: identical queries share one result.
  const readBatched = batching<{ roomId: ObjectId; after: number }, Missed>(
    async (requests) => {
      const answers = new Map<string, Promise<Missed>>();
      return Promise.all(
        requests.map(({ roomId, after }) => {
          const key = `${roomId}${after}`;
          const answer = answers.get(key) ?? missed(roomId, after);
          answers.set(key, answer);
          return answer;
        }),
      );
    },
    { maxSize: 500, concurrency: 2, maxQueued: 20_000, onOverflow: serviceUnavailable },
  );

  /** Returns the newest few hundred events of a room after an event number, in portions. */
  return (roomId: ObjectId, after: number): Promise<Missed> => readBatched({ roomId, after });
}

/** Returns the number of changes in the next portion: at least one. */
function portionOf(changes: Change[]): number {
  let sum = 0;
  const end = changes.findIndex(({ bytes }, place) => {
    sum += bytes;
    return place > 0 && sum > PORTION_BYTES;
  });
  return end < 0 ? changes.length : end;
}
