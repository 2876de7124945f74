/** What a grant of an indicator should be, by the rules of its state machine, without a platform that could fail. */
export interface Wish {
  wanted: boolean;
  handle: string;
  source: 'marketplace' | 'automated' | 'manual';
  isOfRequest: boolean;
  graceEndsAt: number | undefined;
}

const STRENGTH = ['marketplace', 'automated', 'manual'];

export const noWish = (): Wish => ({
  wanted: false,
  handle: '',
  source: 'marketplace',
  isOfRequest: false,
  graceEndsAt: undefined,
});

/** The changes of a wish, at the time of a clock. */
export function wishing(clock: { now(): number }) {
  /** Ends a countdown that is over. */
  function pass(of: Wish): void {
    if (of.wanted && of.graceEndsAt !== undefined && of.graceEndsAt <= clock.now())
      Object.assign(of, { wanted: false, graceEndsAt: undefined });
  }
  return {
    pass,
    wish(of: Wish, handle: string, source: Wish['source']): void {
      pass(of);
      const isRaised = STRENGTH.indexOf(source) > STRENGTH.indexOf(of.source);
      if (!of.wanted || isRaised) {
        of.source = source;
        of.isOfRequest = source === 'marketplace';
      }
      Object.assign(of, { wanted: true, handle, graceEndsAt: undefined });
    },
    end: (of: Wish): Wish => Object.assign(of, { wanted: false, graceEndsAt: undefined }),
  };
}

/** The status that a grant has at rest. */
export const expectedStatus = ({ wanted, graceEndsAt }: Wish): string => {
  if (!wanted) return 'revoked';
  return graceEndsAt === undefined ? 'active' : 'pending_revoke';
};
