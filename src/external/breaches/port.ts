/** Passwords that were found in breaches of other services. */
export interface BreachedPasswords {
  /**
   * Returns whether the password is among them. Whoever answers learns neither the password nor its digest.
   * @throws when the list is unreachable or responds invalidly
   */
  includes(password: string): Promise<boolean>;
}
