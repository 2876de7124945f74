/** The length of a fuzz: a number of requests or of seconds. */
export interface Budget {
  seed: number;
  requests: number;
  seconds: number;
}

const SEED = 20_261_122;
const PATIENCE_SECONDS = 600;

/** Returns the budget of the suite, or that of the arguments `npm run fuzz -- <seed> <seconds>`. */
export function budgetOf(requests: number): Budget {
  const { FUZZ_SEED, FUZZ_SECONDS } = process.env;
  const seed = Number(FUZZ_SEED ?? SEED);
  return FUZZ_SECONDS === undefined
    ? { seed, requests, seconds: PATIENCE_SECONDS }
    : { seed, requests: Number.POSITIVE_INFINITY, seconds: Number(FUZZ_SECONDS) };
}

/** Connections of the live channel end with their tokens, after fifteen minutes. */
const MAX_LIVE_SECONDS = 600;

/** Returns the budget of the live channel, whose clients sign in once. */
export function liveBudgetOf(requests: number): Budget {
  const budget = budgetOf(requests);
  return { ...budget, seconds: Math.min(budget.seconds, MAX_LIVE_SECONDS) };
}
