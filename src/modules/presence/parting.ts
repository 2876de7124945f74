import type { ObjectId } from '../../kernel/ids.ts';
import type { Present } from './contract.ts';

interface PartingDeps {
  store: {
    sharedBy(userId: ObjectId, otherId: ObjectId): Promise<ObjectId[]>;
    absentOf(all: Present[]): Promise<Present[]>;
    blockTold(userId: ObjectId, otherId: ObjectId): Promise<void>;
  };
  /** Returns those of these members whose rooms are not too large for announcements. */
  announced(all: Present[]): Promise<Present[]>;
  /** Has them leave and, for all but each other, come back. */
  withdraw(all: Present[]): Promise<void>;
  tellGone(all: Present[]): Promise<void>;
}

/** Takes two members, of whom one has blocked the other, from what each sees in the rooms in which both are. */
export const parting =
  ({ store, announced, withdraw, tellGone }: PartingDeps) =>
  async (userId: ObjectId, otherId: ObjectId): Promise<void> => {
    const roomIds = await store.sharedBy(userId, otherId);
    const both = [userId, otherId].flatMap((one) => roomIds.map((roomId) => ({ roomId, userId: one })));
    await withdraw(await announced(both));
    await store.blockTold(userId, otherId);
    // Who went meanwhile was told to have gone before they were told to be back.
    await tellGone(await store.absentOf(both));
  };
