/** A token that can be used once. */
export interface SpendableToken {
  jti: string;
  /** The time from which it need no longer be stored. */
  expiresAt: Date;
}
