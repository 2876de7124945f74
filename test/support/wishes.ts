/** The state that a grant of an indicator should reach by the rules of its state machine, as the model of the tests. */
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

/** The operations that change a wish; a grace period counts from the clock's time. */
export function wishChanges(clock: { now(): number }) {
  /** Applies the end of a grace period that is over. */
  function endGrace(of: Wish): void {
    if (of.wanted && of.graceEndsAt !== undefined && of.graceEndsAt <= clock.now())
      Object.assign(of, { wanted: false, graceEndsAt: undefined });
  }
  return {
    endGrace,
    wish(of: Wish, handle: string, source: Wish['source']): void {
      endGrace(of);
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

/** The status that a grant has once nothing is pending. */
export const expectedStatus = ({ wanted, graceEndsAt }: Wish): string => {
  if (!wanted) return 'revoked';
  return graceEndsAt === undefined ? 'active' : 'pending_revoke';
};
