/** How long to fuzz: until as many requests were made, or so many seconds have passed. */
export interface Budget {
  seed: number;
  requests: number;
  seconds: number;
}

const SEED = 20_261_122;
const PATIENCE_SECONDS = 600;

/** Returns the budget of the suite, or what `npm run fuzz -- <seed> <seconds>` says instead. */
export function budgetOf(requests: number): Budget {
  const { FUZZ_SEED, FUZZ_SECONDS } = process.env;
  const seed = Number(FUZZ_SEED ?? SEED);
  return FUZZ_SECONDS === undefined
    ? { seed, requests, seconds: PATIENCE_SECONDS }
    : { seed, requests: Number.POSITIVE_INFINITY, seconds: Number(FUZZ_SECONDS) };
}
