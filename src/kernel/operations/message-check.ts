import type { TSchema } from 'typebox';
import { lazy, memoized } from '../concurrency/lazy.ts';
import type { MessageCheck } from '../messaging/message-check.ts';
import { closed, newAjv } from './validation.ts';

/** The message check used by tests; compiles each shape once. */
export const messageCheck = lazy((): MessageCheck => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  const validatorOf = memoized((shape: TSchema) => ajv.compile(closed(shape) as object));
  return (what, shape, value) => {
    const validate = validatorOf(shape);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    throw new Error(`${what} does not fit its shape: ${ajv.errorsText(validate.errors)}`);
  };
});
