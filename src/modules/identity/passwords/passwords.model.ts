/** The fewest characters of a password (part 1 leaves it open; OWASP ASVS 6.2.1). */
export const SHORTEST_PASSWORD = 8;

/** A password's owner, as far as it is known when the password is set. */
export interface PasswordOwner {
  email: string;
  username?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
}
