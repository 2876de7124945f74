import { Failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import type { Chat, EducatorRoom } from '../../chat/contract.ts';
import { type Educator, nameOf } from '../educators.model.ts';
import type { EducatorStore } from '../educators.store.ts';

/** The chatroom of an educator. */
export interface EducatorChatroom extends Omit<EducatorRoom, 'id'> {
  educatorId: ObjectId;
  chatroomId: ObjectId;
  isActive: boolean;
}

interface ChatroomDeps {
  chat: Pick<Chat, 'roomOfEducator' | 'educatorRoom' | 'join' | 'leave'>;
  store: Pick<EducatorStore, 'find'>;
}

/** The one chatroom of each educator, created on first request. */
export function chatroomRules({ chat, store }: ChatroomDeps) {
  const roomOf = (educator: Educator): Promise<ObjectId> =>
    chat.roomOfEducator(educator.id, async (tx) => nameOf((await store.find(educator.id, tx)) ?? educator));

  /** @throws 403 if the caller may not read it */
  async function of(educator: Educator, caller: UserCaller): Promise<EducatorChatroom> {
    const { id, ...room } = await chat.educatorRoom(await roomOf(educator), caller);
    return { educatorId: educator.id, chatroomId: id, ...room, isActive: educator.isActive };
  }

  return {
    of,
    async join(educator: Educator, caller: UserCaller): Promise<EducatorChatroom> {
      await chat.join(await roomOf(educator), caller);
      return of(educator, caller);
    },
    /** Returns the room as it was before leaving, since the caller may no longer read it afterwards. */
    async leave(educator: Educator, caller: UserCaller): Promise<EducatorChatroom> {
      const before = await of(educator, caller);
      await chat.leave(before.chatroomId, caller);
      return of(educator, caller).catch((error) => {
        if (error instanceof Failure && error.status === 403) return before;
        throw error;
      });
    },
  };
}

export type ChatroomRules = ReturnType<typeof chatroomRules>;
