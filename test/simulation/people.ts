export const PEOPLE = 6;

/** The Keys that everybody begins with. */
export const START_KEYS = 100;

/** What somebody is called at the charting platform. */
export const handleOf = (person: number, which: number): string => `trader_${person}_${which % 2}`;

/** US dollars for a Key: most amounts of Keys are no whole cents. */
export const RATE = 0.3337;

/** What the courses cost, in Keys. */
export const PRICES = [7, 0];
