/**
 * Any character except those that render as nothing: spaces, controls, zero-width and bidirectional marks, fillers and
 * lone surrogates.
 */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
