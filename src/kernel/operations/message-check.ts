import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { lazy, memoized } from '../concurrency/lazy.ts';
import type { MessageCheck } from '../messaging/message-check.ts';
import { closed, newAjv } from './validation.ts';

/** The message check used by tests; compiles each shape once, also those that each platform makes anew. */
export const messageCheck = lazy((): MessageCheck => {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = memoized((shape: TSchema) => {
    const text = JSON.stringify(closed(shape));
    const validator = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validator);
    return validator;
  });
  return (what, shape, value) => {
    const validate = validatorOf(shape);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    throw new Error(`${what} does not fit its shape: ${ajv.errorsText(validate.errors)}`);
  };
});
