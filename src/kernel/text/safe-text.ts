import { failure } from '../failures.ts';

export const unsafeText = failure(400, 'UNSAFE_TEXT', 'Text must not contain NUL or lone surrogates');

/** Whether PostgreSQL can store the text. */
export const isSafeText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
