import { Failure, notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { notEducator } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Chat, EducatorRoom } from '../chat/contract.ts';
import type { Identity } from '../identity/contract.ts';
import { type Notifications, topicOfEducator } from '../notifications/contract.ts';

export const educatorNotFound = notFound('Educator');

const EDUCATORS_AT_ONCE = 1_000;

/** The chatroom of an educator (part 2, Educator). */
export interface EducatorChatroom extends Omit<EducatorRoom, 'id'> {
  educatorId: ObjectId;
  chatroomId: ObjectId;
  isActive: boolean;
}

export interface EducatorDeps {
  identity: Pick<Identity, 'permissionsOf' | 'profilesOf' | 'contactsOf' | 'educatorsAfter'>;
  chat: Pick<Chat, 'roomOfEducator' | 'educatorRoom' | 'join' | 'leave'>;
  notifications: Pick<Notifications, 'subscribe' | 'unsubscribe'>;
}

/** What members do with educators: talk in their room, hear of what they announce. */
export function educatorRules({ identity, chat, notifications }: EducatorDeps) {
  /** @throws educatorNotFound, notEducator */
  async function mustBeEducator(id: ObjectId): Promise<void> {
    const permissions = await identity.permissionsOf(id);
    if (!permissions) throw educatorNotFound();
    if (!permissions.includes('educator')) throw notEducator();
  }

  /** Made when somebody first asks for it. @throws educatorNotFound */
  async function find(educatorId: ObjectId): Promise<{ roomId: ObjectId; isActive: boolean }> {
    const [[profile], [contact]] = await Promise.all([
      identity.profilesOf([educatorId]),
      identity.contactsOf([educatorId]),
    ]);
    if (!profile || !contact) throw educatorNotFound();
    const name = `${profile.firstName} ${profile.lastName}`.trim();
    return { roomId: await chat.roomOfEducator(educatorId, name), isActive: contact.isActive };
  }

  /** @throws educatorNotFound, 403 for those who may not read it */
  async function chatroomOf(educatorId: ObjectId, caller: UserCaller): Promise<EducatorChatroom> {
    const { roomId, isActive } = await find(educatorId);
    const { id, ...room } = await chat.educatorRoom(roomId, caller);
    return { educatorId, chatroomId: id, ...room, isActive };
  }

  return {
    mustBeEducator,
    chatroomOf,
    async join(educatorId: ObjectId, caller: UserCaller): Promise<EducatorChatroom> {
      await chat.join((await find(educatorId)).roomId, caller);
      return chatroomOf(educatorId, caller);
    },
    /** Shows the room as it was for the one who left: it may be one that they may not read any more. */
    async leave(educatorId: ObjectId, caller: UserCaller): Promise<EducatorChatroom> {
      const before = await chatroomOf(educatorId, caller);
      await chat.leave(before.chatroomId, caller);
      return chatroomOf(educatorId, caller).catch((error) => {
        if (error instanceof Failure && error.status === 403) return before;
        throw error;
      });
    },
    subscribe: (educatorId: ObjectId, userId: ObjectId) =>
      notifications.subscribe(userId, [topicOfEducator(educatorId)]),
    unsubscribe: (educatorId: ObjectId, userId: ObjectId) =>
      notifications.unsubscribe(userId, [topicOfEducator(educatorId)]),
    /** Answers how many there are. */
    async subscribeToAll(userId: ObjectId): Promise<number> {
      let count = 0;
      for (let after = ''; ; ) {
        const ids = await identity.educatorsAfter(after, EDUCATORS_AT_ONCE);
        await notifications.subscribe(userId, ids.map(topicOfEducator));
        count += ids.length;
        if (ids.length < EDUCATORS_AT_ONCE) return count;
        after = ids.at(-1) as ObjectId;
      }
    },
  };
}

export type EducatorRules = ReturnType<typeof educatorRules>;
