import type { Failure } from '../../src/kernel/failures.ts';
import { liveChannel } from '../../src/kernel/live/live.ts';
import type { RequestFacts, UserCaller } from '../../src/kernel/operations/callers.ts';
import { manualClock } from '../../src/kernel/time/time.ts';
import type { Membership, Room } from '../../src/modules/chat/rooms.model.ts';
import { roomRules } from '../../src/modules/chat/rooms.ts';
import { blocked, muted } from '../../src/modules/moderation/contract.ts';

export const AT = new Date('2026-03-01T12:00:00Z');
export const callerOf = (userId: string, ...permissions: string[]) =>
  ({ kind: 'user', userId, permissions }) as unknown as UserCaller;
export const BEN = callerOf('ben');
export const ADA = callerOf('ada');
export const FACTS = {} as RequestFacts;
export const OPEN = {
  id: 'r1',
  name: 'Gold',
  type: 'public',
  createdBy: 'ada',
  memberCount: 3,
  updatedAt: new Date('2026-02-01T12:00:00Z'),
} as Room;
export const SECRET = { ...OPEN, type: 'private' } as Room;
export const MEMBER = {
  roomId: 'r1',
  userId: 'ben',
  isMember: true,
  mutedUntil: null,
  bannedAt: null,
  leftAt: null,
} as Membership;
export const BANNED = { ...MEMBER, isMember: false, bannedAt: AT };

const isNow = (value: unknown): boolean => value instanceof Date && value.getTime() === AT.getTime();

/** A transaction, whose locks are noted by nobody. */
const TX = { lock: async () => undefined };

/** What the rules find. */
export interface State {
  /** The room as it is found, and under its lock; undefined once it is gone. */
  room?: Room | undefined;
  locked?: Room | undefined;
  /** The membership as it is found, and under the lock of the room. */
  membership?: Membership | undefined;
  lockedMembership?: Membership | undefined;
  isBlocked?: boolean;
  /** Whether the caller is muted everywhere. */
  isMuted?: boolean;
  /** Whether there is a membership to leave. */
  hasLeft?: boolean;
  isUnknown?: boolean;
  /** Whether a join changes nothing. */
  isInAlready?: boolean;
  active?: [string, number][];
  /** How many rooms the creator has. */
  ownRooms?: number;
}

/** Returns the rules of rooms without a platform around them, and what they have done. */
export function ruling(state: State = {}) {
  const done: unknown[][] = [];
  const noting =
    (what: string, result?: unknown) =>
    async (...values: unknown[]) => {
      done.push([what, ...values.filter((value) => value !== TX && !isNow(value))]);
      return result;
    };
  const room = 'room' in state ? state.room : OPEN;
  const locked = 'locked' in state ? state.locked : room;
  const rules = roomRules({
    store: {
      findAll: async () => (room ? [room] : []),
      lock: async () => (locked ? [locked] : []),
      pageOf: async (filter: object, request: object) => {
        done.push(['page', filter]);
        return { ...request, items: room ? [room] : [], total: 1 };
      },
      insert: noting('insert'),
      countOwn: async () => state.ownRooms ?? 0,
      update: noting('update', locked),
      delete: noting('delete', locked !== undefined),
    } as never,
    members: {
      unreadOf: async () => new Map(),
      someOthersIn: async () => [],
      find: async (_pairs: object[], tx?: unknown) => {
        const found = tx && 'lockedMembership' in state ? state.lockedMembership : state.membership;
        return found ? [found] : [];
      },
      join: noting('join', state.isInAlready ? [] : [{ roomId: 'r1' }]),
      leaveAll: async (_tx: unknown, roomIds: string[], userId: string) => {
        done.push(['leave', ...roomIds, userId]);
        return state.hasLeft === false ? [] : roomIds.map((roomId) => ({ roomId, notifiedSince: null }));
      },
      mute: noting('mute'),
      ban: noting('ban'),
      pageOf: async () => [{ userId: 'ben', mutedUntil: null }],
    } as never,
    messages: { lastOf: async () => [], hasOthersThan: async () => false },
    database: { transaction: async (work: (tx: unknown) => unknown) => work(TX) } as never,
    events: {
      publish: async (_tx: unknown, { name }: { name: string }, data: object) =>
        done.push(['publish', name, data]),
    } as never,
    live: { review: noting('review'), revoke: noting('revoke'), send: noting('send') } as never,
    telling: {
      note: noting('note'),
      withdraw: async () => undefined,
      tellRemoved: noting('tell removed'),
      opening: () => async () => undefined,
      withdrawOpening: async () => undefined,
      announcing: () => async () => {
        done.push(['announce']);
        return true;
      },
    } as never,
    audit: { record: async () => 'e1', recordOnce: async () => undefined },
    presence: {
      activeIn: async () => new Map(state.active ?? [['r1', 2]]),
      shownTo: async () => ({ active: 1, online: ['ben'] }),
    },
    moderation: {
      mayApproach: async (whom: string, userId: string) => {
        done.push(['approach', whom, userId]);
        if (state.isBlocked) throw blocked();
      },
      maySpeak: async () => {
        if (state.isMuted) throw muted();
      },
      intervene: async () => undefined,
      closeReports: async () => undefined,
    },
    allowances: {
      takeRoom: noting('take room'),
      takeAdding: noting('take adding'),
      takeRestricting: async () => undefined,
    } as never,
    identity: {
      contactsOf: async () => (state.isUnknown ? [] : [{}]),
      profilesOf: async () => [],
    } as never,
    clock: manualClock(AT.getTime()),
    newId: () => 'r1',
  });
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      ({ code, message }: Failure) => code ?? message,
    );
  return { rules, done, codeOf };
}
export const CHANNEL = liveChannel.room('r1');
export const CHANGED = ['publish', 'chat.room-changed', { roomId: 'r1' }];
