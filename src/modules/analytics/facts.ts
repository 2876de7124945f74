import type { NewId } from '../../kernel/ids.ts';
import { type Event, onManyInTransaction, type Subscription } from '../../kernel/messaging/events.ts';
import type { FactSource } from './contract.ts';
import { type NewFact, trackingStore } from './tracking.store.ts';

/** Subscribes to every event with contributed facts, and records these in the event's transaction. */
export function factSubscriptions(sources: FactSource[], newId: NewId): Subscription[] {
  const factsOf = ({ factsOf }: FactSource, event: Event<object>): NewFact[] =>
    factsOf(event.data, event).map(({ userId, name, type, cents = 0, metadata = {} }) => ({
      id: newId(),
      userId,
      name,
      type,
      cents,
      at: new Date(event.occurredAt),
      metadata: JSON.stringify(cents === 0 ? metadata : { ...metadata, cents }),
    }));
  return sources.map((source) =>
    onManyInTransaction(source.kind, 'analytics', async (events, tx) => {
      const facts = events.flatMap((event) => factsOf(source, event));
      if (facts.length > 0) trackingStore.record(tx, facts);
    }),
  );
}
