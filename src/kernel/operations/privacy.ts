import { memoized } from '../concurrency/lazy.ts';
import { isSecretName, type Privacy } from '../text/redaction.ts';

interface Shape {
  type?: string;
  isPrivate?: boolean;
  additionalProperties?: unknown;
  properties?: Record<string, Shape>;
  items?: Shape;
}

/**
 * Returns what of the values of a shape is `confidential`, or has the name of a secret, which a misspelt name must not
 * publish; undefined if nothing is.
 */
export const privacyOf: (shape: object) => Privacy | undefined = memoized((shape: object) => {
  const { isPrivate, properties, items, additionalProperties } = shape as Shape;
  const isOpen = Boolean(additionalProperties);
  if (isPrivate) return 'all';
  const ofItems = items && privacyOf(items);
  if (ofItems) return { items: ofItems };
  const fields = new Map(
    Object.entries(properties ?? {}).map(([name, inner]) => [name, ofField(name, inner, isOpen)]),
  );
  return [...fields.values()].some(Boolean) ? { fields } : undefined;
});

/** @param isOpen whether the fields beside it have names of the sender's own, of which none is misspelt */
const ofField = (name: string, shape: Shape, isOpen: boolean): Privacy | undefined =>
  !isOpen && shape.type === 'string' && isSecretName(name) ? 'all' : privacyOf(shape);
