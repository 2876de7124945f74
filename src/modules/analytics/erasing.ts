import type { Database } from '../../kernel/database/database.ts';
import { onExternal, type Subscription } from '../../kernel/events.ts';
import { userDeleted } from '../identity/contract.ts';
import { erasingStore } from './erasing.store.ts';

/**
 * Makes what a deleted person did anonymous: what their clients said of the events goes, and so does their number. Counts
 * stay as they were.
 */
export function erasing(database: Database): Subscription {
  const store = erasingStore(database);
  return onExternal(userDeleted, 'analytics', async ({ data: { userId } }) => {
    const no = await store.numberOf(userId);
    if (no === undefined) return;
    while (await store.emptySome(no));
    await store.forget(no);
  });
}
