import type { Core } from '../../kernel/core.ts';
import type { LookUp, UserOverviewPart } from '../administration/contract.ts';
import { StandingsShape } from './chat.schemas.ts';
import type { MessageStore } from './messages.store.ts';
import type { StandingStore } from './standings.store.ts';

/** Finds messages for administrators, who may read every room. */
export const messageLookUp = ({ findAll }: Pick<MessageStore, 'findAll'>): LookUp => ({
  type: 'message',
  find: async ({ id }) =>
    (id === undefined ? [] : await findAll([id])).map((message) => ({
      id: message.id,
      title: message.deletedAt === null ? message.message : 'A deleted message',
      userId: message.userId,
      match: 'id',
    })),
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
