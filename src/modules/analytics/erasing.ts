import type { Database } from '../../kernel/database/database.ts';
import { onExternal, type Subscription } from '../../kernel/messaging/events.ts';
import { userDeleted } from '../identity/contract.ts';
import { erasingStore } from './erasing.store.ts';

/**
 * Anonymizes the activity of a deleted member: removes the client data of their events and their number. Counts do not
 * change.
 */
export function erasing(database: Database): Subscription {
  const store = erasingStore(database);
  return onExternal(userDeleted, 'analytics', async ({ data: { userId } }) => {
    const no = await store.numberOf(userId);
    if (no === undefined) return;
    while (await store.emptySome(no));
    await store.forget(no, userId);
  });
}
