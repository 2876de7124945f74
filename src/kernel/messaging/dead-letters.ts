const DEAD_LETTERS = '.dead';

/** Returns the name of the dead-letter queue, which holds jobs that have no retries left. */
export const deadLetterOf = (name: string): string => name + DEAD_LETTERS;

/** Returns the queue that a dead-letter queue belongs to; undefined for an ordinary queue. */
export const ownerOfDeadLetters = (name: string): string | undefined =>
  name.endsWith(DEAD_LETTERS) ? name.slice(0, -DEAD_LETTERS.length) : undefined;
