import { LRUCache } from 'lru-cache';
import { batching } from '../../kernel/concurrency/batching.ts';
import type { Core } from '../../kernel/core.ts';
import { serviceUnavailable } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { logWarning } from '../../kernel/log-warning.ts';
import { onExternal, onInTransaction } from '../../kernel/messaging/events.ts';
import type { Identity } from '../identity/contract.ts';
import { type Moderation, memberBlocked } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import { announcing } from './announcing.ts';
import { MAX_LISTED, type Presence, type Present } from './contract.ts';
import { parting } from './parting.ts';
import { presenceChanged } from './presence.live.ts';
import { presenceStore } from './presence.store.ts';

const HEARTBEAT_MS = 5_000;
const LONGEST_SILENCE_SECONDS = 15;
/** A member who returns within this time, for example after reloading a page, is never reported offline. */
const GRACE_MS = 5_000;
/** How often a return within the grace period is announced, since clients may leave and return many times a second. */
const RETURN_MS = 5_000;
/** Larger rooms are counted at most once per `LARGE_TTL_MS`; far above `MAX_LISTED`. */
const MIN_LARGE = 2 * MAX_LISTED;
const MAX_LARGE = 1_000;
const LARGE_TTL_MS = 1_000;

interface PresenceDeps extends Pick<Core, 'database' | 'newId' | 'live' | 'log'> {
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'partedFrom' | 'partedFromEach' | 'partedFromTooMany'>;
}

/** A member in a room through connections of this process. */
interface Entry extends Present {
  /** 0 within the grace period. */
  connections: number;
  leaving?: NodeJS.Timeout;
  /** Runs for `RETURN_MS` after the announcement of a return. */
  pausing?: NodeJS.Timeout | undefined;
  /** Whether they have returned during the pause. */
  hasReturned?: boolean;
}

