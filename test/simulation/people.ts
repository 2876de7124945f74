export const PEOPLE = 6;

/** The Keys that everybody begins with. */
export const START_KEYS = 100;

/** What somebody is called at the charting platform. */
export const handleOf = (person: number, which: number): string => `trader_${person}_${which % 2}`;
