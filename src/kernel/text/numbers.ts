const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/**
 * Returns a number for use in a sentence: in words up to ten, otherwise in digits. Sentences of the API that state a
 * limit use it with the constant that the rule uses.
 */
export const spelled = (count: number): string => WORDS[count] ?? inDigits(count);

/** Returns a number in digits with thousands separators: `1,000`. */
export const inDigits = (count: number): string => count.toLocaleString('en-US');