/** Presence. Owns the database schema `presence`; kept in the database, so that it requires no other service. */
export function presenceModule({
  database,
  newId,
  live,
  log,
  identity,
  moderation,
}: PresenceDeps): Module<Presence> {
  const onError = logWarning(log, 'presence');
  const store = presenceStore(database, newId());
  const { announce, hiddenOnLeaving, tellGone, withdraw, hiddenFrom } = announcing({
    store,
    live,
    identity,
    moderation,
  });
  /** Connections of this process, by room and member. */
  const presences = new Map<string, Entry>();
  const options = { maxSize: 500, concurrency: 1, maxQueued: 50_000, onOverflow: serviceUnavailable };
  /** Cached counts of members in large rooms, because counting takes longer with more members. */
  const large = new LRUCache<ObjectId, number>({ max: MAX_LARGE, ttl: LARGE_TTL_MS });
  let beating: NodeJS.Timeout | undefined;
  let isOver = false;

  // A single lane, so that an arrival cannot overtake a departure of the same member that is being written.
  const change = batching<Present & { isComing: boolean }, undefined>(async (all) => {
    const departed = all.filter((one) => !one.isComing && !presences.has(keyOf(one)));
    const come = all.filter((one) => one.isComing && presences.has(keyOf(one)));
    if (departed.length > 0) {
      const hidden = await hiddenOnLeaving(departed);
      await publishGone(await store.leave(departed), hidden);
    }
    if (come.length > 0) await publish(await store.enter(come));
    return all.map(() => undefined);
  }, options);
  const countOf = batching<ObjectId, number>(async (roomIds) => {
    const counts = new Map(
      (await store.counts([...new Set(roomIds)])).map((one) => [one.roomId, one.active]),
    );
    for (const [roomId, active] of counts) if (active > MIN_LARGE) large.set(roomId, active);
    return roomIds.map((roomId) => counts.get(roomId) ?? 0);
  }, options);
  const membersIn = batching<ObjectId, ObjectId[]>(async (roomIds) => {
    const byRoom = Map.groupBy(
      await store.members([...new Set(roomIds)], MAX_LISTED + 1),
      ({ roomId }) => roomId,
    );
    return roomIds.map((roomId) => (byRoom.get(roomId) ?? []).map(({ userId }) => userId));
  }, options);

  /** Returns those of these members whose rooms are not too large for announcements. */
  async function announced(all: Present[], isFresh: boolean): Promise<Present[]> {
    const roomIds = [...new Set(all.map(({ roomId }) => roomId))];
    if (isFresh) for (const roomId of roomIds) large.delete(roomId);
    const active = await activeIn(roomIds);
    return all.filter(({ roomId }) => (active.get(roomId) ?? 0) <= MAX_LISTED);
  }

  const publish = async (all: Present[]): Promise<void> => announce(await announced(all, false));
  /** Notifies each room of departures; `hidden` is from whom, as of before them. */
  async function publishGone(
    all: Present[],
    hidden?: Awaited<ReturnType<typeof hiddenOnLeaving>>,
  ): Promise<void> {
    // Many members may leave a large room at once, so the cached count must not be used.
    await tellGone(await announced(all, true), hidden ?? (await hiddenOnLeaving(all)));
  }

  /**
   * Announces a member who returned within the grace period, because members who arrived since may not know of them. Of
   * several returns within the pause only the last is announced, at its end, unless they have left again by then.
   */
  async function announceReturn(entry: Entry): Promise<void> {
    entry.hasReturned = entry.pausing !== undefined;
    if (entry.hasReturned) return;
    entry.pausing = setTimeout(() => {
      entry.pausing = undefined;
      if (entry.hasReturned && entry.connections > 0) announceReturn(entry).catch(onError);
    }, RETURN_MS).unref();
    await publish([entry]);
  }

  async function activeIn(roomIds: ObjectId[]): Promise<Map<ObjectId, number>> {
    const found = await Promise.all(
      roomIds.map(async (id) => [id, large.get(id) ?? (await countOf(id))] as const),
    );
    return new Map(found);
  }

  async function whoIsIn(roomId: ObjectId): Promise<{ active: number; online?: ObjectId[] }> {
    const remembered = large.get(roomId);
    if (remembered !== undefined) return { active: remembered };
    const online = await membersIn(roomId);
    if (online.length <= MAX_LISTED) return { active: online.length, online };
    return { active: await countOf(roomId) };
  }

  const part = parting({
    store,
    announced: (all) => announced(all, false),
    withdraw,
    tellGone: publishGone,
  });

  async function shownTo(userId: ObjectId, roomId: ObjectId): ReturnType<Presence['shownTo']> {
    const { active, online } = await whoIsIn(roomId);
    if (!online) return { active };
    // Nobody would be told that those went who are parted from too many.
    const hidden = await Promise.all([moderation.partedFrom(userId), moderation.partedFromTooMany(online)]);
    const hiddenIds = new Set(hidden.flat());
    return { active, online: online.filter((id) => id === userId || !hiddenIds.has(id)) };
  }

  async function beat(): Promise<void> {
    // The database has lost this process or presumed it dead, although the process has connections.
    if ((await store.seen()) && presences.size > 0)
      await Promise.all([...presences.values()].map((one) => change({ ...one, isComing: true })));
    await publishGone(await store.sweep(LONGEST_SILENCE_SECONDS));
  }

  const service: Presence = {
    async enter(present) {
      const key = keyOf(present);
      const before = presences.get(key);
      if (!before) {
        presences.set(key, { ...present, connections: 1 });
        await change({ ...present, isComing: true });
        return;
      }
      clearTimeout(before.leaving);
      if (++before.connections === 1) await announceReturn(before);
    },
    leave(present) {
      const key = keyOf(present);
      const before = presences.get(key);
      if (!before || isOver) return;
      before.connections--;
      if (before.connections > 0) return;
      before.leaving = setTimeout(() => {
        clearTimeout(before.pausing);
        presences.delete(key);
        change({ ...present, isComing: false }).catch(onError);
      }, GRACE_MS).unref();
    },
    shownTo,
    hiddenFrom,
    whoIsIn,
    activeIn,
  };

  return {
    name: 'presence',
    service,
    live: { messages: [presenceChanged] },
    subscriptions: [
      onInTransaction(memberBlocked, 'presence-note', ({ data: { blockerId, blockedId } }, tx) =>
        store.noteBlock(tx, blockerId, blockedId),
      ),
      onExternal(memberBlocked, 'presence', ({ data: { blockerId, blockedId } }) =>
        part(blockerId, blockedId),
      ),
    ],
    async start() {
      const go = () => beat().catch(onError);
      void go();
      beating ??= setInterval(go, HEARTBEAT_MS).unref();
    },
    /** Reports every member of this process offline immediately. */
    async drain() {
      isOver = true;
      clearInterval(beating);
      for (const { leaving, pausing } of presences.values())
        for (const timer of [leaving, pausing]) clearTimeout(timer);
      presences.clear();
      // If the database is unavailable, other processes remove this one as if it had crashed; the rest of the
      // shutdown must still run.
      await store
        .removeProcess()
        .then((gone) => publishGone(gone))
        .catch(onError);
    },
  };
}

const keyOf = ({ roomId, userId }: Present): string => roomId + userId;
