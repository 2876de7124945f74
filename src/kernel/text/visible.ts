/**
 * Any character except those that render as nothing: spaces, controls, zero-width and bidirectional marks, fillers and
 * lone surrogates.
 */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/**
 * Bidirectional embeddings, overrides and isolates: beside other texts they reverse the line, so that a name reads as
 * another one. Names in right-to-left scripts need none.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Whether a text has no characters that change the direction of the line. */
export const keepsDirection = (text: string): boolean => text.search(TURNING) < 0;

/** Returns a text without the characters that change the direction of the line. */
export const withoutTurning = (text: string): string => text.replace(TURNING, '');
