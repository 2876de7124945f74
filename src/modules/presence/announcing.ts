import type { Core } from '../../kernel/core.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { type Identity, withMembers } from '../identity/contract.ts';
import { MAX_BLOCKERS, type Moderation } from '../moderation/contract.ts';
import type { Present } from './contract.ts';
import { presenceChanged } from './presence.live.ts';

interface AnnouncingDeps extends Pick<Core, 'live'> {
  store: { blocksToTell(userIds: ObjectId[]): Promise<Map<ObjectId, ObjectId[]>> };
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'partedFromEach'>;
}

type Status = 'online' | 'offline';
/** By member, from whom a block parts them; who is parted from nobody is not in it. */
type Parted = Map<ObjectId, ObjectId[]>;

/** Tells those who are in rooms who comes and goes, except whom a block parts from them. */
export function announcing({ store, live, identity, moderation }: AnnouncingDeps) {
  async function tell(all: Present[], status: Status, parted: Parted): Promise<void> {
    const ofRooms = Map.groupBy(await withMembers(identity, all), ({ roomId }) => roomId);
    for (const [roomId, ofRoom] of ofRooms) {
      const send = (some: typeof ofRoom, except: ObjectId[]) =>
        live.send(
          liveChannel.room(roomId),
          some.map(({ userId, user }) => presenceChanged({ chatroomId: roomId, userId, user, status })),
          except,
        );
      const together = ofRoom.filter(({ userId }) => !parted.get(userId)?.length);
      await send(together, []);
      for (const one of ofRoom) {
        const except = parted.get(one.userId) ?? [];
        if (except.length > 0 && except.length <= MAX_BLOCKERS) await send([one], except);
      }
    }
  }

  /**
   * Returns from whom members who are about to leave are hidden. Departures are also told to those whom a block has parted
   * of which the rooms have not been told yet: whoever goes before would stay online for them. Asked before a departure, so that a
   * block that is told meanwhile does not hide it.
   */
  async function hiddenOnLeaving(all: Present[]): Promise<Parted> {
    const userIds = idsOf(all);
    const parted = await moderation.partedFromEach(userIds);
    if (parted.size === 0) return parted;
    const toTell = await store.blocksToTell([...parted.keys()]);
    for (const [userId, others] of toTell) {
      const hidden = parted.get(userId) ?? [];
      // So many are not all there, and nobody is told.
      if (hidden.length > MAX_BLOCKERS) continue;
      const told = new Set(others);
      parted.set(
        userId,
        hidden.filter((id) => !told.has(id)),
      );
    }
    return parted;
  }

  /** Tells of arrivals. Who is parted from more members than can be left out is not announced at all. */
  async function announce(all: Present[]): Promise<void> {
    const userIds = idsOf(all);
    const parted = await moderation.partedFromEach(userIds);
    await tell(all, 'online', parted);
    // A block that began meanwhile may have been told before this was.
    const now = await moderation.partedFromEach(userIds);
    const late = all.filter(({ userId }) => hasMore(now.get(userId), parted.get(userId)));
    if (late.length > 0) await withdraw(late);
  }

  /**
   * Takes members of whom one has blocked the other from what both see; the others see them leave and come back, since a
   * room is told as a whole.
   */
  async function withdraw(all: Present[]): Promise<void> {
    await tell(all, 'offline', new Map());
    await announce(all);
  }

  return {
    announce,
    hiddenOnLeaving,
    /** Tells of departures. */
    tellGone: (all: Present[], hidden: Parted): Promise<void> => tell(all, 'offline', hidden),
    withdraw,
    /** Returns who must not see what a member does in a room; undefined if that is more than can be left out. */
    async hiddenFrom(userId: ObjectId): Promise<ObjectId[] | undefined> {
      const parted = (await moderation.partedFromEach([userId])).get(userId) ?? [];
      return parted.length > MAX_BLOCKERS ? undefined : parted;
    },
  };
}

/** Whether some of these members are not among those from before, unless those were too many to be all there. */
function hasMore(now: ObjectId[] = [], before: ObjectId[] = []): boolean {
  if (before.length > MAX_BLOCKERS) return false;
  const known = new Set(before);
  return now.some((id) => !known.has(id));
}

const idsOf = (all: Present[]): ObjectId[] => [...new Set(all.map(({ userId }) => userId))];
