import { memoized } from '../concurrency/lazy.ts';
import type { Privacy } from '../text/redaction.ts';

interface Shape {
  isPrivate?: boolean;
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** Returns what of the values of a shape is `confidential`; undefined if nothing is. */
export const privacyOf: (shape: object) => Privacy | undefined = memoized((shape: object) => {
  const { isPrivate, properties, items } = shape as Shape;
  if (isPrivate) return 'all';
  const ofItems = items && privacyOf(items);
  if (ofItems) return { items: ofItems };
  const fields = new Map(Object.entries(properties ?? {}).map(([name, inner]) => [name, privacyOf(inner)]));
  return [...fields.values()].some(Boolean) ? { fields } : undefined;
});
