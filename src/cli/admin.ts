import { isEmailAddress } from '../kernel/email-address.ts';
import type { Platform } from '../platform.ts';
import { UsageFault } from './usage.ts';

/** `admin create`: for the first administrator, or when nobody can sign in any more. */
export function createAdministrator({ email, password }: { email?: string; password?: string }) {
  return async ({ identity }: Platform): Promise<void> => {
    if (!email || !isEmailAddress(email) || !password || password.length < 8) {
      throw new UsageFault('--email and --password (8 characters or more) are needed');
    }
    const { userId, isNew } = await identity.ensureAdministrator({
      email,
      password,
      firstName: 'Administrator',
      lastName: email.split('@', 1)[0] as string,
    });
    if (!isNew) throw new Error(`There is an account of ${email} already (${userId})`);
    console.log(`${email} is an administrator (${userId})`);
  };
}
