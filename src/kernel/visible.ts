/**
 * Anything but spaces, controls, zero-width and bidirectional marks, fillers and lone surrogates: what a reader would see
 * nothing of.
 */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is anything to be seen in a text. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
