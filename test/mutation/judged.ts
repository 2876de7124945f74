/** A mutant that changes nothing that a rule promises. */
export interface Judged {
  file: string;
  /** The line as it is, and as the mutant has it, without indentation. */
  was: string;
  becomes: string;
  reason: string;
}

export const JUDGED: readonly Judged[] = [];
