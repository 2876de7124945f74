import type { TSchema } from 'typebox';
import { lazy, memoized } from '../concurrency/lazy.ts';
import { closed, newAjv } from '../operations/validation.ts';

/**
 * Throws when a message, as JSON, does not match its shape; fields that the shape does not name are errors too. Tests
 * check every outgoing job, event and live message; production relies on the compiler.
 */
export type MessageCheck = (what: string, shape: TSchema, value: unknown) => void;

export const messageCheck = lazy((): MessageCheck => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  const validatorOf = memoized((shape: TSchema) => ajv.compile(closed(shape) as object));
  return (what, shape, value) => {
    const validate = validatorOf(shape);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    throw new Error(`${what} does not fit its shape: ${ajv.errorsText(validate.errors)}`);
  };
});

/** Checks nothing. */
export const noMessageCheck: MessageCheck = () => undefined;
