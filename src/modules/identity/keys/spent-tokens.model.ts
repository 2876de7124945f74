/** A token that serves once. */
export interface SpendableToken {
  jti: string;
  /** When it need not be remembered any longer. */
  expiresAt: Date;
}
