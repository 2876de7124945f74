import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { TSchema } from 'typebox';
import { lazy, memoized } from '../concurrency/lazy.ts';
import {
  type Failure,
  type FailureMaker,
  type FieldFault,
  validationFailed,
  withErrors,
} from '../failures.ts';
import { isCurrency } from '../text/currencies.ts';
import { isEmailAddress } from '../text/email-address.ts';
import { canonicalLanguageTag } from '../text/language-tag.ts';
import { isVisible, keepsDirection } from '../text/visible.ts';
import { isInstant } from '../time/time.ts';
import { isTimeZone } from '../time/zones.ts';
import { addBoundedItems, MAX_FAULTS, withBoundedItems } from './bounded-items.ts';
import { messageOf } from './fault-messages.ts';
import { nullsAsAbsent } from './nulls.ts';
import { periodFaults, periodsAmong } from './periods.ts';

type JsonObject = Record<string, unknown>;

/** Checks a value against a shape and returns it without unnamed fields and with defaults. */
export type Check = (value: unknown) => unknown;

// The package's types describe its CommonJS export; the default export of the module is the function.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020, formats: string[]) => void;

/**
 * Returns an Ajv that coerces nothing ("5" is not 5), reports all faults together (at most 100) and drops fields that
 * no shape names. Array lengths are checked before items.
 */
export function newAjv(departures: { removeAdditional?: boolean; useDefaults?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    coerceTypes: false,
    removeAdditional: true,
    useDefaults: true,
    strict: false,
    ownProperties: true,
    // Ajv spends half of a compilation on shortening code that V8 shortens anyway.
    code: { optimize: false },
    ...departures,
  });
  addFormats(ajv, ['uuid', 'date-time']);
  addBoundedItems(ajv);
  ajv.addFormat('mailbox', isEmailAddress);
  ajv.addFormat('instant', isInstant);
  ajv.addFormat('visible', isVisible);
  ajv.addFormat('visible-or-empty', (text: string) => text === '' || isVisible(text));
  ajv.addFormat('one-direction', keepsDirection);
  ajv.addFormat('name', (text: string) => isVisible(text) && keepsDirection(text));
  ajv.addFormat('http-url', isHttpUrl);
  ajv.addFormat('return-url', (text: string) => isHttpUrl(text.replaceAll(SESSION_ID, 'id')));
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addFormat('language-tag', (text: string) => canonicalLanguageTag(text) !== undefined);
  ajv.addFormat('currency', isCurrency);
  ajv.addKeyword({ keyword: 'maxBytes', validate: isStorable });
  return ajv;
}

/**
 * Whether JSON of any form has at most so many bytes, and no number beyond the range of JSON's numbers (RFC 8259, section
 * 6), such as 1e400, which would be stored as null.
 */
function isStorable(most: number, data: unknown): boolean {
  const text = JSON.stringify(data);
  isStorable.errors =
    text.includes('null') && hasInfinity(data)
      ? [{ keyword: 'finite', message: 'has a number beyond the range of JSON', params: {} }]
      : undefined;
  return isStorable.errors === undefined && Buffer.byteLength(text) <= most;
}
isStorable.errors = undefined as Partial<ErrorObject>[] | undefined;

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The placeholder that the payment provider replaces in return URLs. */
const SESSION_ID = '{CHECKOUT_SESSION_ID}';

