import type { Platform } from '../app/platform.ts';
import { OperatorFault } from '../kernel/operator-fault.ts';
import { isEmailAddress } from '../kernel/text/email-address.ts';
import { weaknessOf } from './password.ts';
import { UsageFault } from './usage.ts';

const MIN_PASSWORD = 8;

/** `admin create`: creates an administrator, the first one or a replacement when no other can sign in. */
export function createAdministrator(email: string, password: string) {
  if (password.length < MIN_PASSWORD)
    throw new OperatorFault(`The password must have at least ${MIN_PASSWORD} characters`);
  return async ({ identity }: Platform): Promise<void> => {
    const account = {
      email,
      password,
      firstName: 'Administrator',
      lastName: email.split('@', 1)[0] as string,
    };
    const { userId, isNew } = await identity.ensureAdministrator(account).catch((error) => {
      const weakness = weaknessOf(error);
      throw weakness ? new OperatorFault(`The password ${weakness}`) : error;
    });
    if (!isNew) throw new OperatorFault(`An account for ${email} already exists (${userId})`);
    console.log(`${email} is an administrator (${userId})`);
  };
}

/** Returns the e-mail from the command line; refuses a password there. */
export function emailOf({ email = '', password }: { email?: string; password?: string }): string {
  if (password !== undefined) {
    throw new UsageFault(
      '--password would show it to all users of this machine: leave it out, and enter it when asked or pipe it in',
    );
  }
  if (!isEmailAddress(email)) throw new UsageFault('--email must be an e-mail address');
  return email;
}
