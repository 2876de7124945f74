/** A text that its author or a moderator may change. */
interface Editable {
  content: string;
  /** Null until the text is changed. */
  editedAt: Date | null;
}

/** Returns a record with another text; the same text again is no edit. */
export const edited = <Record extends Editable>(before: Record, content: string, at: Date): Record => ({
  ...before,
  content,
  editedAt: content === before.content ? before.editedAt : at,
});
