/** Number of recovery codes that a member gets at a time. */
export const RECOVERY_CODES = 10;

/** An authenticator app of a member. */
export interface Authenticator {
  sealed: Buffer;
  createdAt: Date;
  confirmedAt: Date | null;
  usedSteps: number[];
}

/** A change of a member's factors; the member is notified of it. */
export const FACTOR_CHANGES = [
  'authenticator-added',
  'authenticator-removed',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-renewed',
  'removed-by-administrator',
  'removed-by-reset',
  'removed-by-owner',
] as const;
export type FactorChange = (typeof FACTOR_CHANGES)[number];

/** The second factors of a member. */
export interface FactorState {
  totp: boolean;
  passkeys: number;
  recoveryCodesLeft: number;
}
