import { failure } from '../failures.ts';

export const unsafeText = failure(400, 'UNSAFE_TEXT', 'Text must not contain NUL or lone surrogates');

/** Whether PostgreSQL can store the text. */
export const isSafeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the beginning of a text that another system wrote, such as its error message, as PostgreSQL can store it. */
export const storableText = (text: string, maxLength: number): string =>
  text.replaceAll('\0', '').slice(0, maxLength).toWellFormed();
