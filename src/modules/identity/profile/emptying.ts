import type { Core } from '../../../kernel/core.ts';
import { type Identity, userChanged, userUpdated } from '../contract.ts';
import { cardOf, type UserStore } from '../users/users.store.ts';

export interface EmptyingDeps extends Pick<Core, 'events' | 'clock'> {
  store: Pick<UserStore, 'lock' | 'update'>;
}

/** Returns what empties a profile because of a report; it has no effect on a deleted account. */
export const emptyingProfiles =
  ({ store, events, clock }: EmptyingDeps): Identity['emptyProfileIn'] =>
  async (tx, userId) => {
    const before = await store.lock(tx, userId);
    if (!before) return;
    // Only administrators set badges.
    const { rankBadgeUrl } = before.educator;
    const educator = rankBadgeUrl === undefined ? {} : { rankBadgeUrl };
    const after = { ...before, educator, updatedAt: clock.date() };
    await store.update(tx, after);
    const { permissions, isActive } = after;
    await events.publish(tx, userChanged, cardOf(after));
    await events.publish(tx, userUpdated, { userId, permissions, isActive });
  };