/** An http(s) URI of RFC 3986, approximately: a host, and no characters that must be percent-encoded. */
const HTTP_URI =
  /^https?:\/\/[\w.~!$&'()*+,;=:@%[\]-]+(?:[/?](?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;

/**
 * Whether the text is an absolute http(s) URI without credentials, safe to return to clients as a link. The URL parser
 * of browsers accepts far more, such as spaces, umlauts and backslashes.
 */
function isHttpUrl(text: string): boolean {
  // For a host of tens of thousands of characters `URL.canParse` returns true, but the constructor throws.
  const url = HTTP_URI.test(text) ? URL.parse(text) : null;
  if (url === null) return false;
  const { protocol, username, password } = url;
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

const ajv = lazy(newAjv);

/** Compiles each shape once per process, however many platforms the process runs. */
const validatorOf = memoized((shape: TSchema) => ajv().compile(withBoundedItems(closed(shape)) as object));
const withoutEmptyTexts = memoized(requireTexts);

/**
 * Returns a check that throws 422 with every fault, including those found before, or with them the failure that the
 * shape declares for its own violation.
 */
function checkOf(shape: TSchema, whole: string): (value: unknown, foundBefore?: FieldFault[]) => unknown {
  return (value, foundBefore = []) => {
    // Compiled at its first value: compiling all shapes takes a second, which would delay the start.
    const validate = validatorOf(shape);
    if (!validate(value) || foundBefore.length > 0) {
      throw failureOf(validate.errors ?? [], whole, foundBefore);
    }
    return value;
  };
}

/**
 * Treats a missing body as an empty one, and null for an optional field as absence. Checks a copy, so that an error
 * report contains the body as it was sent. Periods must not end before they begin, as in queries.
 */
export function bodyCheck(shape: TSchema): Check {
  const names = Object.keys(propertiesOf(shape));
  const check = checkOf(shape, 'body');
  const withoutNulls = nullsAsAbsent(shape as object) ?? ((value: unknown) => value);
  const periods = periodsAmong(new Set(names));
  return (value) => {
    const given = withoutNulls(isObject(value) ? pick(value, names) : (value ?? {}));
    return check(given, isObject(given) ? periods.flatMap((period) => periodFaults(given, period)) : []);
  };
}

export function pathCheck(shape: TSchema): Check {
  const check = checkOf(shape, 'path');
  return (value) => check(value);
}

/**
 * Query values arrive as text; parses each as the type of its shape, and leaves unparsable ones for the check to
 * reject. Parameters that the shape does not name are faults too, except in links.
 */
export function queryCheck(shape: TSchema, isLink: boolean): Check {
  const properties = Object.entries(propertiesOf(shape));
  const names = new Set(properties.map(([name]) => name));
  const check = checkOf(withoutEmptyTexts(shape), 'query');
  const periods = periodsAmong(names);
  return (value) => {
    const texts = value as Record<string, string | string[] | undefined>;
    const read: JsonObject = {};
    for (const [name, property] of properties) {
      const text = texts[name];
      if (text !== undefined) read[name] = readText(text, property);
    }
    // No query takes a list.
    const repeated = Object.keys(read).filter((name) => Array.isArray(read[name]));
    const unknown = isLink ? [] : Object.keys(texts).filter((name) => !names.has(name));
    const contradictory = properties.flatMap(([name, { insteadOf = [] }]) =>
      (insteadOf as string[])
        .filter((other) => name in read && other in read)
        .map((other) => contradiction(name, other)),
    );
    contradictory.push(...periods.flatMap((period) => periodFaults(read, period)));
    const found = [...repeated.map(repeatedParameter), ...unknown.map(unknownParameter), ...contradictory];
    const checked = check(read, found) as JsonObject;
    for (const [name, { clampTo }] of properties) {
      if (typeof clampTo === 'number' && typeof checked[name] === 'number' && checked[name] > clampTo) {
        checked[name] = clampTo;
      }
    }
    return checked;
  };
}

const unknownParameter = (field: string): FieldFault => ({ field, message: 'Unknown parameter' });

const repeatedParameter = (field: string): FieldFault => ({ field, message: 'must be sent once' });

const contradiction = (field: string, other: string): FieldFault => ({
  field,
  message: `cannot be combined with ${other}`,
});

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const propertiesOf = (shape: TSchema): Record<string, JsonObject> =>
  // An object shape has properties, which the general type of shapes does not declare.
  (shape as unknown as { properties?: Record<string, JsonObject> }).properties ?? {};

/** Requires query texts to be non-empty: an empty `?search=` is a client's mistake, not a request for everything. */
function requireTexts(shape: TSchema): TSchema {
  const properties = Object.entries(propertiesOf(shape)).map(([name, property]) => {
    const { minLength = 1 } = property as { minLength?: number };
    return [name, property.type === 'string' ? { ...property, minLength: Math.max(1, minLength) } : property];
  });
  return { ...shape, properties: Object.fromEntries(properties) } as TSchema;
}

function pick(value: JsonObject, names: string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) if (Object.hasOwn(value, name)) picked[name] = value[name];
  return picked;
}

function readText(text: string | string[], { type }: JsonObject): unknown {
  if (Array.isArray(text)) return text;
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/**
 * Returns the shape as checks compile it: objects drop unnamed fields (unless the shape allows them), and `$id`s are
 * removed, because one schema may occur in many shapes.
 */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$id') continue;
    copy[key] = key === 'refusal' || key === 'examples' || key === 'default' ? value : closed(value);
  }
  if (copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined) {
    copy.additionalProperties = false;
  }
  return copy;
}

interface Refusal {
  refusal: FailureMaker;
  whenMissing: FailureMaker | null;
}

function failureOf(errors: ErrorObject[], whole: string, foundBefore: FieldFault[]): Failure {
  const faults = new Map(foundBefore.slice(0, MAX_FAULTS).map((fault) => [fault.field, fault]));
  for (const error of errors) {
    if (faults.size >= MAX_FAULTS) break;
    const fault = { field: fieldOf(error) || whole, message: messageOf(error) };
    if (!faults.has(fault.field)) faults.set(fault.field, fault);
  }
  const all = [...faults.values()];
  const refused = errors.find(refusalOf);
  const refusal = refused && refusalOf(refused)?.();
  if (!refusal) return validationFailed(all);
  // A failure of the whole, or of a part of the path, says by itself what is wrong.
  if (whole === 'path' || fieldOf(refused) === '') return refusal;
  return withErrors(refusal, all);
}

function refusalOf({ keyword, params, parentSchema }: ErrorObject): FailureMaker | null | undefined {
  if (keyword === 'required') {
    const missing = parentSchema?.properties?.[params.missingProperty] as { refusal?: Refusal } | undefined;
    return missing?.refusal?.whenMissing;
  }
  return (parentSchema as { refusal?: Refusal } | undefined)?.refusal?.refusal;
}

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(unescapePointer);
  if (keyword === 'required') path.push(params.missingProperty);
  return path.join('.');
}

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
