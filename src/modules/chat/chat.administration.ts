import type { Core } from '../../kernel/core.ts';
import type { LookUp, UserOverviewPart } from '../administration/contract.ts';
import { StandingsShape } from './chat.schemas.ts';
import type { MessageStore } from './messages.store.ts';
import type { RoomStore } from './rooms.store.ts';
import type { StandingStore } from './standings.store.ts';

interface LookUpDeps {
  messages: Pick<MessageStore, 'findAll'>;
  rooms: Pick<RoomStore, 'findAll'>;
}

/** Finds messages for administrators. Those of rooms that are not public are read in the room, which is recorded. */
export const messageLookUp = ({ messages, rooms }: LookUpDeps): LookUp => ({
  type: 'message',
  find: async ({ id }) => {
    const [message] = id === undefined ? [] : await messages.findAll([id]);
    if (!message) return [];
    const [room] = await rooms.findAll([message.roomId]);
    const isPublic = room?.type === 'public';
    const shown = isPublic ? message.message : 'A message in a chatroom that is not public';
    const title = message.deletedAt === null ? shown : 'A deleted message';
    return [{ id: message.id, title, userId: message.userId, match: 'id' }];
  },
});

/** The rooms in which a member is muted or banned. */
export const roomsOfUser = (
  { mutedIn, bannedFrom }: Pick<StandingStore, 'mutedIn' | 'bannedFrom'>,
  { clock }: Pick<Core, 'clock'>,
): UserOverviewPart => ({
  name: 'rooms',
  shape: StandingsShape,
  read: async (userId) => {
    const [muted, banned] = await Promise.all([mutedIn(userId, clock.date()), bannedFrom(userId)]);
    return { muted, banned };
  },
});
