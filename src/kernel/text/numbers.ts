const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Returns a number as a sentence has it: in words up to ten, then in digits. With this, sentences of the API that state
 * a limit or a time are made of the constant that the rule uses.
 */
export const spelled = (count: number): string => WORDS[count] ?? inDigits(count);

/** Returns a number in digits, with separators of thousands: `1,000`. */
export const inDigits = (count: number): string => count.toLocaleString('en-US');
