import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import type { Chat } from '../chat/contract.ts';
import type { Identity } from '../identity/contract.ts';
import type { Channels } from './channels.ts';
import { CLOSES } from './closing.ts';
import type { Channel, Connection, Subscription } from './connection.ts';
import type { MemberConnections } from './members.ts';
import { hasEnded } from './numbering.ts';

const SESSIONS_AT_ONCE = 1_000;
const READERS_AT_ONCE = 1_000;
/** Attempts while the database is unavailable; messages are held back meanwhile, then the connections are closed. */
const MAX_ATTEMPTS = 5;
const PAUSE_MS = SECOND_MS;
/** After a signing key has ended, requests for new tokens are spread over this time, so that clients do not all refresh at once. */
const RENEWAL_MS = 20 * SECOND_MS;

interface AccessReviewDeps {
  channels: Channels;
  members: MemberConnections;
  identity: Pick<Identity, 'callersOf' | 'endedKeys'>;
  chat: Pick<Chat, 'excluded'>;
  clock: Clock;
  onError: (error: Error) => void;
}

const ROOM_PREFIX = liveChannel.room('');

/** Reviews the access of connections after changes to sessions, permissions or rooms. */
export function accessReview({ channels, members, identity, chat, clock, onError }: AccessReviewDeps) {
  /** Makes the tokens of signing keys that have ended expire, for example of a key that has leaked. */
  async function checkKeys(connections: Iterable<Connection>): Promise<void> {
    const byKey = Map.groupBy(connections, ({ keyId }) => keyId);
    byKey.delete(undefined);
    for (const keyId of await identity.endedKeys(byKey.keys() as Iterable<string>))
      for (const connection of byKey.get(keyId) ?? []) expire(connection, keyId);
  }

  function expire(connection: Connection, keyId: string): void {
    // It may have signed in with a newer token in the meantime.
    if (connection.keyId !== keyId) return;
    connection.keyId = undefined;
    connection.expiresAtMs = Math.min(connection.expiresAtMs, clock.now() + RENEWAL_MS);
    connection.renewalAtMs = Math.min(connection.renewalAtMs, clock.now() + Math.random() * RENEWAL_MS);
  }

  /** Closes connections whose session has ended, and refreshes the permissions of the others. */
  async function checkSessions(connections: Iterable<Connection>): Promise<void> {
    const bySession = Map.groupBy(connections, ({ caller }) => caller?.sessionId);
    const ids = [...bySession.keys()].filter((id): id is ObjectId => id !== undefined);
    for (let at = 0; at < ids.length; at += SESSIONS_AT_ONCE) {
      const batch = ids.slice(at, at + SESSIONS_AT_ONCE);
      const callers = new Map((await identity.callersOf(batch)).map((one) => [one.sessionId, one]));
      for (const id of batch)
        for (const connection of bySession.get(id) ?? []) update(connection, id, callers.get(id));
    }
  }

  function update(connection: Connection, sessionId: ObjectId, caller: UserCaller | undefined): void {
    // It may have signed in with a newer session in the meantime.
    if (connection.caller?.sessionId !== sessionId) return;
    if (caller) connection.caller = caller;
    else connection.close(CLOSES.sessionEnded);
  }

  /** Ends the subscriptions of members who may no longer read their room. */
  async function checkReaders(subscriptions: Subscription[]): Promise<void> {
    const readers = subscriptions.flatMap((subscription) => {
      const { channel, connection } = subscription;
      const { caller } = connection;
      const isOne = caller !== undefined && channel.name.startsWith(ROOM_PREFIX) && !hasEnded(subscription);
      return isOne ? [{ roomId: channel.name.slice(ROOM_PREFIX.length), caller, subscription }] : [];
    });
    for (let at = 0; at < readers.length; at += READERS_AT_ONCE) {
      for (const { subscription } of await chat.excluded(readers.slice(at, at + READERS_AT_ONCE)))
        channels.revoke(subscription, 'NOT_ALLOWED');
    }
  }

  /** Reviews subscriptions; their messages are held back until the review is complete. */
  async function review(subscriptions: Subscription[]): Promise<void> {
    const connections = new Set(subscriptions.map(({ connection }) => connection));
    for (const subscription of subscriptions) channels.pause(subscription);
    for (let attempt = 1; ; attempt++) {
      try {
        await checkSessions(connections);
        await checkReaders(subscriptions);
        break;
      } catch (error) {
        onError(error as Error);
        if (attempt < MAX_ATTEMPTS) await sleep(PAUSE_MS, undefined, { ref: false });
        else {
          for (const connection of connections) connection.close(CLOSES.unavailable);
          break;
        }
      }
    }
    for (const subscription of subscriptions) channels.release(subscription);
  }

  return {
    checkKeys,
    checkSessions,
    checkReaders,
    /** Reviews the readers of a room that has changed. */
    room: (channel: Channel): Promise<void> => review([...channel.subscriptions]),
    /** Reviews a member whose sessions or permissions have changed. */
    member: (userId: ObjectId): Promise<void> =>
      review(members.of(userId).flatMap(({ subscriptions }) => [...subscriptions.values()])),
  };
}

export type AccessReview = ReturnType<typeof accessReview>;
