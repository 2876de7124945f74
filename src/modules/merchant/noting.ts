import type { ObjectId } from '../../kernel/ids.ts';
import type { Due, DueStore } from './due.model.ts';

/** Runs a call to the provider about an item; keeps why it failed for administrators, and throws it. */
export async function noting(store: DueStore<Due>, id: ObjectId, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    await store.note(id, error as Error);
    throw error;
  }
  await store.clear(id);
}
