import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { closed, newAjv } from './operations/validation.ts';

/**
 * Throws where a message, as JSON, does not fit its shape; a field that the shape does not name is a misfit too.
 * Tests have every job, event and live message checked on its way out; production trusts the compiler.
 */
export type MessageCheck = (what: string, shape: TSchema, value: unknown) => void;

export function messageCheck(): MessageCheck {
  const ajv = newAjv({ removeAdditional: false, useDefaults: false });
  const compiled = new WeakMap<TSchema, ValidateFunction>();
  return (what, shape, value) => {
    const validate = compiled.get(shape) ?? ajv.compile(closed(shape) as object);
    compiled.set(shape, validate);
    if (validate(JSON.parse(JSON.stringify(value)))) return;
    throw new Error(`${what} does not fit its shape: ${ajv.errorsText(validate.errors)}`);
  };
}

/** Checks nothing. */
export const noMessageCheck: MessageCheck = () => undefined;
