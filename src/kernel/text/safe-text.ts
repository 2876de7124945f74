import { failure } from '../failures.ts';

export const unsafeText = failure(400, 'UNSAFE_TEXT', 'Text must not contain NUL or lone surrogates');

/** Whether PostgreSQL can store the text. */
export const isSafeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** What JSON may contain and PostgreSQL's `jsonb` may not, as `JSON.stringify` writes it. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

const storableValue = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? replaced(value) : isRecord(value) ? withNames(value) : value;

/** Stands for what cannot be stored. */
const REPLACEMENT = '\ufffd';

const replaced = (text: string): string => text.replaceAll('\0', REPLACEMENT).toWellFormed();

/** Whether something in a text of another system may have been replaced: two such texts can be equal although they were not. */
export const hasReplacement = (text: string): boolean => text.includes(REPLACEMENT);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withNames = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [replaced(name), value]));

/**
 * Returns JSON that PostgreSQL can store: a NUL or half of a surrogate pair, as where a text was cut within an emoji,
 * is replaced. For what is stored with that of others, which one such text would otherwise hold up or lose.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return UNSTORABLE.test(json) ? JSON.stringify(value, storableValue) : json;
}

/** Reads JSON of another system; texts are then such that PostgreSQL can store them. @throws SyntaxError */
export const parseStorable = (json: string): unknown =>
  UNSTORABLE.test(json) ? JSON.parse(json, storableValue) : JSON.parse(json);

/** Returns the beginning of a text that another system wrote, such as its error message, as PostgreSQL can store it. */
export const storableText = (text: string, maxLength: number): string =>
  text.replaceAll('\0', '').slice(0, maxLength).toWellFormed();
