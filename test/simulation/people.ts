export const PEOPLE = 6;

/** The balance of each person when a history begins. */
export const START_KEYS = 100;

/** A person's username at the charting platform; `which` chooses one of two. */
export const handleOf = (person: number, which: number): string => `trader_${person}_${which % 2}`;

/** US dollars per Key, such that most amounts of Keys are not a whole number of cents. */
export const RATE = 0.3337;

/** The prices of the courses in Keys. */
export const PRICES = [7, 0];
