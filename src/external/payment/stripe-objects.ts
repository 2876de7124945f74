import { UnreadableAnswer } from './port.ts';

/** Items on one page of a list. */
export const PAGE = 100;

/** Returns the object if it has the requested id; any other would settle the wrong payment. */
export function withId<T extends { id: string }>(id: string, found: T): T {
  if (found.id !== id) throw new UnreadableAnswer(`the provider returned ${found.id} instead of ${id}`);
  return found;
}

/** Returns what was made if it has all that was ordered; anything else would be taken for the payment. */
export function asOrdered<T extends object>(ordered: Record<string, unknown>, made: T): T {
  for (const [name, value] of Object.entries(ordered)) {
    const answered = (made as Record<string, unknown>)[name];
    if (answered !== value)
      throw new UnreadableAnswer(
        `the provider answered with the ${name} ${JSON.stringify(answered)} instead of ${value}`,
      );
  }
  return made;
}

/** Whether the idempotency key was used for a request with other details, as by a former release. */
export const isKeyReused = (error: unknown): boolean =>
  error instanceof Error && (error as { type?: string }).type === 'StripeIdempotencyError';
