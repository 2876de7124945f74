/** The job that makes the charting platform as it should be; ordered with every change. */
export const CARRY_OUT = 'indicators.carry-out';
