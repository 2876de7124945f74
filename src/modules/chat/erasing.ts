import type { Database } from '../../kernel/database/database.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import { type Events, onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { userDeleted } from '../identity/contract.ts';
import { roomChanged } from './contract.ts';
import type { EarlierTextStore } from './earlier-texts.store.ts';
import type { MembershipStore } from './memberships.store.ts';
import type { OwnerStore } from './owners.store.ts';
import type { OwnerRules } from './owners.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface ErasingDeps {
  store: Pick<RoomStore, 'ofEducator'>;
  members: Pick<MembershipStore, 'leaveSome' | 'forget'>;
  owners: Pick<OwnerStore, 'someOf' | 'forget'>;
  earlier: Pick<EarlierTextStore, 'forget'>;
  ownerRules: Pick<OwnerRules, 'passOn'>;
  telling: Pick<Telling, 'tellAll'>;
  database: Database;
  events: Events;
  live: Live;
  clock: Clock;
}

const ROOMS_AT_ONCE = 100;

/**
 * Removes a deleted member from every room, with their mutes and bans. Their messages remain, without their name; their room
 * as an educator, which contains their name, is deleted, and their other rooms get another owner.
 */
export function erasing(deps: ErasingDeps): Subscription {
  const { store, members, owners, earlier, ownerRules, telling, database, events, live, clock } = deps;
  const tellDeleted = (roomId: ObjectId) => live.revoke(liveChannel.room(roomId), { reason: 'ROOM_DELETED' });

  async function deleteOwnAsEducator(userId: ObjectId): Promise<void> {
    const roomId = await store.ofEducator(userId);
    if (roomId === undefined) return;
    await database.transaction(async (tx) => {
      await owners.forget(tx, roomId, 'A former educator', clock.date());
      await events.publish(tx, roomChanged, { roomId });
      await telling.tellAll(tx, roomId);
    });
    await tellDeleted(roomId);
  }

  async function passOnAll(userId: ObjectId): Promise<void> {
    for (;;) {
      const some = await owners.someOf(userId, ROOMS_AT_ONCE);
      if (some.length === 0) return;
      for (const roomId of some) if (await ownerRules.passOn(roomId, userId)) await tellDeleted(roomId);
    }
  }

  async function erase(userId: ObjectId): Promise<void> {
    await earlier.forget(userId);
    await deleteOwnAsEducator(userId);
    // Somebody may hand them a room on meanwhile, which is left in the next round.
    do await passOnAll(userId);
    while ((await database.transaction((tx) => members.leaveSome(tx, userId))) > 0);
    await members.forget(userId);
  }
  return onExternal(userDeleted, 'chat', ({ data }) => erase(data.userId));
}
