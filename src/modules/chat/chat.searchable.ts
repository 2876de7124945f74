import type { ObjectId } from '../../kernel/ids.ts';
import { audienceWith, changes, EVERYBODY, type Searchable } from '../search/contract.ts';
import { roomChanged } from './contract.ts';
import { isModerator } from './room-access.ts';
import type { RoomStore } from './rooms.store.ts';
import type { StandingStore } from './standings.store.ts';

const membersOf = (roomId: ObjectId): string => `room:${roomId}`;

/** Makes rooms searchable by the members who may read them: see `room-access.ts`. */
export const chatSearchable = (store: Pick<RoomStore, 'findAll'> & StandingStore): Searchable[] => [
  {
    type: 'chatroom',
    plural: 'chatrooms',
    path: '/chatrooms',
    prominence: 5,
    forgetsWords: true,
    changes: [changes(roomChanged, ({ roomId }) => [roomId])],
    read: async (ids, queries) =>
      (await store.findAll(ids, queries)).map(({ id, name, description, type, memberCount, createdAt }) => ({
        id,
        title: name,
        body: description,
        audiences: [membersOf(id), ...(type === 'public' ? [EVERYBODY] : [audienceWith('moderator')])],
        hasName: true,
        popularity: memberCount,
        createdAt,
      })),
    idsAfter: store.idsAfter,
    rightsOf: async (caller) => {
      if (isModerator(caller)) return { audiences: [], excluded: [] };
      const standings = await store.standingOf(caller.userId);
      return {
        audiences: standings.filter(({ isMember }) => isMember).map(({ roomId }) => membersOf(roomId)),
        excluded: standings.filter(({ isMember }) => !isMember).map(({ roomId }) => roomId),
      };
    },
  },
];
