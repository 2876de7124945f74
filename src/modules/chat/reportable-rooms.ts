import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Reportable } from '../moderation/contract.ts';
import { banned, notMember, roomChanged, roomNotFound } from './contract.ts';
import type { MembershipStore } from './memberships.store.ts';
import { refusalOf } from './room-access.ts';
import type { Room } from './rooms.model.ts';
import type { RoomStore } from './rooms.store.ts';
import type { Telling } from './telling.ts';

interface RoomReportingDeps {
  store: Pick<RoomStore, 'find' | 'findAll' | 'lock' | 'update'>;
  members: Pick<MembershipStore, 'find'>;
  telling: Pick<Telling, 'tellAll' | 'withdrawOpening'>;
  events: Events;
  clock: Clock;
}

/** What a room is called after a moderator has removed its texts. */
const NEUTRAL = { name: 'Chatroom', description: '', rules: [] };

const textOf = ({ name, description, rules }: Room): string =>
  [name, description, ...rules].filter((text) => text !== '').join('\n');

/**
 * Makes the name, description and rules of a room reportable by everybody who may read it or was in it. Its messages have
 * reports of their own, and stay when its texts are removed.
 */
export function reportableRooms({ store, members, telling, events, clock }: RoomReportingDeps): Reportable {
  return {
    kind: 'chatroom',
    failures: [roomNotFound, notMember, banned],
    keepsContents: true,
    find: async (id, reporter) => {
      const room = await store.find(id);
      if (!room) throw roomNotFound();
      const [membership] = await members.find([{ roomId: id, userId: reporter.userId }]);
      const refusal = refusalOf(room, membership, reporter);
      // Whoever was banned knows the texts that they report.
      if (refusal && !membership) throw refusal();
      return { authorId: room.createdBy, text: textOf(room), containerId: null };
    },
    async remove(tx: Transaction, roomId: ObjectId) {
      const [room] = await store.lock(tx, [roomId]);
      if (!room) return undefined;
      await store.update(roomId, NEUTRAL, clock.date(), tx);
      await events.publish(tx, roomChanged, { roomId });
      await telling.tellAll(tx, roomId);
      if (room.type === 'public') await telling.withdrawOpening(tx, room);
      return undefined;
    },
    textLeft: async (tx, roomId) => (await store.findAll([roomId], tx)).map(textOf)[0],
  };
}
